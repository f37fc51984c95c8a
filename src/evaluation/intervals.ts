// Two intervals for pass@k, which answer two questions. "New problems": what would other problems of this kind give?
// "Same problems, new rollouts": what would sampling these problems again give?
import { ConfigurationError } from "../base/errors.ts";
import { type Bootstrapping, bootstrapped, defaultLevel, meanOf } from "../base/statistics/bootstrap.ts";
import type { Interval } from "../base/statistics/proportion-intervals.ts";
import { normalQuantile } from "../base/statistics/special-functions.ts";
import { passAtK, type SolveCount } from "./pass-at-k.ts";

/** Of pass@k, for several k: the one function for every table, file and page. */
export const newProblemsIntervals = (
  counts: readonly SolveCount[],
  ks: readonly number[],
  options?: Bootstrapping,
): Interval[] =>
  ks.map((k) =>
    shareInterval(
      counts.map((count) => passAtK(count, k)),
      options,
    ),
  );

/** Of a mean of numbers between 0 and 1, one a problem. */
export const shareInterval = (values: readonly number[], options?: Bootstrapping): Interval =>
  intervalOfMean(values, { low: 0, high: 1 }, options);

/** The order of the problems does not matter, nor what else is estimated beside: each list is put into its own order. */
export function intervalOfMean(values: readonly number[], range: Interval, options?: Bootstrapping): Interval {
  if (values.length === 0) return { low: Number.NaN, high: Number.NaN };
  const sums = Float64Array.from(values).sort();
  const mean = meanOf({ sums, counts: new Float64Array(values.length).fill(1) });
  const [{ low, high }] = bootstrapped([{ ...mean, range }], options);
  return { low, high };
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
