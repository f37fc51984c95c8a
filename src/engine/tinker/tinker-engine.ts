// The engine contract over the Tinker protocol: weights live on a server, the algorithm stays here. Custom objectives go
// as "log-probs out, weights back": cross-entropy with our weights has exactly the gradient of the objective, and so has
// importance sampling at ratio 1 on servers that normalize the weights of cross-entropy.
import { EngineError } from "../../base/errors.ts";
import { inParallel } from "../../base/in-parallel.ts";
import {
  defaultOptimizer,
  type Engine,
  type OptimizerStep,
  type Sample,
  type SampleRequest,
  type ScoringOptions,
  type SequenceScores,
  type Tokenizer,
  type TokenSequence,
  type WeightedSequence,
  WeightsLostError,
} from "../engine.ts";
import { checkAccumulated, checkRequests, checkSequences } from "../refusals.ts";
import { stopTokensOf } from "../sample-text.ts";
import { type Capabilities, capabilities, largestSeeds, type ServerKind } from "./capabilities.ts";
import type { CheckpointPaths } from "./checkpoint-paths.ts";
import { isMissingCheckpoint, LostRequestError, RefusedRequestError } from "./connection.ts";
import { FrozenScorer, kept, type ReferenceServer, scoresAtOneOnly, whileKept } from "./frozen-scorer.ts";
import { padded, runPass, shifted } from "./passes.ts";
import type { Datum, SampleReply } from "./protobuf.ts";
import { type ModelRequest, Session } from "./session.ts";
import type { Pass, TrainingModel } from "./training-model.ts";

export type TinkerEngineOptions = {
  readonly url: string;
  readonly key?: string;
  readonly kind: ServerKind;
  readonly baseModel: string;
  /** 0 trains all weights, on servers that can. */
  readonly loraRank: number;
  /** Not sent to servers that choose it themselves. */
  readonly loraAlpha?: number;
  /** Path of merged weights that adapters begin on instead of the base model, on servers that can. */
  readonly baseWeights?: string;
  readonly seed: number;
  readonly tokenizer: Tokenizer;
  readonly contextLength: number;
  /**
   * A second server whose model itself is the frozen reference, whatever its checkpoint is called here: for servers that
   * hold one set of weights at a time.
   */
  readonly reference?: ReferenceServer;
  /** Where saved weights are on the server; kept by the caller so that a later engine finds them. */
  readonly paths?: CheckpointPaths;
  /** How long the server may be unreachable; a large model takes minutes to come back. */
  readonly patienceSeconds?: number;
  /** The same for the first contact: an address that never answered is likelier a mistake. */
  readonly firstPatienceSeconds?: number;
  /** How long one request may take before it counts as lost; a batch of long rollouts takes hours on one GPU. */
  readonly futureSeconds?: number;
  /** Hears of outages. */
  readonly emit?: (message: string) => void;
  /** Ends whatever waits for the server. */
  readonly signal?: AbortSignal;
};

const samplesInFlight = 256;

type PassOptions = ScoringOptions & { readonly entropyWeights?: readonly ArrayLike<number>[] };

type OptimizerState = "kept" | "fresh";
type Origin = { readonly checkpoint?: string; readonly optimizer: OptimizerState };
const untouched: Origin = { optimizer: "fresh" };

/** A sequence whose gradient a sequence-normalizing server is asked for only at the step, when their number is known. */
type HeldSequence = { readonly sequence: WeightedSequence; readonly logprobs: Float32Array };

export class TinkerEngine implements Engine {
  readonly tokenizer: Tokenizer;
  readonly contextLength: number;
  readonly #options: TinkerEngineOptions;
  readonly #can: Capabilities;
  readonly #paths: CheckpointPaths;
  #session: Session;
  #model: TrainingModel;
  /** What the live weights are: a checkpoint, or the model as it was made; absent once they have been trained. */
  #origin: Origin | undefined = untouched;
  #restoring: Promise<void> | undefined;
  /** At most one: the sampling session on the live weights, while they have not changed. */
  readonly #samplers = new Map<"live", Promise<string>>();
  readonly #frozen: FrozenScorer;
  #held: HeldSequence[] = [];
  #accumulated = 0;
  #disposed = false;

  private constructor(options: TinkerEngineOptions, session: Session, model: TrainingModel) {
    this.#options = options;
    this.#can = capabilities[options.kind];
    this.#session = session;
    this.#model = model;
    this.#paths = options.paths ?? new Map();
    this.#frozen = new FrozenScorer(options.kind, this.#paths, modelRequest(options), referenceOf(options));
    this.tokenizer = options.tokenizer;
    this.contextLength = options.contextLength;
  }

