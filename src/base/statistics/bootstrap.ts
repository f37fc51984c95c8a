// Percentile bootstrap over clusters: the one way in which an interval over problems is made. Rollouts of one problem are not
// independent, so the problem is what is drawn again. The draws are fixed by the number of problems alone, so that the same
// numbers have the same interval wherever and whenever it is computed.
import { Random } from "../random.ts";
import { mean, percentileOfSorted, standardDeviation } from "./descriptive.ts";
import type { Interval } from "./proportion-intervals.ts";
import { normalQuantile, normalTail, studentQuantile } from "./special-functions.ts";

export type Estimate = { readonly value: number; readonly low: number; readonly high: number };

export const defaultLevel = 0.95;
export const defaultReplicates = 2000;

export type Bootstrapping = { readonly replicates?: number; readonly level?: number };

/** What follows from weighted sums of columns, one number a cluster each: a mean, a difference of means, a slope, a percentile. */
export type Statistic = {
  readonly columns: readonly ArrayLike<number>[];
  readonly of: (totals: Float64Array) => number;
  /** Which columns count: a cluster that has nothing in one of them is no evidence on that side. */
  readonly counting?: readonly number[];
  /** Within what it can lie; given where no spread among the clusters is no proof of certainty. */
  readonly range?: Interval;
};

/** Of a difference, a contrast, a slope. */
export const onBothSides: Interval = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

/** How often each cluster is drawn in each replicate, one row a cluster. */
type Draws = { readonly replicates: number; readonly weights: Uint8Array };

const kept = new Map<number, Draws>();
const mostKept = 64;

/** Fewer replicates are the first of more; all that are usual are drawn at once, because they are asked for piece by piece. */
function drawsOf(clusters: number, asked: number): Draws {
  const drawn = kept.get(clusters);
  if (drawn !== undefined && drawn.replicates >= asked) return drawn;
  const replicates = Math.max(asked, defaultReplicates);
  const random = Random.from("problems").child(clusters);
  const weights = new Uint8Array(clusters * replicates);
  for (let replicate = 0; replicate < replicates; replicate++)
    for (let i = 0; i < clusters; i++) weights[random.below(clusters) * replicates + replicate] += 1;
  const draws = { replicates, weights };
  if (kept.size >= mostKept) kept.delete(kept.keys().next().value!);
  kept.set(clusters, draws);
  return draws;
}

/**
 * The percentiles are moved outwards as Student's t asks for this many clusters (Hesterberg's expanded percentiles): the
 * plain ones are too narrow at the thirty problems of a competition.
 */
function expandedLevel(level: number, clusters: number): number {
  const distance = Math.sqrt(clusters / (clusters - 1)) * studentQuantile(level, clusters - 1);
  return 1 - 2 * normalTail(distance);
}

/**
 * Where a few clusters carry a change, many replicates lack them, and percentiles end short of zero on their account: 7 to 9%
 * false verdicts where 5 are meant, as far as 100 clusters. Percentiles and Student's t together keep to it (docs/notebook.md).
 */
function studentReach(sample: Float64Array, clusters: number, level: number): number {
  const finite = Array.from(sample).filter(Number.isFinite);
  if (finite.length < 2) return 0;
  return Math.sqrt(clusters / (clusters - 1)) * studentQuantile(level, clusters - 1) * standardDeviation(finite);
}

/** The largest share that so many trials may all have missed. */
export const unseenShare = (trials: number, level = defaultLevel): number => 1 - ((1 - level) / 2) ** (1 / trials);

/**
 * Statistics of the same clusters, each with its interval. Only clusters that have something in one of its columns take part
 * in a statistic. Replicates in which it is undefined are left out; undefined on the sample itself it is NaN; over a single
 * cluster it has no interval.
 */
export function bootstrapped(statistics: readonly Statistic[], options: Bootstrapping = {}): Estimate[] {
  const { replicates = defaultReplicates, level = defaultLevel } = options;
  return replicated(statistics, 0, replicates).map(({ value, sample, evidence, range }) =>
    estimateOf(value, sample, evidence, level, range),
  );
}

