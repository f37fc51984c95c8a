// The engine contract: five verbs that move tensors. Algorithms live above, in TypeScript; any objective of
// log-probabilities is "log-probs out, weights back". Implementations: `embedded/` (this CPU), `tinker/` (a GPU box, a
// cluster, a hosted service). Both pass `conformance.ts`.
import { EngineError } from "../base/errors.ts";

/** The weights in training are gone: their server restarted or forgot them. What was saved can be loaded and gone on from. */
export class WeightsLostError extends EngineError {
  override name = "WeightsLostError";
}

/** Text to tokens and back, the model's own. */
export interface Tokenizer {
  readonly vocabularySize: number;
  readonly endOfText: number;
  /** What the model's own tokenizer puts before every text (Llama's and Gemma's do); `encode` does not. */
  readonly beginning?: readonly number[];
  encode(text: string): number[];
  decode(tokens: readonly number[]): string;
}

export type SampleRequest = {
  readonly prompt: readonly number[];
  /** The same seed gives the same text, whatever else is in the batch. */
  readonly seed: number;
  readonly maxTokens: number;
  /** 0 is greedy. */
  readonly temperature: number;
  readonly topP?: number;
  readonly topK?: number;
  /** What ends a response besides the end of text, which always does. */
  readonly stopTokens?: readonly number[];
  readonly stopStrings?: readonly string[];
};

export type Sample = {
  /** The response, with the stop token if one ended it. */
  readonly tokens: readonly number[];
  readonly text: string;
  /** Log-prob of each token under the plain distribution (temperature 1, nothing cut off). */
  readonly logprobs: readonly number[];
  /** Log-prob of each token under the distribution it was drawn from, tempered (before top-p and top-k). */
  readonly temperedLogprobs: readonly number[];
  readonly finish: "stop" | "length";
};

/** A prompt and what followed it. Log-probs and weights belong to `tokens[promptLength …]`, one each. */
export type TokenSequence = {
  readonly tokens: readonly number[];
  readonly promptLength: number;
};

/** Adds Σ weight · ∇ logprob to the gradient of the objective that `step` ascends. */
export type WeightedSequence = TokenSequence & { readonly weights: ArrayLike<number> };

export type SequenceScores = {
  readonly logprobs: Float32Array;
  /** Entropy in nats of the distribution at each response position, where it was asked for. */
  readonly entropies?: Float32Array;
};

export type ScoringOptions = {
  /** Logits are divided by this before the softmax; 1 unless said. */
  readonly temperature?: number;
  readonly entropies?: boolean;
  readonly signal?: AbortSignal;
};

export type OptimizerStep = {
  readonly learningRate: number;
  readonly beta1?: number;
  readonly beta2?: number;
  readonly epsilon?: number;
  /** Decoupled weight decay, of matrices alone: what has one dimension (the scales of norms, biases) is not pulled to 0. */
  readonly weightDecay?: number;
  /** The gradient is scaled down to this norm; absent for no clipping. */
  readonly maxGradientNorm?: number;
};

export const defaultOptimizer = { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0 } as const;

export interface Engine {
  readonly tokenizer: Tokenizer;
  /** Longest sequence, prompt and response together. */
  readonly contextLength: number;

  /** Results come back in the order of the requests; `onSample` hears of each as it ends. */
  sample(
    requests: readonly SampleRequest[],
    options?: { readonly signal?: AbortSignal; readonly onSample?: (index: number, sample: Sample) => void },
  ): Promise<Sample[]>;

  /** Under the live weights, or under a frozen checkpoint that stays loaded beside them. */
  logprobs(
    sequences: readonly TokenSequence[],
    options?: ScoringOptions & { readonly checkpoint?: string },
  ): Promise<SequenceScores[]>;

  /**
   * Adds to the gradient; any number of calls before `step` sum up. `entropyWeights[i]`, where given, adds
   * Σ weight · ∇ entropy over the positions of sequence i.
   */
  accumulate(
    batch: readonly WeightedSequence[],
    options?: ScoringOptions & { readonly entropyWeights?: readonly ArrayLike<number>[] },
  ): Promise<SequenceScores[]>;

  /** One AdamW update that ascends what was accumulated, then forgets it. */
  step(optimizer: OptimizerStep): Promise<{ readonly gradientNorm: number }>;

  /** Saves weights and optimizer under a name, atomically. (Every draw has a seed of its own, so there is no other state.) */
  save(name: string): Promise<void>;
  load(name: string): Promise<void>;

  dispose(): Promise<void>;
}
