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
import type { Judgment, Verdict } from "../traces/analysis/verdicts.ts";

export const overProblems = "95% bootstrap over problems, widened for few problems";

export function passMeasured(counts: readonly SolveCount[], ks: readonly number[]): Measured[] {
  const intervals = newProblemsIntervals(counts, ks);
  return ks.map((k, i) => ({ value: meanPassAtK(counts, k), ...(counts.length > 1 && intervals[i]) }));
}

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

/** In the words of a table, whose caption says `wouldShow`. */
export const toldVerdict = (
  { verdict, detectable }: Judgment,
  words: Readonly<Record<Verdict, string>>,
  text: (value: number) => string,
): string =>
  verdict === "not shown" && detectable !== undefined
    ? `${words[verdict]}; ${text(detectable)} would show`
    : words[verdict];

export const wouldShow = "“Would show”: the smallest effect that as many problems would have shown four times in five.";
