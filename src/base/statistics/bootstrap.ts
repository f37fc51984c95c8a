// Percentile bootstrap over clusters. Rollouts of one problem are not independent, so the problem is what is drawn again.
import type { Random } from "../random.ts";
import { percentileOfSorted } from "./descriptive.ts";

export type Estimate = { readonly value: number; readonly low: number; readonly high: number };

type BootstrapOptions = {
  readonly random: Random;
  readonly replicates?: number;
  readonly level?: number;
};

/** How often each cluster was drawn in one replicate, by its place: callers keep clusters in an order of their own, not in that
 * of a file. All ones is the sample itself. */
export type ClusterWeights = Uint32Array;

/**
 * Many statistics of the same draws at once: one replicate costs one draw, however much is measured. `fill` sees how often
 * each cluster was drawn. Replicates in which a statistic is undefined (NaN) are left out of its interval; when it is
 * undefined on the sample itself the whole estimate is NaN.
 */
export function bootstrapClustersJointly(
  clusters: number,
  statistics: number,
  fill: (weights: ClusterWeights, out: Float64Array) => void,
  { random, replicates = 2000, level = 0.95 }: BootstrapOptions,
): Estimate[] {
  const weights = new Uint32Array(clusters).fill(1);
  const values = new Float64Array(statistics);
  fill(weights, values);
  const samples = Array.from({ length: statistics }, () => new Float64Array(replicates));
  const out = new Float64Array(statistics);
  for (let replicate = 0; replicate < replicates; replicate++) {
    weights.fill(0);
    for (let i = 0; i < clusters; i++) weights[random.below(clusters)] += 1;
    fill(weights, out);
    for (let s = 0; s < statistics; s++) samples[s][replicate] = out[s];
  }
  const tail = 50 * (1 - level);
  return samples.map((sample, s) => {
    const sorted = sample.filter((value) => !Number.isNaN(value)).sort();
    if (clusters === 0 || Number.isNaN(values[s])) return { value: Number.NaN, low: Number.NaN, high: Number.NaN };
    return {
      value: values[s],
      low: percentileOfSorted(sorted, tail),
      high: percentileOfSorted(sorted, 100 - tail),
    };
  });
}

/**
 * The columns with their clusters in an order that follows from their values alone. Draws pick clusters by their place, so
 * without it the order in which records happened to be written would move the interval.
 */
export function inCanonicalOrder(columns: readonly ArrayLike<number>[]): Float64Array[] {
  const clusters = columns.length === 0 ? 0 : columns[0].length;
  const order = Array.from({ length: clusters }, (_, c) => c).sort((a, b) => {
    for (const column of columns) {
      if (Object.is(column[a], column[b])) continue;
      if (Number.isNaN(column[a])) return 1;
      if (Number.isNaN(column[b])) return -1;
      if (column[a] !== column[b]) return column[a] - column[b];
    }
    return 0;
  });
  return columns.map((column) => Float64Array.from(order, (c) => column[c]));
}

export function weightedRatio(
  weights: ArrayLike<number>,
  numerators: ArrayLike<number>,
  denominators: ArrayLike<number>,
): number {
  let above = 0;
  let below = 0;
  for (let c = 0; c < weights.length; c++) {
    if (weights[c] === 0) continue;
    above += weights[c] * numerators[c];
    below += weights[c] * denominators[c];
  }
  return above / below;
}
