// Runs the scoring and training graphs over sequences of any lengths, one micro-batch after another.
import { EngineError } from "../../../base/errors.ts";
import type { SequenceScores, TokenSequence } from "../../engine.ts";
import type { Adapters } from "../model/adapters.ts";
import type { DecoderConfig } from "../model/decoder-config.ts";
import { embeddingName } from "../model/parameters.ts";
import { gradientName, scoringGraph, sumName, trainableSpecs, trainingGraph } from "../model/sequence-graphs.ts";
import { type Feeds, Session, type TensorMaker } from "../onnx/session.ts";
import type { AttentionInputs } from "./attention-inputs.ts";

type PassOptions = {
  readonly temperature: number;
  readonly entropies: boolean;
  /** Throws where the work is no longer wanted; asked before every run. */
  readonly checkpoint: () => void;
};

export type PassWeights = {
  readonly logprob: readonly ArrayLike<number>[];
  readonly entropy?: readonly ArrayLike<number>[];
};

/** About this many rows fill the matrix units and still fit the caches. */
const defaultRowsPerRun = 1024;

/** Logits are kept several times over; runs of models with large vocabularies are shorter. */
const maxLogits = 32_000_000;

type RunnerOptions = {
  readonly config: DecoderConfig;
  readonly adapters?: Adapters;
  readonly threads: number;
  readonly rowsPerRun?: number;
  readonly tensors: TensorMaker;
  readonly attention: AttentionInputs;
};

