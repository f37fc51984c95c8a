// How intervals that come with an evaluation or an analysis are shown, and those of parts of a set, by the same functions.
import type { Measured } from "../drawing/panel.ts";
import {
  type AccuracyComparison,
  compareCheckpoints,
  type ProblemCount,
  pairedProblems,
} from "../evaluation/comparison.ts";
import { newProblemsIntervals } from "../evaluation/intervals.ts";
import { meanPassAtK, type SolveCount } from "../evaluation/pass-at-k.ts";
import type { Estimate } from "../traces/analysis/estimates.ts";

export const overProblems = "95% bootstrap over problems, widened for few problems";

export function passMeasured(counts: readonly SolveCount[], ks: readonly number[]): Measured[] {
  const intervals = newProblemsIntervals(counts, ks);
  return ks.map((k, i) => ({ value: meanPassAtK(counts, k), ...(counts.length > 1 && intervals[i]) }));
}

export const fewestAttempts = (counts: readonly SolveCount[]): number =>
  counts.reduce((least, { attempts }) => Math.min(least, attempts), Number.POSITIVE_INFINITY);

/** Undefined where they share no problem that both were graded on. */
export const comparedAccuracy = (
  first: readonly ProblemCount[],
  second: readonly ProblemCount[],
): AccuracyComparison | undefined =>
  pairedProblems(first, second).pairs.length === 0 ? undefined : compareCheckpoints(first, second);

/** As it is drawn: nothing where nothing was measured, and no interval over a single problem. */
export function estimated(estimate: Estimate | undefined): Measured | undefined {
  if (estimate === undefined || !Number.isFinite(estimate.value)) return undefined;
  const { value, low, high } = estimate;
  return !Number.isFinite(low) ? { value } : { value, low, high };
}
