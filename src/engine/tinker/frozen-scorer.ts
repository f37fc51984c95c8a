// Log-probs under weights that do not change. Where a server samples a checkpoint beside the model in training: the prompt
// log-probs of a sampling session that stays open on it. Where it would put the checkpoint over the live weights: forward
// passes of a second model that holds it. Or a second server, whose own model is the reference.
import { EngineError, RemoteServiceError } from "../../base/errors.ts";
import { inParallel } from "../../base/in-parallel.ts";
import { type ScoringOptions, type SequenceScores, type TokenSequence, WeightsLostError } from "../engine.ts";
import { capabilities, type ServerKind } from "./capabilities.ts";
import { type CheckpointPaths, samplerPath } from "./checkpoint-paths.ts";
import { isMissingCheckpoint, LostRequestError } from "./connection.ts";
import { finiteLogprobs, runPass, unweighted } from "./passes.ts";
import type { ModelRequest, Session } from "./session.ts";
import type { TrainingModel } from "./training-model.ts";

export type ReferenceServer = {
  readonly url: string;
  readonly key?: string;
  readonly kind: ServerKind;
  /** The first that it serves unless said. */
  readonly model?: string;
};

const scoresInFlight = 256;

export class FrozenScorer {
  readonly #kind: ServerKind;
  readonly #paths: CheckpointPaths;
  readonly #model: ModelRequest;
  readonly #reference: (ReferenceServer & { readonly open: () => Promise<Session> }) | undefined;
  #second: Promise<Session> | undefined;
  readonly #samplers = new Map<string, Promise<string>>();
  readonly #holders = new Map<string, Promise<TrainingModel>>();

  constructor(
    kind: ServerKind,
    paths: CheckpointPaths,
    model: ModelRequest,
    reference?: ReferenceServer & { readonly open: () => Promise<Session> },
  ) {
    this.#kind = reference?.kind ?? kind;
    this.#paths = paths;
    this.#model = model;
    this.#reference = reference;
  }