  static async connect(options: TinkerEngineOptions, { checkTokenizer = true } = {}): Promise<TinkerEngine> {
    const { firstPatienceSeconds, ...later } = options;
    // A session of its own, so that what opens next has the patience of a run that is under way.
    if (firstPatienceSeconds !== undefined)
      await (await openSession({ ...later, patienceSeconds: firstPatienceSeconds })).close();
    const { session, model } = await begin(options, checkTokenizer);
    return new TinkerEngine(options, session, model);
  }

  // ---- Sampling ----------------------------------------------------------------------------------------------------

  async sample(
    requests: readonly SampleRequest[],
    options: { readonly signal?: AbortSignal; readonly onSample?: (index: number, sample: Sample) => void } = {},
  ): Promise<Sample[]> {
    this.#use(options.signal);
    checkRequests(requests, this);
    if (requests.some(({ stopStrings }) => stopStrings?.length))
      throw new EngineError("stop strings cannot be had here: the Tinker protocol stops at tokens, give stopTokens");
    const samples = new Array<Sample>(requests.length);
    await inParallel(requests, samplesInFlight, options.signal, async (request, index, signal) => {
      const parameters = {
        max_tokens: Math.min(request.maxTokens, this.contextLength - request.prompt.length),
        temperature: request.temperature,
        top_p: request.topP ?? 1,
        top_k: request.topK ?? -1,
        seed: request.seed % (largestSeeds[this.#can.seeds] + 1),
        stop: stopTokensOf(request, this.tokenizer),
      };
      const reply = await this.#live(() =>
        whileKept(
          () => kept(this.#samplers, "live", () => this.#session.samplingSessionOf(this.#model)),
          () => this.#samplers.clear(),
          (session) => this.#session.sample(session, request.prompt, parameters, { signal }),
        ),
      );
      samples[index] = this.#sampleOf(reply.sequences[0], request);
      options.onSample?.(index, samples[index]);
    });
    return samples;
  }

  #sampleOf(sequence: SampleReply["sequences"][number], request: SampleRequest): Sample {
    const { tokens, logprobs, temperedLogprobs, stopped } = sequence;
    const stop = stopTokensOf(request, this.tokenizer);
    const spoken = stop.includes(tokens[tokens.length - 1]) ? tokens.slice(0, -1) : tokens;
    // At temperature 1 both are the same; elsewhere a server gives one of them, and the other is not known.
    const plain = request.temperature === 1;
    const unknown = () => tokens.map(() => Number.NaN);
    const raw = this.#can.sampledLogprobs === "raw";
    return {
      tokens,
      text: this.tokenizer.decode(spoken),
      logprobs: plain || raw ? logprobs : unknown(),
      temperedLogprobs: temperedLogprobs ?? (plain || !raw ? logprobs : unknown()),
      finish: stopped ? "stop" : "length",
    };
  }

  // ---- Scoring and training ----------------------------------------------------------------------------------------

  async logprobs(
    sequences: readonly TokenSequence[],
    options: ScoringOptions & { readonly checkpoint?: string } = {},
  ): Promise<SequenceScores[]> {
    this.#use(options.signal);
    checkSequences(sequences, this);
    const { checkpoint } = options;
    if (checkpoint !== undefined)
      return this.#orLost(() => this.#frozen.logprobs(this.#session, sequences, checkpoint, options));
    return this.#score(sequences, options);
  }

  async accumulate(batch: readonly WeightedSequence[], options: PassOptions = {}): Promise<SequenceScores[]> {
    this.#use(options.signal);
    checkSequences(batch, this);
    this.#accumulated += batch.length;
    if (batch.length > 0) this.#origin = undefined;
    if (this.#can.reduction === "token-sum") {
      const data = batch.map((sequence, i) => this.#datum(sequence, sequence.weights, options.entropyWeights?.[i]));
      return this.#pass(batch, data, "cross_entropy", options, false);
    }
    const scores = await this.#score(batch, options);
    for (const [i, sequence] of batch.entries()) this.#held.push({ sequence, logprobs: scores[i].logprobs });
    return scores;
  }

  /** The gradients of what was held back: at ratio 1, importance sampling has the gradient Σ advantage · ∇ logprob. */
  async #sendHeld(): Promise<void> {
    const held = this.#held;
    const data = held.map(({ sequence, logprobs }): Datum => {
      const { tokens, targets } = shifted(sequence);
      // The server divides by the length of each sequence and by their number: both are put back here.
      const scale = tokens.length * held.length;
      const advantages = padded(
        sequence,
        Float32Array.from(sequence.weights, (weight) => weight * scale),
      );
      return { tokens, targets, floats: { logprobs: padded(sequence, logprobs), advantages } };
    });
    await this.#pass(
      held.map(({ sequence }) => sequence),
      data,
      "importance_sampling",
      {},
      false,
    );
    this.#held = [];
  }

