// The engine in this process: a model that trains and samples on this machine's processor, in worker threads. Small
// models run as one replica per core, each on its own share of a batch; large ones as one replica on all cores.
import { availableParallelism, totalmem } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { ConfigurationError, EngineError } from "../../base/errors.ts";
import type { AcceptDamage, DamageOptions } from "../../base/integrity.ts";
import { turnOffTelemetry } from "../../base/no-telemetry.ts";
import type {
  Engine,
  OptimizerStep,
  Sample,
  SampleRequest,
  ScoringOptions,
  SequenceScores,
  Tokenizer,
  TokenSequence,
  WeightedSequence,
} from "../engine.ts";
import { checkAccumulated, checkRequests, checkSequences } from "../refusals.ts";
import { loadTokenizer, type ModelTokenizer } from "../tokenizer.ts";
import { checkCheckpoint, readConfig } from "./checkpoint/model-folder.ts";
import { type Adapters, adapterTargets, checkAdapters } from "./model/adapters.ts";
import type { DecoderConfig } from "./model/decoder-config.ts";
import { weightCount } from "./model/parameters.ts";
import { CanceledError, type CancelFlag, ReplicaThread } from "./replica-thread.ts";
import type { SharedTensors } from "./runtime/trained-tensors.ts";

export type EmbeddedEngineOptions = {
  /** A Hugging Face folder, or a new model's config and tokenizer. */
  readonly model: { readonly folder: string } | { readonly config: DecoderConfig; readonly tokenizer: ModelTokenizer };
  /** Where `save` and `load` keep checkpoints. */
  readonly checkpoints: string;
  /** Draws the weights of a new model and of new adapters. */
  readonly seed?: number | string;
  /** Train low-rank adapters instead of all weights. */
  readonly lora?: { readonly rank: number; readonly alpha: number; readonly targets?: Adapters["targets"] };
  /** Cores to use; all of them unless said. */
  readonly threads?: number;
  /** Replicas that share the threads: unless said, one per thread, or as many as fit into an eighth of the memory. */
  readonly replicas?: number;
  /** Responses that grow at the same time, over all replicas; unless said, 32 to 96 for each, by the memory that they take. */
  readonly slots?: number;
  /** Hears of damaged checkpoints that are loaded all the same; without it they are refused. */
  readonly acceptDamage?: AcceptDamage;
};

export async function createEmbeddedEngine(options: EmbeddedEngineOptions): Promise<EmbeddedEngine> {
  turnOffTelemetry();
  const threads = options.threads ?? availableParallelism();
  const damage = { accept: options.acceptDamage };
  if ("folder" in options.model) await checkCheckpoint(options.model.folder, damage);
  const tokenizer = "folder" in options.model ? await loadTokenizer(options.model.folder) : options.model.tokenizer;
  const config = "folder" in options.model ? await readConfig(options.model.folder) : options.model.config;
  const replicas = Math.min(options.replicas ?? fittingReplicas(config, threads), threads);
  const slots = options.slots ?? fittingSlots(config) * replicas;
  if (!(Number.isInteger(threads) && threads >= 1 && Number.isInteger(replicas) && replicas >= 1)) {
    throw new ConfigurationError(`an engine needs at least one thread and one replica, not ${threads} and ${replicas}`);
  }
  if (options.lora !== undefined && !("folder" in options.model)) {
    throw new ConfigurationError("adapters need a saved base model; give model.folder");
  }
  const adapters =
    options.lora === undefined
      ? undefined
      : checkAdapters({ ...options.lora, targets: options.lora.targets ?? adapterTargets });
  const lanes = lanesOf(config, replicas);
  const workers = Array.from({ length: replicas }, () => new ReplicaThread());
  try {
    const created = await Promise.all(
      workers.map((worker, index) =>
        worker.call("create", {
          model:
            "folder" in options.model
              ? { folder: resolve(options.model.folder) }
              : { config: options.model.config.source, tokenizer: options.model.tokenizer.files },
          seed: options.seed ?? 0,
          adapters,
          threads: Math.max(1, Math.floor(threads / replicas)),
          slots: Math.ceil(slots / replicas),
          place: { index, count: replicas, lanes },
        }),
      ),
    );
    const { contextLength, trainedCount } = created[0];
    const checkpoints = resolve(options.checkpoints);
    const { vocabularySize } = config;
    return new EmbeddedEngine(workers, tokenizer, {
      ...{ contextLength, vocabularySize, trainedCount, checkpoints, slots, damage, lanes },
    });
  } catch (error) {
    await Promise.all(workers.map((worker) => worker.terminate()));
    throw error;
  }
}

