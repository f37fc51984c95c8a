// Multinomial logistic regression over hashed features: scoring with eight-bit weights, and training by AdaGrad.
import type { Random } from "../../base/random.ts";
import { type FeatureVector, featureBuckets } from "./features.ts";

/** `weights[bucket * classes + label]`, to be multiplied by `scale`. */
export type LinearModel = {
  readonly classes: number;
  readonly weights: Int8Array;
  readonly scale: number;
  readonly bias: Float64Array;
};

/** The logits of one span, written over `out`. */
export function scoreLinear(model: LinearModel, features: FeatureVector, out: Float64Array): void {
  if (model.classes !== 9) {
    scoreAny(model, features, out);
    return;
  }
  const { weights, scale, bias } = model;
  let [z0, z1, z2, z3, z4, z5, z6, z7, z8] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  const { indices, values, length } = features;
  // The paper's nine written out: the loop runs a thousand times a span, and the compiler does not unroll it.
  for (let i = 0; i < length; i++) {
    const at = indices[i] * 9;
    const value = values[i];
    z0 += weights[at] * value;
    z1 += weights[at + 1] * value;
    z2 += weights[at + 2] * value;
    z3 += weights[at + 3] * value;
    z4 += weights[at + 4] * value;
    z5 += weights[at + 5] * value;
    z6 += weights[at + 6] * value;
    z7 += weights[at + 7] * value;
    z8 += weights[at + 8] * value;
  }
  out[0] = bias[0] + scale * z0;
  out[1] = bias[1] + scale * z1;
  out[2] = bias[2] + scale * z2;
  out[3] = bias[3] + scale * z3;
  out[4] = bias[4] + scale * z4;
  out[5] = bias[5] + scale * z5;
  out[6] = bias[6] + scale * z6;
  out[7] = bias[7] + scale * z7;
  out[8] = bias[8] + scale * z8;
}

function scoreAny({ classes, weights, scale, bias }: LinearModel, features: FeatureVector, out: Float64Array): void {
  const { indices, values, length } = features;
  out.fill(0);
  for (let i = 0; i < length; i++) {
    const at = indices[i] * classes;
    for (let c = 0; c < classes; c++) out[c] += weights[at + c] * values[i];
  }
  for (let c = 0; c < classes; c++) out[c] = bias[c] + scale * out[c];
}

export function softmaxInPlace(logits: Float64Array, temperature = 1): void {
  let top = Number.NEGATIVE_INFINITY;
  for (const logit of logits) if (logit > top) top = logit;
  let total = 0;
  for (let c = 0; c < logits.length; c++) total += logits[c] = Math.exp((logits[c] - top) / temperature);
  for (let c = 0; c < logits.length; c++) logits[c] /= total;
}

export function likeliest(scores: Float64Array): number {
  let best = 0;
  for (let c = 1; c < scores.length; c++) if (scores[c] > scores[best]) best = c;
  return best;
}

export type Example = {
  readonly features: FeatureVector;
  /** By label, one in all: readers who differ share it. */
  readonly targets: ArrayLike<number>;
  readonly weight: number;
};

export type LinearTraining = {
  readonly classes: number;
  readonly epochs: number;
  readonly learningRate: number;
  /** Start of each feature's sum of squared gradients: the larger, the more rare features are held back. */
  readonly damping: number;
};

/** Examples side by side, their features numbered as they occur: a table of those alone fits a processor's cache. */
function packed(examples: readonly Example[]) {
  const numbers = new Int32Array(featureBuckets).fill(-1);
  const buckets: number[] = [];
  const starts = new Int32Array(examples.length + 1);
  for (const [i, { features }] of examples.entries()) starts[i + 1] = starts[i] + features.length;
  const indices = new Int32Array(starts[examples.length]);
  const values = new Float32Array(indices.length);
  for (const [i, { features }] of examples.entries()) {
    for (let k = 0; k < features.length; k++) {
      const bucket = features.indices[k];
      if (numbers[bucket] === -1) numbers[bucket] = buckets.push(bucket) - 1;
      indices[starts[i] + k] = numbers[bucket];
      values[starts[i] + k] = features.values[k];
    }
  }
  return { buckets, starts, indices, values };
}

