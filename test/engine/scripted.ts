// An engine small enough to check by hand: the logits of the next token are a table row chosen by the last token.
// Everything is exact and in double precision, so whole objectives can be differentiated through it numerically.
import { EngineError } from "../../src/base/errors.ts";
import { Random } from "../../src/base/random.ts";
import { drawToken, tokenDistribution } from "../../src/engine/draw-token.ts";
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
} from "../../src/engine/engine.ts";
import { checkAccumulated, checkRequests, checkSequences } from "../../src/engine/refusals.ts";
import { GrowingSample } from "../../src/engine/sample-text.ts";

export type ScriptedEngineOptions = {
  readonly tokenizer: Tokenizer;
  readonly contextLength?: number;
  /** Draws the first table; without it every logit begins at 0. */
  readonly seed?: number;
};

type State = {
  /** Row `last`, column `next`. */
  logits: Float64Array;
  momentum: Float64Array;
  variance: Float64Array;
  steps: number;
};

export class ScriptedEngine implements Engine {
  readonly tokenizer: Tokenizer;
  readonly contextLength: number;
  #state: State;
  #gradient: Float64Array;
  readonly #checkpoints = new Map<string, State>();
  #accumulated = 0;
  #disposed = false;

  constructor(options: ScriptedEngineOptions) {
    this.tokenizer = options.tokenizer;
    this.contextLength = options.contextLength ?? 256;
    const size = this.tokenizer.vocabularySize ** 2;
    const logits = new Float64Array(size);
    if (options.seed !== undefined) {
      const random = Random.from(options.seed);
      for (let i = 0; i < size; i++) logits[i] = random.normal();
    }
    this.#state = { logits, momentum: new Float64Array(size), variance: new Float64Array(size), steps: 0 };
    this.#gradient = new Float64Array(size);
  }

  /** The table itself, for tests that nudge a logit and look what happens. */
  get logits(): Float64Array {
    return this.#state.logits;
  }

  /** What has been accumulated since the last step. */
  get gradient(): Float64Array {
    return this.#gradient;
  }