/** Weights, gradient, momentum, variance, and the gradient once more where the others read it. */
const bytesPerWeight = 20;

function fittingReplicas(config: DecoderConfig, threads: number): number {
  const bytes = weightCount(config) * bytesPerWeight;
  return Math.max(1, Math.min(threads, Math.floor(totalmem() / 8 / bytes)));
}

/** More at once leave fewer runs of responses of different lengths. */
function fittingSlots({ layers, keyHeads, headSize, contextLength }: DecoderConfig): number {
  const bytes = 4 * 2 * layers.length * keyHeads * headSize * contextLength;
  return Math.max(32, Math.min(96, 32 * Math.floor(2 ** 28 / bytes / 32)));
}

/**
 * Into how many lanes a batch is divided, each with a gradient of its own. As many for every number of replicas where their gradients are
 * small, so that what is learned does not depend on the number of cores; else one for each replica.
 */
function lanesOf(config: DecoderConfig, replicas: number): number {
  const usual = 8;
  const affordable = 4 * weightCount(config) * usual <= 2 ** 28;
  return affordable ? usual : replicas;
}

/** What an engine knows of its model and of its replicas. */
type Made = {
  readonly contextLength: number;
  readonly vocabularySize: number;
  readonly trainedCount: number;
  readonly checkpoints: string;
  readonly slots: number;
  readonly damage: DamageOptions;
  readonly lanes: number;
};

export class EmbeddedEngine implements Engine {
  readonly tokenizer: Tokenizer;
  readonly contextLength: number;
  readonly #workers: readonly ReplicaThread[];
  readonly #made: Made;
  /** Room for the gradient of each lane, where all can read it; none for a single replica. */
  readonly #shared: readonly SharedTensors[];
  /** Folders of frozen models whose files were those that were written. */
  readonly #checked = new Set<string>();
  #rounds = 0;
  /** Sequences since the last step. */
  #accumulated = 0;
  /** Verbs run one after another. */
  #queue: Promise<unknown> = Promise.resolve();
  #disposed = false;

  constructor(workers: readonly ReplicaThread[], tokenizer: Tokenizer, made: Made) {
    this.#workers = workers;
    this.tokenizer = tokenizer;
    this.contextLength = made.contextLength;
    this.#made = made;
    const room = () => new Float32Array(new SharedArrayBuffer(4 * made.trainedCount));
    this.#shared = workers.length === 1 ? [] : Array.from({ length: made.lanes }, room);
  }

