// Means and percentiles with 95% intervals over problems, many at once from the same draws.
import type { Random } from "../../base/random.ts";
import {
  bootstrapClustersJointly,
  type ClusterWeights,
  type Estimate,
  percentileOfCounts,
  weightedRatio,
} from "../../base/statistics.ts";
import type { ClusteredValues } from "./clusters.ts";

export type { Estimate };

export type Statistic = (weights: ClusterWeights) => number;

export const meanOf =
  ({ sums, counts }: ClusteredValues): Statistic =>
  (weights) =>
    weightedRatio(weights, sums, counts);

export const differenceOf =
  (first: Statistic, second: Statistic): Statistic =>
  (weights) =>
    second(weights) - first(weights);

export const ratioOf =
  (first: Statistic, second: Statistic): Statistic =>
  (weights) =>
    second(weights) / first(weights);

export function percentileOf(histograms: readonly Float64Array[], percent: number): Statistic {
  const pooled = new Float64Array(histograms[0]?.length ?? 1);
  return (weights) => {
    pooled.fill(0);
    for (let cluster = 0; cluster < weights.length; cluster++) {
      const weight = weights[cluster];
      if (weight === 0) continue;
      const histogram = histograms[cluster];
      for (let value = 0; value < histogram.length; value++) pooled[value] += weight * histogram[value];
    }
    return percentileOfCounts(pooled, percent);
  };
}

export type Resampling = { readonly random: Random; readonly replicates: number };

/** An interval for each named statistic; all see the same problems in each draw, so differences are paired. */
export function estimates<Name extends string>(
  clusters: number,
  statistics: Readonly<Record<Name, Statistic>>,
  resampling: Resampling,
): Record<Name, Estimate> {
  const names = Object.keys(statistics) as Name[];
  const functions = names.map((name) => statistics[name]);
  const fill = (weights: ClusterWeights, out: Float64Array) => {
    for (let i = 0; i < functions.length; i++) out[i] = functions[i](weights);
  };
  const found = bootstrapClustersJointly(clusters, names.length, fill, resampling);
  return Object.fromEntries(names.map((name, i) => [name, found[i]])) as Record<Name, Estimate>;
}