  #score(sequences: readonly TokenSequence[], options: ScoringOptions): Promise<SequenceScores[]> {
    const data = sequences.map((sequence) => this.#datum(sequence));
    return this.#pass(sequences, data, "cross_entropy", options, true);
  }

  async #pass(
    sequences: readonly TokenSequence[],
    data: readonly Datum[],
    lossFunction: Pass["lossFunction"],
    options: PassOptions,
    forwardOnly: boolean,
  ): Promise<SequenceScores[]> {
    const { entropies, signal } = options;
    const lossOptions = this.#lossOptions(options);
    const request = { sequences, data, lossFunction, lossOptions, forwardOnly, entropies, signal };
    return this.#live(() => runPass(this.#model, request));
  }

  #lossOptions({ temperature = 1, entropies, entropyWeights }: PassOptions): Record<string, number> {
    const lossOptions: Record<string, number> = {};
    if (!this.#can.extendedScoring) {
      if (temperature !== 1) throw scoresAtOneOnly(this.#options.kind);
      if (entropyWeights !== undefined)
        throw new EngineError(
          `a ${this.#options.kind} server gives no gradient of the entropy; use the sampled-token form`,
        );
      return lossOptions;
    }
    if (temperature !== 1) lossOptions.temperature = temperature;
    if (entropies) lossOptions.entropies = 1;
    return lossOptions;
  }

  #datum(sequence: TokenSequence, weights?: ArrayLike<number>, entropyWeights?: ArrayLike<number>): Datum {
    const floats: Record<string, ArrayLike<number>> = { weights: padded(sequence, weights) };
    if (entropyWeights !== undefined) floats.entropy_weights = padded(sequence, entropyWeights);
    if (this.#can.extendedScoring) floats.scored_from = [sequence.promptLength - 1];
    return { ...shifted(sequence), floats };
  }

  async step(optimizer: OptimizerStep): Promise<{ readonly gradientNorm: number }> {
    this.#use();
    checkAccumulated(this.#accumulated);
    if (this.#held.length > 0) await this.#sendHeld();
    const { maxGradientNorm = 0, ...adam } = { ...defaultOptimizer, ...optimizer };
    const metrics = await this.#live(() => this.#model.step({ ...adam, maxGradientNorm }));
    this.#accumulated = 0;
    this.#samplers.clear();
    // A decay that reaches every model on the server has moved the reference, too: it is loaded again.
    if (adam.weightDecay > 0 && this.#can.weightDecayReach === "all-models") await this.#frozen.forget();
    const norm = Object.entries(metrics).find(([name]) => /grad(ient)?_?norm/.test(name))?.[1];
    return { gradientNorm: norm ?? Number.NaN };
  }

  // ---- Checkpoints -------------------------------------------------------------------------------------------------

  async save(name: string): Promise<void> {
    this.#use();
    const { samplesFromTrainingWeights, frozenCheckpoints } = this.#can;
    const serverName = this.#paths.serverName?.(name) ?? name;
    const saved = await this.#live(async () => {
      const path = await this.#model.saveWeights(serverName);
      if (samplesFromTrainingWeights || frozenCheckpoints === "over-live-weights") return { path };
      return { path, sampler: await this.#model.saveSamplerWeights(serverName) };
    });
    await this.#frozen.forget(name);
    await this.#paths.set(name, saved);
    if (this.#accumulated === 0) this.#origin = { checkpoint: name, optimizer: "kept" };
  }

  /** Adds the adapter of a checkpoint to the weights it was trained over, on the server; returns the path of the result. */
  mergeAdapter(name: string): Promise<string> {
    this.#use();
    return this.#live(() => this.#model.mergeWeights(this.#pathOf(name)));
  }

  readonly #pathOf = (name: string): string => this.#paths.get(name)?.path ?? name;

  /** Servers load weights only into a model that has done nothing yet, so a fresh one takes the old one's place. */
  async load(name: string, { optimizer = "kept" }: { readonly optimizer?: OptimizerState } = {}): Promise<void> {
    this.#use();
    const old = this.#model;
    const { severalModels } = this.#can;
    if (!severalModels) await old.unload();
    const fresh = await this.#orLost(() => newModel(this.#session, this.#options));
    try {
      await this.#orLost(() => this.#loadInto(fresh, name, optimizer));
    } catch (error) {
      // With room for several, the weights that were live stay so.
      if (severalModels) await fresh.unload();
      else this.#takeOver(fresh, untouched);
      throw error;
    }
    this.#takeOver(fresh, { checkpoint: name, optimizer });
    if (severalModels) await old.unload();
  }

  /** A checkpoint that the server does not have is named; that is another matter than a model that it has lost. */
  async #loadInto(model: TrainingModel, name: string, optimizer: OptimizerState): Promise<void> {
    const path = this.#pathOf(name);
    try {
      await model.loadWeights(path, optimizer);
    } catch (error) {
      const named = error instanceof RefusedRequestError || error instanceof LostRequestError;
      if (!named || (error instanceof LostRequestError && !isMissingCheckpoint(error))) throw error;
      throw new EngineError(`${this.#options.url} has no checkpoint ${JSON.stringify(name)}: ${error.message}`);
    }
  }

  #takeOver(model: TrainingModel, origin: Origin): void {
    this.#model = model;
    this.#origin = origin;
    this.#samplers.clear();
    this.#accumulated = 0;
    this.#held = [];
  }

  // ---- When the server forgot --------------------------------------------------------------------------------------

  /** Runs what needs the live weights. If the server lost them they come back from where they were saved, unless they have
   * been trained since: then only the caller knows what to do again. */
  async #live<T>(work: () => Promise<T>): Promise<T> {
    const session = this.#session;
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LostRequestError)) throw error;
      if (this.#origin === undefined) throw lost(error);
      // Of many requests that fail together, the first restores for all.
      if (this.#session === session) await (this.#restoring ??= this.#restore(this.#origin));
      return this.#orLost(work);
    }
  }

  async #orLost<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof LostRequestError ? lost(error) : error;
    }
  }

  async #restore({ checkpoint, optimizer }: Origin): Promise<void> {
    try {
      const { session, model } = await begin(this.#options);
      if (checkpoint !== undefined) await this.#orLost(() => model.loadWeights(this.#pathOf(checkpoint), optimizer));
      const old = this.#session;
      this.#session = session;
      this.#model = model;
      this.#samplers.clear();
      await this.#frozen.forget();
      await old.close();
      const from = checkpoint === undefined ? "begun with the model as it is" : `loaded ${checkpoint}`;
      this.#options.emit?.(`${this.#options.url} had lost the weights: connected again and ${from}`);
    } finally {
      this.#restoring = undefined;
    }
  }

  #use(signal?: AbortSignal): void {
    if (this.#disposed) throw new EngineError("this engine has been disposed of; connect again");
    signal?.throwIfAborted();
  }

  async dispose(): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    await this.#model.unload();
    await this.#frozen.close();
    await this.#session.close();
  }
}

