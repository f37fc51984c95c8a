// Means, differences and percentiles by name, with 95% intervals over problems.
import { bootstrapped, type Estimate, percentileOfCounts, type Statistic } from "../../base/statistics.ts";

export { differenceOf, type Estimate, meanOf, type Statistic } from "../../base/statistics.ts";

/** `histograms`: how often each value occurs, by cluster. */
export const percentileOf = (histograms: readonly Float64Array[], percent: number): Statistic => ({
  columns: histograms,
  of: (counts) => percentileOfCounts(counts, percent),
});

/** How the percentiles of an interval are found: as exactly as so many resamplings of the problems say. */
export type Resampling = { readonly replicates: number };

export function estimates<Name extends string>(
  { replicates }: Resampling,
  statistics: Readonly<Record<Name, Statistic>>,
): Record<Name, Estimate> {
  const names = Object.keys(statistics) as Name[];
  const found = bootstrapped(
    names.map((name) => statistics[name]),
    { replicates },
  );
  return Object.fromEntries(names.map((name, i) => [name, found[i]])) as Record<Name, Estimate>;
}