/** As in `scoreLinear`, and apart from it, because a compiler makes faster code for one kind of weights than for two. */
function addScoresOfNine(
  weights: Float32Array,
  indices: Int32Array,
  values: Float32Array,
  start: number,
  end: number,
  out: Float64Array,
): void {
  let [z0, z1, z2, z3, z4, z5, z6, z7, z8] = out;
  for (let i = start; i < end; i++) {
    const at = indices[i] * 9;
    const value = values[i];
    z0 += weights[at] * value;
    z1 += weights[at + 1] * value;
    z2 += weights[at + 2] * value;
    z3 += weights[at + 3] * value;
    z4 += weights[at + 4] * value;
    z5 += weights[at + 5] * value;
    z6 += weights[at + 6] * value;
    z7 += weights[at + 7] * value;
    z8 += weights[at + 8] * value;
  }
  out.set([z0, z1, z2, z3, z4, z5, z6, z7, z8]);
}

export class LinearTrainer {
  #buckets: readonly number[] = [];
  #weights = new Float32Array();
  readonly #bias: Float64Array;
  readonly #options: LinearTraining;

  constructor(options: LinearTraining) {
    this.#options = options;
    this.#bias = new Float64Array(options.classes);
  }

  /** Every example once an epoch, in another order each time, by smaller and smaller steps. */
  train(examples: readonly Example[], random: Random): void {
    const { epochs, learningRate, classes, damping } = this.#options;
    const { buckets, starts, indices, values } = packed(examples);
    this.#buckets = buckets;
    this.#weights = new Float32Array(buckets.length * classes);
    const squares = new Float32Array(buckets.length).fill(damping);
    const [weights, bias] = [this.#weights, this.#bias];
    const errors = new Float64Array(classes);
    const order = Uint32Array.from(examples, (_, i) => i);
    for (let epoch = 0; epoch < epochs; epoch++) {
      random.shuffle(order);
      const rate = learningRate * (1 - epoch / epochs);
      for (const example of order) {
        const { targets, weight } = examples[example];
        const [start, end] = [starts[example], starts[example + 1]];
        errors.set(bias);
        if (classes === 9) addScoresOfNine(weights, indices, values, start, end, errors);
        else
          for (let i = start; i < end; i++)
            for (let c = 0; c < classes; c++) errors[c] += weights[indices[i] * classes + c] * values[i];
        softmaxInPlace(errors);
        let size = 0;
        for (let c = 0; c < classes; c++) {
          errors[c] = (errors[c] - targets[c]) * weight;
          bias[c] -= 0.02 * rate * errors[c];
          size += errors[c] * errors[c];
        }
        // One step size a feature rather than one a weight: nine times fewer square roots, and no worse.
        for (let i = start; i < end; i++) {
          const value = values[i];
          const step = (rate * value) / Math.sqrt((squares[indices[i]] += size * value * value));
          const at = indices[i] * classes;
          for (let c = 0; c < classes; c++) weights[at + c] -= step * errors[c];
        }
      }
    }
  }

  addTo(weights: Float32Array, bias: Float64Array): void {
    const { classes } = this.#options;
    for (const [feature, bucket] of this.#buckets.entries())
      for (let c = 0; c < classes; c++) weights[bucket * classes + c] += this.#weights[feature * classes + c];
    for (let c = 0; c < bias.length; c++) bias[c] += this.#bias[c];
  }
}

/** The mean of several trained models, rounded to eight bits with one scale for all. */
export function averagedModel(members: readonly LinearTrainer[], classes: number): LinearModel {
  const weights = new Float32Array(featureBuckets * classes);
  const bias = new Float64Array(classes);
  for (const member of members) member.addTo(weights, bias);
  // Plain loops: iterators over millions of weights would cost more than the training of a small corpus.
  let largest = 0;
  for (let i = 0; i < weights.length; i++) largest = Math.max(largest, Math.abs(weights[i]));
  const step = largest === 0 ? 1 : largest / 127;
  const rounded = new Int8Array(weights.length);
  for (let i = 0; i < weights.length; i++) rounded[i] = Math.round(weights[i] / step);
  return { classes, weights: rounded, scale: step / members.length, bias: bias.map((value) => value / members.length) };
}