/**
 * The same where the data themselves are known only as draws of what they may be: `draws[d]` are the statistics of draw d. An
 * estimate is the mean over draws, and its interval that of the clusters and of the draws together, with a little more for their
 * number (multiple imputation, Rubin 1987). A statistic that is undefined in most draws is NaN.
 */
export function bootstrappedOverDraws(
  draws: readonly (readonly Statistic[])[],
  options: Bootstrapping = {},
): Estimate[] {
  const { replicates = defaultReplicates, level = defaultLevel } = options;
  const each = Math.max(1, Math.ceil(replicates / draws.length));
  const estimates = draws.map((statistics, d) => replicated(statistics, d * each, each));
  const many = draws.length;
  const reach =
    many < 2 ? 1 : Math.sqrt(1 + 1 / many) * (studentQuantile(level, many - 1) / -normalQuantile((1 - level) / 2));
  return draws[0].map((_, s) => {
    const defined = estimates.map((statistics) => statistics[s]).filter(({ value }) => !Number.isNaN(value));
    const value = defined.length * 2 > many ? mean(defined.map((one) => one.value)) : Number.NaN;
    const moved = defined.map((one) => one.sample.map((replicate) => replicate + (reach - 1) * (one.value - value)));
    const sample = Float64Array.from(moved.flatMap((values) => Array.from(values)));
    const evidence = defined.reduce((least, one) => Math.min(least, one.evidence), Number.POSITIVE_INFINITY);
    return estimateOf(value, sample, evidence, level, draws[0][s].range);
  });
}

type Replicated = {
  readonly value: number;
  readonly sample: Float64Array;
  readonly evidence: number;
  readonly range?: Interval;
};

/** Replicates from the given one on. */
function replicated(statistics: readonly Statistic[], from: number, replicates: number): Replicated[] {
  const groups = new Map<string, { readonly clusters: readonly number[]; readonly places: number[] }>();
  statistics.forEach(({ columns }, place) => {
    const clusters = supportOf(columns);
    const key = clusters.join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { clusters, places: [place] });
    else group.places.push(place);
  });
  const results = new Array<Replicated>(statistics.length);
  for (const { clusters, places } of groups.values()) {
    const once = { replicates: 1, weights: new Uint8Array(clusters.length).fill(1) };
    const draws = clusters.length > 1 ? drawsOf(clusters.length, from + replicates) : undefined;
    const totals = (column: ArrayLike<number>) => ({
      whole: drawnTotals(column, clusters, once, 0, 1)[0],
      drawn: draws ? drawnTotals(column, clusters, draws, from, replicates) : new Float64Array(replicates),
    });
    // Many statistics have a column in common, such as the number of traces.
    const totalsByColumn = new Map<ArrayLike<number>, ReturnType<typeof totals>>();
    for (const place of places) {
      const { columns, of, range } = statistics[place];
      const columnTotals = columns.map((column) => {
        const sums = totalsByColumn.get(column) ?? totals(column);
        totalsByColumn.set(column, sums);
        return sums;
      });
      const value = of(Float64Array.from(columnTotals, ({ whole }) => whole));
      const sample = new Float64Array(replicates);
      const parts = new Float64Array(columnTotals.length);
      for (let replicate = 0; replicate < replicates; replicate++) {
        for (let c = 0; c < columnTotals.length; c++) parts[c] = columnTotals[c].drawn[replicate];
        sample[replicate] = of(parts);
      }
      results[place] = { value, sample, evidence: evidenceOf(statistics[place], clusters), range };
    }
  }
  return results;
}

function supportOf(columns: readonly ArrayLike<number>[]): number[] {
  const clusters: number[] = [];
  const all = columns.length === 0 ? 0 : columns[0].length;
  for (let c = 0; c < all; c++) if (columns.some((column) => column[c] !== 0)) clusters.push(c);
  return clusters;
}

/** On how many clusters a statistic rests: of a difference, those of the side that has fewer. */
function evidenceOf({ columns, counting = [] }: Statistic, clusters: readonly number[]): number {
  const sides = counting.map((column) => clusters.filter((c) => columns[column][c] !== 0).length);
  return sides.reduce((least, side) => Math.min(least, side), clusters.length);
}

