// Means, differences and percentiles by name, with 95% intervals over problems, and over what the labels may be where a labeler
// of known quality gave them: then the corrected estimate is the one, and what the labels say as given stands beside it.
import {
  bootstrapped,
  bootstrappedOverDraws,
  type Estimate as Plain,
  percentileOfCounts,
  type Statistic,
} from "../../base/statistics.ts";
import type { MeasureColumns } from "./measures.ts";
import { minProblems } from "./verdicts.ts";

export { differenceOf, meanOf, type Statistic } from "../../base/statistics.ts";

export type Estimate = Plain & {
  /** By the labels as they were given; absent where they are exact, not about labels, or nobody knows how wrong they are. */
  readonly raw?: Plain;
};

/** `histograms`: how often each value occurs, by cluster. */
export const percentileOf = (histograms: readonly Float64Array[], percent: number): Statistic => ({
  columns: histograms,
  of: (counts) => percentileOfCounts(counts, percent),
});

/** Over fewer problems than a verdict needs there is a mean and no interval: it would say more about luck. */
export function overEnough<Name extends string>(
  found: Readonly<Record<Name, Estimate>>,
  problems: number,
): Readonly<Record<Name, Estimate>> {
  if (problems >= minProblems) return found;
  const bare = Object.entries<Estimate>(found).map(([name, { value }]) => [
    name,
    { value, low: Number.NaN, high: Number.NaN },
  ]);
  return Object.fromEntries(bare) as Record<Name, Estimate>;
}

export type Measured = {
  /** How the percentiles of an interval are found: as exactly as so many resamplings of the problems say. */
  readonly replicates: number;
  readonly columns: MeasureColumns;
  /** The same columns for every draw of what the labels may be; none where they are as they are. */
  readonly drawn: readonly MeasureColumns[];
};

export function estimates<Name extends string>(
  { replicates, columns, drawn }: Measured,
  /** `draw`: of the labels; absent for them as given. */
  statisticsOf: (columns: MeasureColumns, draw?: number) => Readonly<Record<Name, Statistic>>,
): Record<Name, Estimate> {
  const given = statisticsOf(columns);
  const names = Object.keys(given) as Name[];
  const raw = bootstrapped(
    names.map((name) => given[name]),
    { replicates },
  );
  const corrected =
    drawn.length === 0
      ? undefined
      : bootstrappedOverDraws(
          drawn.map((own, draw) => {
            const statistics = statisticsOf(own, draw);
            return names.map((name) => statistics[name]);
          }),
          { replicates },
        );
  return Object.fromEntries(
    names.map((name, i): [Name, Estimate] => [
      name,
      corrected === undefined ? raw[i] : same(raw[i], corrected[i]) ? raw[i] : { ...corrected[i], raw: raw[i] },
    ]),
  ) as Record<Name, Estimate>;
}

/** What labels do not change, such as the number of spans, has nothing to be put beside. */
const same = (raw: Plain, corrected: Plain) =>
  Math.abs(raw.value - corrected.value) <= 1e-6 * Math.abs(raw.value) ||
  (Number.isNaN(raw.value) && Number.isNaN(corrected.value));
