// Percentile bootstrap over clusters: the one way in which an interval over problems is made. Rollouts of one problem are not
// independent, so the problem is what is drawn again. The draws are fixed by the number of problems alone, so that the same
// numbers have the same interval wherever and whenever it is computed.
import { Random } from "../random.ts";
import { percentileOfSorted } from "./descriptive.ts";
import type { Interval } from "./proportion-intervals.ts";
import { normalTail, studentQuantile } from "./special-functions.ts";

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

/** How often each cluster is drawn in each replicate, one row a replicate. */
type Draws = { readonly replicates: number; readonly weights: Uint8Array };

const kept = new Map<number, Draws>();
const mostKept = 16;

/** Fewer replicates are the first of more. */
function drawsOf(clusters: number, replicates: number): Draws {
  const known = kept.get(clusters);
  if (known !== undefined && known.replicates >= replicates) return known;
  const random = Random.from("problems").child(clusters);
  const weights = new Uint8Array(clusters * replicates);
  for (let replicate = 0; replicate < replicates; replicate++)
    for (let i = 0; i < clusters; i++) weights[replicate * clusters + random.below(clusters)] += 1;
  const draws = { replicates, weights };
  if (kept.size >= mostKept) kept.delete(kept.keys().next().value!);
  kept.set(clusters, draws);
  return draws;
}

/** How often each cluster is in a draw; draw 0 is the sample itself. */
export function drawnClusters(clusters: number, draws: number): (draw: number) => Uint8Array {
  const { weights } = drawsOf(clusters, draws);
  const whole = new Uint8Array(clusters).fill(1);
  return (draw) => (draw === 0 ? whole : weights.subarray((draw - 1) * clusters, draw * clusters));
}

/**
 * The percentiles are moved outwards as Student's t asks for this many clusters (Hesterberg's expanded percentiles): the
 * plain ones are too narrow at the thirty problems of a competition.
 */
function expandedLevel(level: number, clusters: number): number {
  const distance = Math.sqrt(clusters / (clusters - 1)) * studentQuantile(level, clusters - 1);
  return 1 - 2 * normalTail(distance);
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
  const groups = new Map<string, { readonly clusters: readonly number[]; readonly places: number[] }>();
  statistics.forEach(({ columns }, place) => {
    const clusters = supportOf(columns);
    const key = clusters.join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { clusters, places: [place] });
    else group.places.push(place);
  });
  const found = new Array<Estimate>(statistics.length);
  for (const { clusters, places } of groups.values()) {
    const own = places.map((place) => statistics[place]);
    const evaluate = evaluator(clusters, own);
    const values = evaluate(new Uint8Array(clusters.length).fill(1)).slice();
    const samples = own.map(() => new Float64Array(replicates));
    if (clusters.length > 1) {
      const { weights } = drawsOf(clusters.length, replicates);
      for (let replicate = 0; replicate < replicates; replicate++) {
        const out = evaluate(weights.subarray(replicate * clusters.length, (replicate + 1) * clusters.length));
        for (let s = 0; s < out.length; s++) samples[s][replicate] = out[s];
      }
    }
    places.forEach((place, s) => {
      const { range } = statistics[place];
      const of = evidence(statistics[place], clusters);
      const estimate = estimateOf(values[s], samples[s], of, level);
      found[place] = range === undefined ? estimate : uncertain(estimate, of, range, level);
    });
  }
  return found;
}

function supportOf(columns: readonly ArrayLike<number>[]): number[] {
  const clusters: number[] = [];
  const all = columns.length === 0 ? 0 : columns[0].length;
  for (let c = 0; c < all; c++) if (columns.some((column) => column[c] !== 0)) clusters.push(c);
  return clusters;
}

/** On how many clusters a statistic rests: of a difference, those of the side that has fewer. */
function evidence({ columns, counting = [] }: Statistic, clusters: readonly number[]): number {
  const sides = counting.map((column) => clusters.filter((c) => columns[column][c] !== 0).length);
  return sides.reduce((least, side) => Math.min(least, side), clusters.length);
}

/** All columns in one pass over the clusters that were drawn. */
function evaluator(
  clusters: readonly number[],
  statistics: readonly Statistic[],
): (weights: Uint8Array) => Float64Array {
  const width = statistics.reduce((total, { columns }) => total + columns.length, 0);
  const flat = new Float64Array(clusters.length * width);
  let column = 0;
  const totals = new Float64Array(width);
  const parts = statistics.map(({ columns }) => {
    const start = column;
    for (const values of columns) {
      clusters.forEach((c, row) => {
        flat[row * width + column] = values[c];
      });
      column += 1;
    }
    return totals.subarray(start, column);
  });
  const out = new Float64Array(statistics.length);
  return (weights) => {
    totals.fill(0);
    for (let row = 0; row < weights.length; row++) {
      const weight = weights[row];
      if (weight === 0) continue;
      for (let m = 0, at = row * width; m < width; m++, at++) totals[m] += weight * flat[at];
    }
    for (let s = 0; s < out.length; s++) out[s] = statistics[s].of(parts[s]);
    return out;
  };
}

function estimateOf(value: number, sample: Float64Array, clusters: number, level: number): Estimate {
  if (Number.isNaN(value) || clusters < 2) return { value, low: Number.NaN, high: Number.NaN };
  const sorted = sample.filter((one) => !Number.isNaN(one)).sort();
  const tail = 50 * (1 - expandedLevel(level, clusters));
  return { value, low: percentileOfSorted(sorted, tail), high: percentileOfSorted(sorted, 100 - tail) };
}

/**
 * Where no draw differs from another the bootstrap would claim certainty. What so many clusters leave possible is that a share
 * of all, which they may have missed, is otherwise: by as much as what was seen, or by one where that is nothing.
 */
function uncertain(estimate: Estimate, clusters: number, range: Interval, level: number): Estimate {
  const { value, low, high } = estimate;
  if (!(high - low <= 1e-12 * Math.abs(value))) return estimate;
  const reach = unseenShare(clusters, level) * (value === 0 ? 1 : Math.abs(value));
  return { value, low: Math.max(range.low, value - reach), high: Math.min(range.high, value + reach) };
}

export type ClusteredValues = { readonly sums: ArrayLike<number>; readonly counts: ArrayLike<number> };

/** The mean of what never is below zero, such as a count; `most` where it is a share. */
export const meanOf = ({ sums, counts }: ClusteredValues, most = Number.POSITIVE_INFINITY): Statistic => ({
  columns: [sums, counts],
  of: ([sum, count]) => sum / count,
  range: { low: 0, high: most },
});

/** Second − first. */
export const differenceOf = (first: ClusteredValues, second: ClusteredValues): Statistic => ({
  columns: [first.sums, first.counts, second.sums, second.counts],
  of: ([firstSum, firstCount, secondSum, secondCount]) => secondSum / secondCount - firstSum / firstCount,
  counting: [1, 3],
  range: { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY },
});

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
