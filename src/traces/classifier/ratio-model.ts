// Logistic regression over features that are first scaled by how unevenly they fall on the labels: log-count ratios, as in
// Wang and Manning (2012). Its scales fold into its weights, so it is averaged with plain models and costs nothing to use.
import type { Random } from "../../base/random.ts";
import { featureBuckets } from "./features.ts";
import { type Example, type LinearTraining, overEpochs, softmaxInPlace } from "./linear-model.ts";

/** Every scale is at least this, so that a feature without a preference can still learn one. */
const smallestScale = 0.25;
const ratioShare = 0.75;
const largestRatio = 3;

export class RatioTrainer {
  readonly #weights: Float32Array;
  readonly #squares: Float32Array;
  readonly #bias: Float64Array;
  readonly #options: LinearTraining;
  #scales = new Float32Array(0);

  constructor(options: LinearTraining) {
    const { classes, damping } = options;
    this.#options = options;
    this.#weights = new Float32Array(featureBuckets * classes);
    this.#bias = new Float64Array(classes);
    this.#squares = new Float32Array(featureBuckets * classes).fill(damping);
  }

  train(examples: readonly Example[], random: Random): void {
    this.#scales = ratioScales(examples, this.#options.classes);
    overEpochs(examples, this.#options, random, (example, rate) => this.#learn(example, rate));
  }

  #learn({ features, target, weight }: Example, rate: number): void {
    const [weights, squares, bias, scales] = [this.#weights, this.#squares, this.#bias, this.#scales];
    const { indices, values, length } = features;
    const { classes } = this.#options;
    const errors = new Float64Array(bias);
    for (let i = 0; i < length; i++) {
      const at = indices[i] * classes;
      for (let c = 0; c < classes; c++) errors[c] += weights[at + c] * scales[at + c] * values[i];
    }
    softmaxInPlace(errors);
    for (let c = 0; c < classes; c++) {
      errors[c] = (errors[c] - target[c]) * weight;
      bias[c] -= 0.02 * rate * errors[c];
    }
    for (let i = 0; i < length; i++) {
      const at = indices[i] * classes;
      for (let c = 0; c < classes; c++) {
        const gradient = errors[c] * values[i] * scales[at + c];
        weights[at + c] -= (rate * gradient) / Math.sqrt((squares[at + c] += gradient * gradient));
      }
    }
  }

  addTo(weights: Float32Array, bias: Float64Array): void {
    for (let i = 0; i < weights.length; i++) weights[i] += this.#weights[i] * this.#scales[i];
    for (let c = 0; c < bias.length; c++) bias[c] += this.#bias[c];
  }
}

/** |log P(feature | label) / P(feature | any other label)| of every feature and label, with one more span of each kind. */
function ratioScales(examples: readonly Example[], classes: number): Float32Array<ArrayBuffer> {
  const counts = new Float32Array(featureBuckets * classes);
  const totals = new Float64Array(classes);
  for (const { features, target, weight } of examples) {
    for (let c = 0; c < classes; c++) {
      const share = target[c] * weight;
      if (share === 0) continue;
      totals[c] += share;
      for (let i = 0; i < features.length; i++) counts[features.indices[i] * classes + c] += share;
    }
  }
  const total = totals.reduce((a, b) => a + b, 0);
  const scales = new Float32Array(counts.length).fill(smallestScale);
  for (let at = 0; at < counts.length; at += classes) {
    let seen = 0;
    for (let c = 0; c < classes; c++) seen += counts[at + c];
    if (seen === 0) continue;
    for (let c = 0; c < classes; c++) {
      const prior = totals[c] / total;
      const here = (counts[at + c] + prior) / (totals[c] + 1);
      const elsewhere = (seen - counts[at + c] + 1 - prior) / (total - totals[c] + 1);
      scales[at + c] += ratioShare * Math.min(largestRatio, Math.abs(Math.log(here / elsewhere)));
    }
  }
  return scales;
}
