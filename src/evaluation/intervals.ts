// Two intervals for pass@k, which answer two questions. "New problems": what would other problems of this kind give?
// "Same problems, new rollouts": what would sampling these problems again give?
import { ConfigurationError } from "../base/errors.ts";
import type { Random } from "../base/random.ts";
import { bootstrapClustersJointly, inCanonicalOrder } from "../base/statistics/bootstrap.ts";
import type { Interval } from "../base/statistics/proportion-intervals.ts";
import { normalQuantile, normalTail, studentTwoSided } from "../base/statistics/special-functions.ts";
import { passAtK, type SolveCount } from "./pass-at-k.ts";

export const defaultLevel = 0.95;

export type BootstrapOptions = { readonly random: Random; readonly replicates?: number; readonly level?: number };

/**
 * By a percentile bootstrap over problems, for several k from the same draws. The percentiles are moved outwards as
 * Student's t asks for this many problems (Hesterberg's expanded percentiles): the plain ones are too narrow at the
 * thirty problems of a competition.
 */
export function newProblemsIntervals(
  counts: readonly SolveCount[],
  ks: readonly number[],
  options: BootstrapOptions,
): Interval[] {
  const rows = ks.map((k) => Float64Array.from(counts, (count) => passAtK(count, k)));
  return bootstrapShares(rows, options);
}

/**
 * For quantities between 0 and 1. Where every problem gave 0, or every one 1, no draw of them differs and a bootstrap
 * would claim certainty; what N such problems leave possible is bounded exactly instead. An unbiased estimate is 1 with a
 * chance of at most its mean μ, so N of them are all 1 with at most μᴺ.
 */
export function bootstrapShares(rows: readonly Float64Array[], options: BootstrapOptions): Interval[] {
  const bound = unseenShare(options.level ?? defaultLevel);
  return bootstrapMeans(rows, options).map((interval, i) => {
    const row = rows[i];
    if (row.length < 2) return interval;
    if (row.every((value) => value === 0)) return { low: 0, high: bound(row.length) };
    if (row.every((value) => value === 1)) return { low: 1 - bound(row.length), high: 1 };
    return interval;
  });
}

/** The largest share that so many trials may all have missed. */
export const unseenShare =
  (level: number) =>
  (trials: number): number =>
    1 - ((1 - level) / 2) ** (1 / trials);

/** The same for any quantities of the problems; `rows[s][problem]`. The order of the problems does not matter. */
export function bootstrapMeans(
  given: readonly Float64Array[],
  { random, replicates = 2000, level = defaultLevel }: BootstrapOptions,
): Interval[] {
  const rows = inCanonicalOrder(given);
  const problems = rows.length === 0 ? 0 : rows[0].length;
  if (problems < 2) return rows.map(() => ({ low: Number.NaN, high: Number.NaN }));
  const estimates = bootstrapClustersJointly(
    problems,
    rows.length,
    (weights, out) => {
      for (let s = 0; s < rows.length; s++) {
        let total = 0;
        const row = rows[s];
        for (let p = 0; p < problems; p++) total += weights[p] * row[p];
        out[s] = total / problems;
      }
    },
    { random, replicates, level: expandedLevel(level, problems) },
  );
  return estimates.map(({ low, high }) => ({ low, high }));
}

function expandedLevel(level: number, problems: number): number {
  const distance = Math.sqrt(problems / (problems - 1)) * studentQuantile(level, problems - 1);
  return 1 - 2 * normalTail(distance);
}

/** The t beyond which, on both sides together, 1 − level of the distribution lies. */
function studentQuantile(level: number, degrees: number): number {
  let low = 0;
  let high = 1;
  while (studentTwoSided(high, degrees) > 1 - level) high *= 2;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (studentTwoSided(middle, degrees) > 1 - level) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * By deleting one attempt at a time. Problems stay, so their variances add. Undefined when some problem has no attempt
 * to spare (n = k): then pass@k has no measure of its own noise, and more rollouts are needed.
 */
export function sameProblemsInterval(
  counts: readonly SolveCount[],
  k: number,
  level = defaultLevel,
): Interval | undefined {
  if (counts.length === 0 || counts.some(({ attempts }) => attempts <= k)) return undefined;
  let estimate = 0;
  let variance = 0;
  for (const count of counts) {
    estimate += passAtK(count, k) / counts.length;
    variance += jackknifeVariance(count, k) / counts.length ** 2;
  }
  if (variance === 0) return withoutVariance(counts, estimate, k, level);
  const reach = -normalQuantile((1 - level) / 2) * Math.sqrt(variance);
  return { low: Math.max(0, estimate - reach), high: Math.min(1, estimate + reach) };
}

/**
 * Every problem was solved always or never, which says nothing about noise but bounds what the rates can be. Never: the
 * likeliest way to have missed all with the largest pass@k is an equal rate everywhere, (1−p)^attempts = tail. Always:
 * the worst is either an equal rate everywhere or all of the doubt in one problem.
 */
function withoutVariance(counts: readonly SolveCount[], estimate: number, k: number, level: number): Interval {
  const tail = (1 - level) / 2;
  const never = counts.filter(({ correct }) => correct === 0);
  const always = counts.filter(({ correct }) => correct > 0);
  const sum = (some: readonly SolveCount[]) => some.reduce((total, { attempts }) => total + attempts, 0);
  const gain = never.length === 0 ? 0 : (never.length / counts.length) * (1 - tail ** (k / sum(never)));
  const fewest = always.reduce((least, { attempts }) => Math.min(least, attempts), Number.POSITIVE_INFINITY);
  const everywhere = (1 - tail ** (1 / sum(always))) ** k;
  const inOne = (1 - tail ** (1 / fewest)) ** k / always.length;
  const loss = always.length === 0 ? 0 : (always.length / counts.length) * Math.max(everywhere, inOne);
  return { low: Math.max(0, estimate - loss), high: Math.min(1, estimate + gain) };
}

/** (n−1)/n · Σ_j (θ₍ⱼ₎ − mean θ)²; there are only two kinds of deletions, of a right attempt and of another. */
export function jackknifeVariance({ attempts, correct }: SolveCount, k: number): number {
  if (attempts <= k)
    throw new ConfigurationError(`the jackknife of pass@${k} needs more than ${k} attempts, there are ${attempts}`);
  const left = attempts - 1;
  const withoutRight = correct === 0 ? 0 : passAtK({ attempts: left, correct: correct - 1 }, k);
  const withoutOther = correct === attempts ? 0 : passAtK({ attempts: left, correct }, k);
  const others = attempts - correct;
  const center = (correct * withoutRight + others * withoutOther) / attempts;
  const squares = correct * (withoutRight - center) ** 2 + others * (withoutOther - center) ** 2;
  return (left / attempts) * squares;
}
