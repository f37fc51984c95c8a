// Log-probs under weights that do not change: the prompt log-probs of a sampling session that stays open on a checkpoint,
// or on the model of a second server.
import { EngineError, RemoteServiceError } from "../../base/errors.ts";
import { inParallel } from "../../base/in-parallel.ts";
import type { ScoringOptions, SequenceScores, TokenSequence } from "../engine.ts";
import { capabilities, type ServerKind } from "./capabilities.ts";
import { type CheckpointPaths, samplerPath } from "./checkpoint-paths.ts";
import { LostRequestError } from "./connection.ts";
import type { Session } from "./session.ts";

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
  readonly #reference: (ReferenceServer & { readonly open: () => Promise<Session> }) | undefined;
  #second: Promise<Session> | undefined;
  readonly #samplers = new Map<string, Promise<string>>();

  constructor(
    kind: ServerKind,
    paths: CheckpointPaths,
    reference?: ReferenceServer & { readonly open: () => Promise<Session> },
  ) {
    this.#kind = reference?.kind ?? kind;
    this.#paths = paths;
    this.#reference = reference;
  }

  async logprobs(
    first: Session,
    sequences: readonly TokenSequence[],
    checkpoint: string,
    { temperature = 1, signal: given }: ScoringOptions,
  ): Promise<SequenceScores[]> {
    const { extendedScoring, promptLogprobs: form } = capabilities[this.#kind];
    if (temperature !== 1 && !extendedScoring) throw scoresAtOneOnly(this.#kind);
    if (this.#reference !== undefined) this.#second ??= this.#reference.open();
    const session = (await this.#second) ?? first;
    const parameters = { max_tokens: 1, ...(extendedScoring ? { prompt_logprobs_temperature: temperature } : {}) };
    const scores = new Array<SequenceScores>(sequences.length);
    await inParallel(sequences, scoresInFlight, given, async ({ tokens, promptLength }, index, signal) => {
      const { promptLogprobs = [] } = await inSamplingSession(
        () => this.#sampler(session, checkpoint),
        () => this.forget(checkpoint),
        (sampler) => session.sample(sampler, tokens, parameters, { promptLogprobs: true, signal }),
      );
      const start = form === "with-first" ? promptLength : promptLength - 1;
      const logprobs = Float32Array.from(promptLogprobs.slice(start), (value) => value ?? Number.NaN);
      if (logprobs.length !== tokens.length - promptLength || logprobs.some(Number.isNaN)) {
        throw new EngineError(
          `the server returned ${promptLogprobs.length} prompt log-probs for ${tokens.length} tokens; ` +
            "`repertoire engine probe` measures what kind of server it is",
        );
      }
      scores[index] = { logprobs };
    });
    return scores;
  }

  /** What is open on a checkpoint that was saved anew, or on everything, is opened again when it is asked. */
  forget(checkpoint?: string): void {
    if (checkpoint === undefined) this.#samplers.clear();
    else this.#samplers.delete(checkpoint);
  }

  async close(): Promise<void> {
    await (await this.#second)?.close();
  }

  #sampler(session: Session, checkpoint: string): Promise<string> {
    const known = this.#samplers.get(checkpoint);
    if (known !== undefined) return known;
    const opened = this.#open(session, checkpoint).catch((error: unknown) => {
      this.forget(checkpoint);
      if (!(error instanceof RemoteServiceError)) throw error;
      throw new EngineError(`no sampling session on checkpoint ${JSON.stringify(checkpoint)}: ${error.message}`);
    });
    this.#samplers.set(checkpoint, opened);
    return opened;
  }

  async #open(session: Session, checkpoint: string): Promise<string> {
    if (this.#reference !== undefined) {
      const baseModel = this.#reference.model ?? (await session.servedModels())[0]?.name ?? "";
      return session.samplingSessionOn({ baseModel });
    }
    const path = this.#paths.get(checkpoint) ?? checkpoint;
    return session.samplingSessionOn(capabilities[this.#kind].samplesFromTrainingWeights ? path : samplerPath(path));
  }
}

export const scoresAtOneOnly = (kind: ServerKind) =>
  new EngineError(`a ${kind} server scores at temperature 1 only; set "scoringTemperature": 1 in the configuration`);

/** Servers drop sampling sessions that were quiet for a while; the weights are still there, so one more is opened. */
export async function inSamplingSession<T>(
  open: () => Promise<string>,
  forget: () => void,
  work: (session: string) => Promise<T>,
): Promise<T> {
  const opened = open();
  try {
    return await work(await opened);
  } catch (error) {
    if (!(error instanceof LostRequestError)) throw error;
    // Many requests share a session: the first one that finds it gone forgets it, the others take the new one.
    if (open() === opened) forget();
    return work(await open());
  }
}