const lost = (error: LostRequestError) =>
  new WeightsLostError(`the server no longer has the weights in training (${error.message})`);

function openSession(options: TinkerEngineOptions): Promise<Session> {
  const { url, key, patienceSeconds = 600, futureSeconds = 12 * 3600, emit, signal } = options;
  return Session.open({ url, key, patienceSeconds, futureSeconds, emit, signal });
}

/** The second server, opened when it is first asked. */
function referenceOf(options: TinkerEngineOptions) {
  const { reference } = options;
  if (reference === undefined) return undefined;
  return { ...reference, open: () => openSession({ ...options, url: reference.url, key: reference.key }) };
}

async function begin(
  options: TinkerEngineOptions,
  checkTokenizer = false,
): Promise<{ session: Session; model: TrainingModel }> {
  const session = await openSession(options);
  try {
    if (checkTokenizer && options.kind === "repertoire") await session.checkTokenizer(options.tokenizer);
    return { session, model: await newModel(session, options) };
  } catch (error) {
    await session.close();
    throw error;
  }
}

function modelRequest({ kind, baseModel, loraRank, loraAlpha, seed, baseWeights }: TinkerEngineOptions): ModelRequest {
  const chosen = capabilities[kind].loraAlpha === "chosen" ? loraAlpha : undefined;
  return { baseModel, loraRank, loraAlpha: chosen, seed, baseWeights };
}

async function newModel(session: Session, options: TinkerEngineOptions): Promise<TrainingModel> {
  const request = modelRequest(options);
  if (capabilities[options.kind].newModels === "with-old-gradients") await session.clearPlace(request);
  return session.createModel(request);
}