  async sample(
    requests: readonly SampleRequest[],
    options: { readonly signal?: AbortSignal; readonly onSample?: (index: number, sample: Sample) => void } = {},
  ): Promise<Sample[]> {
    this.#use(options.signal);
    checkRequests(requests, this.#reader);
    return requests.map((request, index) => {
      const random = Random.from(request.seed);
      const growing = new GrowingSample(request, this.tokenizer, this.contextLength - request.prompt.length);
      let last = request.prompt[request.prompt.length - 1];
      while (!growing.ended) {
        const distribution = tokenDistribution(this.#row(this.#state, last), request);
        const drawn = drawToken(distribution, request, random);
        growing.add(drawn.token, drawn.logprob, drawn.temperedLogprob);
        last = drawn.token;
      }
      const sample = growing.result();
      options.onSample?.(index, sample);
      return sample;
    });
  }

  async logprobs(
    sequences: readonly TokenSequence[],
    options: ScoringOptions & { readonly checkpoint?: string } = {},
  ): Promise<SequenceScores[]> {
    this.#use(options.signal);
    const state = options.checkpoint === undefined ? this.#state : this.#checkpoint(options.checkpoint);
    checkSequences(sequences, this.#reader);
    return sequences.map((sequence) => this.#scores(state, sequence, options));
  }

  async accumulate(
    batch: readonly WeightedSequence[],
    options: ScoringOptions & { readonly entropyWeights?: readonly ArrayLike<number>[] } = {},
  ): Promise<SequenceScores[]> {
    this.#use(options.signal);
    const { temperature = 1, entropyWeights } = options;
    const size = this.tokenizer.vocabularySize;
    checkSequences(batch, this.#reader);
    this.#accumulated += batch.length;
    return batch.map((sequence, i) => {
      const { tokens, promptLength, weights } = sequence;
      const scores = this.#scores(this.#state, sequence, options);
      for (let t = promptLength; t < tokens.length; t++) {
        const from = tokens[t - 1] * size;
        const { logprobs, entropy } = scoredRow(this.#row(this.#state, tokens[t - 1]), temperature);
        const weight = weights[t - promptLength];
        const entropyWeight = entropyWeights?.[i]?.[t - promptLength] ?? 0;
        for (let next = 0; next < size; next++) {
          const probability = Math.exp(logprobs[next]);
          const pull = weight * ((next === tokens[t] ? 1 : 0) - probability);
          const spread = -entropyWeight * probability * (logprobs[next] + entropy);
          this.#gradient[from + next] += (pull + spread) / temperature;
        }
      }
      return scores;
    });
  }

  async step(optimizer: OptimizerStep): Promise<{ readonly gradientNorm: number }> {
    this.#use();
    const { beta1, beta2, epsilon, weightDecay } = { ...defaultOptimizer, ...optimizer };
    const { learningRate, maxGradientNorm } = optimizer;
    checkAccumulated(this.#accumulated);
    this.#accumulated = 0;
    const state = this.#state;
    const gradientNorm = Math.sqrt(this.#gradient.reduce((sum, value) => sum + value * value, 0));
    if (!Number.isFinite(gradientNorm)) throw new EngineError(`the gradient of step ${state.steps + 1} is not finite`);
    const scale = maxGradientNorm !== undefined && gradientNorm > maxGradientNorm ? maxGradientNorm / gradientNorm : 1;
    state.steps += 1;
    for (let i = 0; i < state.logits.length; i++) {
      const gradient = this.#gradient[i] * scale;
      state.momentum[i] = beta1 * state.momentum[i] + (1 - beta1) * gradient;
      state.variance[i] = beta2 * state.variance[i] + (1 - beta2) * gradient * gradient;
      const direction =
        state.momentum[i] /
        (1 - beta1 ** state.steps) /
        (Math.sqrt(state.variance[i] / (1 - beta2 ** state.steps)) + epsilon);
      state.logits[i] += learningRate * (direction - weightDecay * state.logits[i]);
    }
    this.#gradient.fill(0);
    return { gradientNorm };
  }

  async save(name: string): Promise<void> {
    this.#use();
    this.#checkpoints.set(name, copied(this.#state));
  }

  async load(name: string): Promise<void> {
    this.#use();
    this.#state = copied(this.#checkpoint(name));
    this.#gradient.fill(0);
    this.#accumulated = 0;
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
  }

  get #reader() {
    return { contextLength: this.contextLength, vocabularySize: this.tokenizer.vocabularySize };
  }

  #use(signal?: AbortSignal): void {
    if (this.#disposed) throw new EngineError("this engine has been disposed of; make a new one");
    signal?.throwIfAborted();
  }

  #checkpoint(name: string): State {
    const state = this.#checkpoints.get(name);
    if (state === undefined) {
      const known = [...this.#checkpoints.keys()].join(", ") || "none";
      throw new EngineError(`no checkpoint ${JSON.stringify(name)}; saved so far: ${known}`);
    }
    return state;
  }

  #row(state: State, last: number): Float64Array {
    const size = this.tokenizer.vocabularySize;
    return state.logits.subarray(last * size, (last + 1) * size);
  }

  #scores(state: State, sequence: TokenSequence, options: ScoringOptions): SequenceScores {
    const { tokens, promptLength } = sequence;
    const count = tokens.length - promptLength;
    const logprobs = new Float32Array(count);
    const entropies = new Float32Array(count);
    for (let t = promptLength; t < tokens.length; t++) {
      const scored = scoredRow(this.#row(state, tokens[t - 1]), options.temperature ?? 1);
      logprobs[t - promptLength] = scored.logprobs[tokens[t]];
      entropies[t - promptLength] = scored.entropy;
    }
    return options.entropies ? { logprobs, entropies } : { logprobs };
  }
}

function scoredRow(logits: Float64Array, temperature: number) {
  const largest = logits.reduce((best, value) => Math.max(best, value), Number.NEGATIVE_INFINITY);
  const total = logits.reduce((sum, value) => sum + Math.exp((value - largest) / temperature), 0);
  const logprobs = logits.map((value) => (value - largest) / temperature - Math.log(total));
  return { logprobs, entropy: logprobs.reduce((sum, value) => sum - Math.exp(value) * value, 0) };
}

function copied(state: State): State {
  return {
    logits: state.logits.slice(),
    momentum: state.momentum.slice(),
    variance: state.variance.slice(),
    steps: state.steps,
  };
}