  async logprobs(
    first: Session,
    sequences: readonly TokenSequence[],
    checkpoint: string,
    options: ScoringOptions,
  ): Promise<SequenceScores[]> {
    const { extendedScoring, frozenCheckpoints } = capabilities[this.#kind];
    if ((options.temperature ?? 1) !== 1 && !extendedScoring) throw scoresAtOneOnly(this.#kind);
    if (this.#reference !== undefined) this.#second ??= this.#reference.open();
    const session = (await this.#second) ?? first;
    return this.#reference === undefined && frozenCheckpoints === "over-live-weights"
      ? this.#byHolder(session, sequences, checkpoint, options.signal)
      : this.#bySampler(session, sequences, checkpoint, options);
  }

  /** What is open on a checkpoint that was saved anew, or on everything, is opened again when it is asked. */
  async forget(checkpoint?: string): Promise<void> {
    const held = [...this.#holders].filter(([name]) => checkpoint === undefined || name === checkpoint);
    for (const [name] of held) this.#holders.delete(name);
    if (checkpoint === undefined) this.#samplers.clear();
    else this.#samplers.delete(checkpoint);
    await Promise.all(held.map(async ([, holder]) => (await holder.catch(() => undefined))?.unload()));
  }

  async close(): Promise<void> {
    await this.forget();
    await (await this.#second)?.close();
  }

  // ---- A second model ----------------------------------------------------------------------------------------------

  async #byHolder(
    session: Session,
    sequences: readonly TokenSequence[],
    checkpoint: string,
    signal?: AbortSignal,
  ): Promise<SequenceScores[]> {
    const data = unweighted(sequences);
    return whileKept(
      () => this.#holder(session, checkpoint),
      () => void this.#holders.delete(checkpoint),
      (model) => runPass(model, { sequences, data, lossFunction: "cross_entropy", forwardOnly: true, signal }),
    );
  }

  #holder(session: Session, checkpoint: string): Promise<TrainingModel> {
    return kept(this.#holders, checkpoint, () =>
      this.#named(session, checkpoint, async () => {
        const model = await session.createModel(this.#model);
        try {
          await model.loadWeights(this.#paths.get(checkpoint)?.path ?? checkpoint, "fresh");
          return model;
        } catch (error) {
          await model.unload();
          throw error;
        }
      }),
    );
  }

  // ---- A sampling session ------------------------------------------------------------------------------------------

  async #bySampler(
    session: Session,
    sequences: readonly TokenSequence[],
    checkpoint: string,
    { temperature = 1, signal: given }: ScoringOptions,
  ): Promise<SequenceScores[]> {
    const { extendedScoring, promptLogprobs: form } = capabilities[this.#kind];
    const parameters = { max_tokens: 1, ...(extendedScoring ? { prompt_logprobs_temperature: temperature } : {}) };
    const scores = new Array<SequenceScores>(sequences.length);
    await inParallel(sequences, scoresInFlight, given, async ({ tokens, promptLength }, index, signal) => {
      const { promptLogprobs = [] } = await whileKept(
        () => this.#sampler(session, checkpoint),
        () => void this.#samplers.delete(checkpoint),
        // Some servers look at the checkpoint only now.
        (sampler) =>
          this.#named(session, checkpoint, () =>
            session.sample(sampler, tokens, parameters, { promptLogprobs: true, signal }),
          ),
      );
      const start = form === "with-first" ? promptLength : promptLength - 1;
      const logprobs = Float32Array.from(promptLogprobs.slice(start), (value) => value ?? Number.NaN);
      if (logprobs.length !== tokens.length - promptLength) {
        throw new EngineError(
          `the server returned ${promptLogprobs.length} prompt log-probs for ${tokens.length} tokens; ` +
            "`repertoire engine probe` measures what kind of server it is",
        );
      }
      scores[index] = { logprobs: finiteLogprobs(logprobs, `sequence ${index} under ${checkpoint}`) };
    });
    return scores;
  }

  #sampler(session: Session, checkpoint: string): Promise<string> {
    return kept(this.#samplers, checkpoint, () =>
      this.#named(session, checkpoint, async () => {
        if (this.#reference !== undefined) {
          const baseModel = this.#reference.model ?? (await session.servedModels())[0]?.name ?? "";
          return session.samplingSessionOn({ baseModel });
        }
        const { path, sampler } = this.#paths.get(checkpoint) ?? { path: checkpoint };
        const { samplesFromTrainingWeights } = capabilities[this.#kind];
        return session.samplingSessionOn(samplesFromTrainingWeights ? path : (sampler ?? samplerPath(path)));
      }),
    );
  }

  /** A failure to open names the checkpoint, unless it is the server that has forgotten us. */
  async #named<T>(session: Session, checkpoint: string, open: () => Promise<T>): Promise<T> {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof RemoteServiceError)) throw error;
      if (error instanceof LostRequestError && !isMissingCheckpoint(error)) {
        if (await session.isKnown()) throw error;
        throw new WeightsLostError(`the server no longer knows this session (${error.message})`);
      }
      throw new EngineError(`checkpoint ${JSON.stringify(checkpoint)} cannot be scored: ${error.message}`);
    }
  }
}

export const scoresAtOneOnly = (kind: ServerKind) =>
  new EngineError(`a ${kind} server scores at temperature 1 only; set "scoringTemperature": 1 in the configuration`);

/** Opened once; what failed to open is opened again when it is asked next. */
export function kept<Name, T>(open: Map<Name, Promise<T>>, name: Name, begin: () => Promise<T>): Promise<T> {
  const known = open.get(name);
  if (known !== undefined) return known;
  const begun = begin();
  open.set(name, begun);
  begun.catch(() => {
    if (open.get(name) === begun) open.delete(name);
  });
  return begun;
}

/** Servers drop what was quiet for a while; the weights are still there, so it is opened once more. */
export async function whileKept<O, T>(
  open: () => Promise<O>,
  forget: () => void,
  work: (opened: O) => Promise<T>,
): Promise<T> {
  const opened = open();
  try {
    return await work(await opened);
  } catch (error) {
    if (!(error instanceof LostRequestError)) throw error;
    // Many requests share what is open: the first one that finds it gone forgets it, the others take the new one.
    if (open() === opened) forget();
    return work(await open());
  }
}