  sample(
    requests: readonly SampleRequest[],
    options: { readonly signal?: AbortSignal; readonly onSample?: (index: number, sample: Sample) => void } = {},
  ): Promise<Sample[]> {
    return this.#exclusive(options.signal, async (cancel) => {
      checkRequests(requests, this.#made);
      const round = this.#rounds++;
      const samples = new Array<Sample>(requests.length);
      let given = 0;
      const offer = (worker: ReplicaThread, count: number) => {
        if (given === requests.length && count > 0) return;
        const from = given;
        given = Math.min(given + count, requests.length);
        const taken = requests.slice(from, given).map((request, i) => ({ index: from + i, request }));
        worker.offer(round, taken, false);
        if (given === requests.length) for (const each of this.#workers) each.offer(round, [], true);
      };
      const stop = () => {
        Atomics.store(cancel, 0, 1);
        for (const worker of this.#workers) worker.offer(round, [], true);
      };
      options.signal?.addEventListener("abort", stop);
      const drawing = this.#workers.map((worker) => {
        worker.onSample = (index, sample) => {
          samples[index] = sample;
          options.onSample?.(index, sample);
          offer(worker, 1);
        };
        return worker.call("sample", round, cancel);
      });
      // Everybody has begun, so nobody misses an offer. One request at a time after the first helping, so that no
      // replica is left with work long after the others.
      const helping = Math.ceil(
        Math.min(requests.length / this.#workers.length, this.#made.slots / this.#workers.length),
      );
      for (const worker of this.#workers) offer(worker, helping);
      if (requests.length === 0) for (const worker of this.#workers) worker.offer(round, [], true);
      await settled(drawing, stop);
      options.signal?.removeEventListener("abort", stop);
      options.signal?.throwIfAborted();
      return samples;
    });
  }

  logprobs(
    sequences: readonly TokenSequence[],
    options: ScoringOptions & { readonly checkpoint?: string } = {},
  ): Promise<SequenceScores[]> {
    return this.#exclusive(options.signal, async (cancel) => {
      checkSequences(sequences, this.#made);
      const folder = options.checkpoint === undefined ? undefined : this.#folder(options.checkpoint);
      if (folder !== undefined && !this.#checked.has(folder)) {
        await checkCheckpoint(folder, this.#made.damage);
        this.#checked.add(folder);
      }
      return this.#spread(sequences, (worker, members) =>
        worker.call(
          "score",
          members.map((i) => plain(sequences[i])),
          { temperature: options.temperature ?? 1, entropies: options.entropies ?? false, folder },
          cancel,
        ),
      );
    });
  }

  accumulate(
    batch: readonly WeightedSequence[],
    options: ScoringOptions & { readonly entropyWeights?: readonly ArrayLike<number>[] } = {},
  ): Promise<SequenceScores[]> {
    const { entropyWeights, temperature = 1 } = options;
    const entropies = options.entropies || entropyWeights !== undefined;
    return this.#exclusive(options.signal, async (cancel) => {
      checkSequences(batch, this.#made);
      try {
        this.#accumulated += batch.length;
        return await this.#spread(batch, (worker, members, lane) =>
          worker.call(
            "accumulate",
            members.map((i) => plain(batch[i])),
            {
              logprob: members.map((i) => batch[i].weights),
              ...(entropies && {
                entropy: members.map((i) => entropyWeights?.[i] ?? new Float32Array(batch[i].weights.length)),
              }),
            },
            { temperature, entropies, names: members, lane },
            cancel,
          ),
        );
      } catch (error) {
        // Part of the batch may have been added; a gradient of unknown parts is worse than none.
        await this.#forgetGradient();
        throw error;
      }
    });
  }

  step(optimizer: OptimizerStep): Promise<{ readonly gradientNorm: number }> {
    return this.#exclusive(undefined, async () => {
      checkAccumulated(this.#accumulated);
      this.#accumulated = 0;
      const shared = this.#shared;
      try {
        if (shared.length > 0) await this.#all((worker) => worker.call("shareGradient", shared));
        const parts = await this.#all((worker) => worker.call("addUpGradient", shared));
        // In the order of tensors, whoever owns them.
        const squares = parts.flatMap((part) => [...part]).sort(([a], [b]) => a - b);
        const gradientNorm = Math.sqrt(squares.reduce((sum, [, part]) => sum + part, 0));
        // The gradients have been read; their place serves for the weights.
        const [meeting] = shared;
        await this.#all((worker) => worker.call("update", optimizer, gradientNorm, meeting));
        if (meeting !== undefined) await this.#all((worker) => worker.call("takeWeights", meeting));
        return { gradientNorm };
      } catch (error) {
        await this.#forgetGradient();
        throw error;
      }
    });
  }

  async #forgetGradient(): Promise<void> {
    this.#accumulated = 0;
    await this.#all((worker) => worker.call("forgetGradient"));
  }

  save(name: string): Promise<void> {
    return this.#exclusive(undefined, async () => {
      const folder = this.#folder(name);
      const [momentum, variance] = this.#shared;
      const shared = momentum === undefined ? undefined : { momentum, variance };
      if (shared !== undefined) await this.#all((worker) => worker.call("shareMoments", shared));
      // The replicas are equal, so one of them speaks for all.
      await this.#workers[0].call("save", folder, shared);
      this.#checked.delete(folder);
      await this.#all((worker) => worker.call("forgetFrozen", folder));
    });
  }

  load(name: string): Promise<void> {
    return this.#exclusive(undefined, async () => {
      const folder = this.#folder(name);
      await checkCheckpoint(folder, this.#made.damage);
      await this.#all((worker) => worker.call("load", folder));
      this.#accumulated = 0;
    });
  }

  /** Writes the model alone, adapters folded in, as a Hugging Face folder that other programs load. */
  exportModel(folder: string): Promise<void> {
    return this.#exclusive(undefined, async () => {
      await this.#workers[0].call("exportModel", resolve(folder));
    });
  }

  async dispose(): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    await this.#queue.catch(() => {});
    await Promise.all(this.#workers.map((worker) => worker.call("dispose").catch(() => {})));
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  /** Asks every replica, and waits for all of them even where one fails. */
  async #all<T>(ask: (worker: ReplicaThread, index: number) => Promise<T>): Promise<T[]> {
    const answers = new Array<T>(this.#workers.length);
    await settled(
      this.#workers.map(async (worker, i) => {
        answers[i] = await ask(worker, i);
      }),
    );
    return answers;
  }

  /** A checkpoint's name, or the path of any model folder. */
  #folder(name: string): string {
    if (isAbsolute(name)) return name;
    if (name === "" || name.startsWith(".") || /[\\]/.test(name)) {
      throw new EngineError(`a checkpoint cannot be called ${JSON.stringify(name)}; use letters, digits, - and _`);
    }
    return join(this.#made.checkpoints, name);
  }

  #exclusive<T>(signal: AbortSignal | undefined, work: (cancel: CancelFlag) => Promise<T>): Promise<T> {
    if (this.#disposed) {
      return Promise.reject(new EngineError("this engine has been disposed of; make a new one"));
    }
    const turn = this.#queue.then(async () => {
      signal?.throwIfAborted();
      const cancel = new Int32Array(new SharedArrayBuffer(4));
      const abort = () => Atomics.store(cancel, 0, 1);
      signal?.addEventListener("abort", abort);
      try {
        return await work(cancel);
      } catch (error) {
        if (error instanceof CanceledError) throw signal?.reason ?? error;
        throw error;
      } finally {
        signal?.removeEventListener("abort", abort);
      }
    });
    this.#queue = turn.catch(() => {});
    return turn;
  }

  /**
   * Divides sequences into lanes of about equal length, which the replicas take in turn, and puts the answers back in order. Scoring goes by
   * lanes as well: how a sum over a row is rounded depends on where the row lies among those that share its run.
   */
  async #spread(
    sequences: readonly TokenSequence[],
    run: (worker: ReplicaThread, members: readonly number[], lane: number) => Promise<SequenceScores[]>,
  ): Promise<SequenceScores[]> {
    const lanes = Array.from({ length: this.#made.lanes }, () => ({ members: [] as number[], tokens: 0 }));
    const order = sequences.map((_, i) => i).sort((a, b) => sequences[b].tokens.length - sequences[a].tokens.length);
    for (const i of order) {
      const lightest = lanes.reduce((least, lane) => (lane.tokens < least.tokens ? lane : least));
      lightest.members.push(i);
      lightest.tokens += sequences[i].tokens.length;
    }
    const scores = new Array<SequenceScores>(sequences.length);
    await settled(
      this.#workers.map(async (worker, index) => {
        for (let lane = index; lane < lanes.length; lane += this.#workers.length) {
          const { members } = lanes[lane];
          if (members.length === 0) continue;
          const own = await run(worker, members, lane);
          members.forEach((i, place) => {
            scores[i] = own[place];
          });
        }
      }),
    );
    return scores;
  }
}

/** Waits for all, calls `failed` at the first failure, and throws what caused it. */
async function settled(work: readonly Promise<unknown>[], failed: () => void = () => {}): Promise<void> {
  let cause: unknown;
  await Promise.all(
    work.map((each) =>
      each.catch((error: unknown) => {
        if (cause === undefined || cause instanceof CanceledError) cause = error;
        failed();
      }),
    ),
  );
  if (cause !== undefined) throw cause;
}

/** Only what crosses to the worker: callers may hold more in their records. */
const plain = ({ tokens, promptLength }: TokenSequence): TokenSequence => ({ tokens, promptLength });