/** The sum of a column in each replicate, in the order of clusters; what is zero adds nothing. */
function drawnTotals(
  column: ArrayLike<number>,
  clusters: readonly number[],
  draws: Draws,
  from: number,
  replicates: number,
): Float64Array {
  const { weights } = draws;
  const totals = new Float64Array(replicates);
  clusters.forEach((c, row) => {
    const value = column[c];
    if (value === 0) return;
    const start = row * draws.replicates + from;
    if (Number.isFinite(value)) for (let r = 0; r < replicates; r++) totals[r] += weights[start + r] * value;
    else for (let r = 0; r < replicates; r++) if (weights[start + r] > 0) totals[r] += weights[start + r] * value;
  });
  return totals;
}

function estimateOf(
  value: number,
  sample: Float64Array,
  clusters: number,
  level: number,
  range: Interval | undefined,
): Estimate {
  const { low, high } = range ?? onBothSides;
  const within = Math.max(low, Math.min(high, value));
  if (Number.isNaN(value) || clusters < 2) return { value: within, low: Number.NaN, high: Number.NaN };
  const defined = sample.filter((one) => !Number.isNaN(one));
  // What can be on either side of zero: so far at least as Student's t goes with the spread of the replicates.
  const reach = low < 0 && range !== undefined ? studentReach(defined, clusters, level) : 0;
  const tail = 50 * (1 - expandedLevel(level, clusters));
  const estimate = {
    value: within,
    low: Math.min(percentileOf(defined, tail), within - reach),
    high: Math.max(percentileOf(defined, 100 - tail), within + reach),
  };
  return range === undefined ? estimate : uncertain(estimate, clusters, range, level);
}

/** Of a sample that may be put in another order; a small part of it is sorted. */
function percentileOf(values: Float64Array, percent: number): number {
  const place = Math.floor((percent / 100) * (values.length - 1));
  let [from, to] = [0, values.length];
  // Halves that the place does not lie in are left as they are.
  while (to - from > 64) {
    const pivot = values[(from + to) >> 1];
    let [i, j] = [from - 1, to];
    for (;;) {
      do i++;
      while (values[i] < pivot);
      do j--;
      while (values[j] > pivot);
      if (i >= j) break;
      [values[i], values[j]] = [values[j], values[i]];
    }
    // All up to j are at most the pivot, all behind it at least.
    if (place + 1 <= j) to = j + 1;
    else if (place > j) from = j + 1;
    else break;
  }
  values.subarray(from, to).sort();
  return percentileOfSorted(values, percent);
}

/**
 * Where no draw differs from another the bootstrap would claim certainty. What so many clusters leave possible is that a share
 * of all, which they may have missed, is otherwise: by as much as what was seen, or by one where that is nothing.
 */
function uncertain(estimate: Estimate, clusters: number, range: Interval, level: number): Estimate {
  const { value, low, high } = estimate;
  if (!(high - low <= 1e-12 * Math.abs(value)))
    return { value, low: Math.max(range.low, low), high: Math.min(range.high, high) };
  const reach = unseenShare(clusters, level) * (value === 0 ? 1 : Math.abs(value));
  return { value, low: Math.max(range.low, value - reach), high: Math.min(range.high, value + reach) };
}

export type ClusteredValues = { readonly sums: ArrayLike<number>; readonly counts: ArrayLike<number> };

/** The mean of what never is below zero, such as a count; `most` where it is a share. */
export const meanOf = ({ sums, counts }: ClusteredValues, most = Number.POSITIVE_INFINITY): Statistic => ({
  columns: [sums, counts],
  of: (totals) => totals[0] / totals[1],
  range: { low: 0, high: most },
});

/** Second − first. */
export const differenceOf = (first: ClusteredValues, second: ClusteredValues): Statistic => ({
  columns: [first.sums, first.counts, second.sums, second.counts],
  of: (totals) => totals[2] / totals[3] - totals[0] / totals[1],
  counting: [1, 3],
  range: onBothSides,
});
