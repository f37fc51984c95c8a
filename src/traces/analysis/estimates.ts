// Means and percentiles with 95% intervals over problems, many at once from the same draws.
import type { Random } from "../../base/random.ts";
import { type ClusterWeights, type Estimate, percentileOfCounts, percentileOfSorted } from "../../base/statistics.ts";
import type { ClusteredValues } from "./clusters.ts";

export type { Estimate };

/** A mean over traces, a difference of two, or anything else that follows from how often each problem was drawn. */
export type Statistic =
  | { readonly mean: ClusteredValues }
  | { readonly difference: readonly [ClusteredValues, ClusteredValues] }
  | { readonly of: (weights: ClusterWeights) => number };

export const meanOf = (mean: ClusteredValues): Statistic => ({ mean });

/** Second − first. */
export const differenceOf = (first: ClusteredValues, second: ClusteredValues): Statistic => ({
  difference: [first, second],
});

export function percentileOf(histograms: readonly Float64Array[], percent: number): Statistic {
  const pooled = new Float64Array(histograms[0]?.length ?? 1);
  return {
    of: (weights) => {
      pooled.fill(0);
      for (let cluster = 0; cluster < weights.length; cluster++) {
        const weight = weights[cluster];
        if (weight === 0) continue;
        const histogram = histograms[cluster];
        for (let value = 0; value < histogram.length; value++) pooled[value] += weight * histogram[value];
      }
      return percentileOfCounts(pooled, percent);
    },
  };
}

export type Resampling = { readonly random: Random; readonly replicates: number };

/** How often each cluster is drawn in each replicate, one row a replicate. All statistics of a scope see the same draws. */
export type Draws = { readonly clusters: number; readonly replicates: number; readonly weights: Uint32Array };

export function drawsOf(clusters: number, { random, replicates }: Resampling): Draws {
  const weights = new Uint32Array(clusters * replicates);
  for (let replicate = 0; replicate < replicates; replicate++)
    for (let i = 0; i < clusters; i++) weights[replicate * clusters + random.below(clusters)] += 1;
  return { clusters, replicates, weights };
}

/**
 * An interval for each named statistic. Replicates in which one is undefined (no problem that has it was drawn) are left out
 * of its interval; where it is undefined on the sample itself the estimate is NaN.
 */
export function estimates<Name extends string>(
  draws: Draws,
  statistics: Readonly<Record<Name, Statistic>>,
): Record<Name, Estimate> {
  const names = Object.keys(statistics) as Name[];
  const evaluate = evaluator(
    draws.clusters,
    names.map((name) => statistics[name]),
  );
  const values = evaluate(new Uint32Array(draws.clusters).fill(1)).slice();
  const samples = names.map(() => new Float64Array(draws.replicates));
  for (let replicate = 0; replicate < draws.replicates; replicate++) {
    const row = draws.weights.subarray(replicate * draws.clusters, (replicate + 1) * draws.clusters);
    const found = evaluate(row);
    for (let s = 0; s < found.length; s++) samples[s][replicate] = found[s];
  }
  return Object.fromEntries(
    names.map((name, s) => [name, draws.clusters === 0 ? nothing : estimateOf(values[s], samples[s])]),
  ) as Record<Name, Estimate>;
}

const nothing: Estimate = { value: Number.NaN, low: Number.NaN, high: Number.NaN };

function estimateOf(value: number, sample: Float64Array): Estimate {
  if (Number.isNaN(value)) return nothing;
  const sorted = sample.filter((one) => !Number.isNaN(one)).sort();
  return { value, low: percentileOfSorted(sorted, 2.5), high: percentileOfSorted(sorted, 97.5) };
}

/** Every mean in one pass over the problems that were drawn: sums and counts side by side, a problem at a time. */
function evaluator(clusters: number, statistics: readonly Statistic[]): (weights: Uint32Array) => Float64Array {
  const means: ClusteredValues[] = [];
  const place = (values: ClusteredValues) => means.push(values) - 1;
  const places = statistics.map((statistic) => {
    if ("mean" in statistic) return [place(statistic.mean)];
    return "difference" in statistic ? statistic.difference.map(place) : [];
  });
  const width = means.length;
  const sums = new Float64Array(clusters * width);
  const counts = new Float64Array(clusters * width);
  means.forEach((values, m) => {
    for (let c = 0; c < clusters; c++) {
      sums[c * width + m] = values.sums[c];
      counts[c * width + m] = values.counts[c];
    }
  });
  const [above, below] = [new Float64Array(width), new Float64Array(width)];
  const out = new Float64Array(statistics.length);
  return (weights) => {
    above.fill(0);
    below.fill(0);
    for (let c = 0; c < clusters; c++) {
      const weight = weights[c];
      if (weight === 0) continue;
      for (let m = 0, at = c * width; m < width; m++, at++) {
        above[m] += weight * sums[at];
        below[m] += weight * counts[at];
      }
    }
    statistics.forEach((statistic, s) => {
      const [first, second] = places[s];
      if ("of" in statistic) out[s] = statistic.of(weights);
      else if (second === undefined) out[s] = above[first] / below[first];
      else out[s] = above[second] / below[second] - above[first] / below[first];
    });
    return out;
  };
}