export class SequenceRunner {
  readonly #options: RunnerOptions;
  readonly #sessions = new Map<string, Promise<Session>>();

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  async score(weights: Feeds, sequences: readonly TokenSequence[], options: PassOptions): Promise<SequenceScores[]> {
    const scores = new Array<SequenceScores>(sequences.length);
    for (const batch of this.#plan(sequences)) {
      options.checkpoint();
      const { blocks } = attentionPlan(batch.length);
      const session = await this.#session(`score ${blocks} ${options.entropies}`, () =>
        scoringGraph({ ...this.#options, blocks, entropies: options.entropies }),
      );
      const feeds = { ...weights, ...this.#feeds(batch, blocks, sequences, options.temperature) };
      const outputs = await session.run(feeds, options.entropies ? ["logprobs", "entropies"] : ["logprobs"]);
      collect(scores, batch, sequences, outputs.logprobs.data, outputs.entropies?.data);
    }
    return scores;
  }

  /** Adds to `sums`, one tensor for each trainable parameter; `describe` names a sequence in errors. */
  async accumulate(
    weights: Feeds,
    sums: ReadonlyMap<string, { readonly data: Float32Array; readonly shape: readonly number[] }>,
    sequences: readonly TokenSequence[],
    tokenWeights: PassWeights,
    options: PassOptions & { readonly describe: (sequence: number) => string },
  ): Promise<SequenceScores[]> {
    const scores = new Array<SequenceScores>(sequences.length);
    const { entropies } = options;
    const { config, adapters, tensors } = this.#options;
    const sumTensors: Feeds = {};
    const gradientTensors: Feeds = {};
    for (const { name } of trainableSpecs(config, adapters)) {
      if (adapters === undefined && !config.tied && name === embeddingName) continue;
      const sum = sums.get(name);
      if (sum === undefined) throw new Error(`no gradient is kept for ${name}`);
      const tensor = tensors.float(sum.data, sum.shape);
      sumTensors[sumName(name)] = tensor;
      gradientTensors[gradientName(name)] = tensor;
    }
    for (const batch of this.#plan(sequences)) {
      options.checkpoint();
      const { blocks, probabilities } = attentionPlan(batch.length);
      const session = await this.#session(`train ${blocks} ${probabilities} ${entropies}`, () =>
        trainingGraph({ ...this.#options, blocks, probabilities, entropies }),
      );
      const feeds = {
        ...weights,
        ...sumTensors,
        ...this.#feeds(batch, blocks, sequences, options.temperature),
        weights: this.#column(batch, tokenWeights.logprob),
        ...(tokenWeights.entropy && { entropyWeights: this.#column(batch, tokenWeights.entropy) }),
      };
      const wanted = ["logprobs"];
      if (entropies) wanted.push("entropies");
      if (adapters === undefined) wanted.push("embeddedGradient");
      const outputs = await session.run(feeds, wanted, gradientTensors);
      collect(scores, batch, sequences, outputs.logprobs.data, outputs.entropies?.data);
      for (const i of batch.members) {
        if (!scores[i].logprobs.every(Number.isFinite)) {
          throw new EngineError(`a log-probability of ${options.describe(i)} is not finite; lower the learning rate`);
        }
      }
      if (outputs.embeddedGradient !== undefined) {
        const table = sums.get(embeddingName) as { readonly data: Float32Array };
        const gradient = outputs.embeddedGradient.data as Float32Array;
        scatterRows(table.data, gradient, config.width, batch, sequences, options.describe);
      }
    }
    return scores;
  }

  async dispose(): Promise<void> {
    const sessions = await Promise.all(this.#sessions.values());
    this.#sessions.clear();
    for (const session of sessions) await session.dispose();
  }

  #plan(sequences: readonly TokenSequence[]): MicroBatch[] {
    const { vocabularySize } = this.#options.config;
    // The last token is predicted but predicts nothing.
    const lengths = sequences.map(({ tokens }) => tokens.length - 1);
    const { rowsPerRun = defaultRowsPerRun } = this.#options;
    const batches = microBatches(lengths, Math.min(rowsPerRun, Math.ceil(maxLogits / vocabularySize)));
    return batches.filter(({ length }) => length > 0);
  }

  async #session(key: string, graph: () => Parameters<typeof Session.create>[0]): Promise<Session> {
    let session = this.#sessions.get(key);
    if (session === undefined) {
      session = Session.create(graph(), { threads: this.#options.threads });
      this.#sessions.set(key, session);
    }
    return session;
  }

  #feeds(batch: MicroBatch, blocks: number, sequences: readonly TokenSequence[], temperature: number): Feeds {
    const { tensors, attention } = this.#options;
    const { members, length } = batch;
    const tokens = new Int32Array(members.length * length);
    const selected: number[] = [];
    const targets: number[] = [];
    members.forEach((i, row) => {
      const sequence = sequences[i];
      for (let t = 0; t + 1 < sequence.tokens.length; t++) tokens[row * length + t] = sequence.tokens[t];
      for (let t = sequence.promptLength; t < sequence.tokens.length; t++) {
        selected.push(row * length + t - 1);
        targets.push(sequence.tokens[t]);
      }
    });
    return {
      ...attention.forLength(length, blocks),
      tokens: tensors.int32(tokens, [members.length, length]),
      selected: tensors.integers(selected, [selected.length]),
      targets: tensors.int32(Int32Array.from(targets), [targets.length, 1]),
      inverseTemperature: tensors.float(Float32Array.of(1 / temperature), []),
    };
  }

  /** The numbers that belong to the response tokens of a batch, in the order of its selected rows. */
  #column(batch: MicroBatch, values: readonly ArrayLike<number>[]) {
    const column: number[] = [];
    for (const i of batch.members) {
      const given = values[i];
      for (let t = 0; t < given.length; t++) column.push(given[t]);
    }
    return this.#options.tensors.float(Float32Array.from(column), [column.length, 1]);
  }
}

/** Attention of short sequences is not worth cutting; that of long ones is not worth keeping. */
function attentionPlan(length: number): { blocks: number; probabilities: "keep" | "recompute" } {
  if (length <= 96) return { blocks: 1, probabilities: "keep" };
  if (length <= 1024) return { blocks: 3, probabilities: "keep" };
  return { blocks: 16, probabilities: "recompute" };
}

function collect(
  scores: SequenceScores[],
  batch: MicroBatch,
  sequences: readonly TokenSequence[],
  logprobs: unknown,
  entropies: unknown,
): void {
  let at = 0;
  for (const i of batch.members) {
    const end = at + sequences[i].tokens.length - sequences[i].promptLength;
    scores[i] = {
      logprobs: (logprobs as Float32Array).slice(at, end),
      ...(entropies === undefined ? {} : { entropies: (entropies as Float32Array).slice(at, end) }),
    };
    at = end;
  }
}

function scatterRows(
  table: Float32Array,
  gradient: Float32Array,
  width: number,
  batch: MicroBatch,
  sequences: readonly TokenSequence[],
  describe: (sequence: number) => string,
): void {
  batch.members.forEach((i, row) => {
    const { tokens } = sequences[i];
    let total = 0;
    for (let t = 0; t + 1 < tokens.length; t++) {
      const from = (row * batch.length + t) * width;
      const to = tokens[t] * width;
      for (let j = 0; j < width; j++) {
        table[to + j] += gradient[from + j];
        total += gradient[from + j];
      }
    }
    if (!Number.isFinite(total)) {
      throw new EngineError(`the gradient of ${describe(i)} is not finite; lower the learning rate`);
    }
  });
}

// ---- Micro-batches -------------------------------------------------------------------------------------------------
// Neighbors in length share a run, so that little padding is paid for; a run holds as many rows as suits the caches.

export type MicroBatch = {
  /** Which sequences, by their place in the given list. */
  readonly members: readonly number[];
  /** Rows that each of them takes, the longest rounded up. */
  readonly length: number;
};

/** Lengths are rounded up to this, so that few distinct shapes occur. */
export const lengthStep = 16;

export function microBatches(lengths: readonly number[], rowsPerRun: number): MicroBatch[] {
  const order = lengths.map((_, i) => i).sort((a, b) => lengths[b] - lengths[a] || a - b);
  const batches: MicroBatch[] = [];
  let members: number[] = [];
  let length = 0;
  for (const i of order) {
    if (members.length > 0 && (members.length + 1) * length > rowsPerRun) {
      batches.push({ members, length });
      members = [];
    }
    // Sorted from long to short, so the first member of a run decides its length.
    if (members.length === 0) length = Math.ceil(lengths[i] / lengthStep) * lengthStep;
    members.push(i);
  }
  if (members.length > 0) batches.push({ members, length });
  return batches;
}
