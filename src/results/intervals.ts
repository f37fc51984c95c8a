// Every interval that results compute themselves, in one place and from fixed streams: the same counts give the same digits
// wherever they stand. All others come with the summary of an evaluation or with the analysis.
import { Random } from "../base/random.ts";
import type { Measured } from "../drawing/panel.ts";
import { type AccuracyComparison, compareCheckpoints, type ProblemCount } from "../evaluation/comparison.ts";
import { newProblemsIntervals } from "../evaluation/intervals.ts";
import { meanPassAtK, type SolveCount } from "../evaluation/pass-at-k.ts";
import type { Estimate } from "../traces/analysis/estimates.ts";

export const overProblems = "95% bootstrap over problems";
/** As an evaluation has them (`evaluation/intervals.ts`). */
export const passOverProblems = `${overProblems}, widened for few problems`;
/** Where pass@k stands beside means per trace. */
export const bothOverProblems = `${overProblems}; of pass@k widened for few problems`;

export function passMeasured(counts: readonly SolveCount[], ks: readonly number[]): Measured[] {
  const intervals = newProblemsIntervals(counts, ks, { random: Random.from("report puzzles") });
  return ks.map((k, i) => ({ value: meanPassAtK(counts, k), ...(counts.length > 1 && intervals[i]) }));
}

export const fewestAttempts = (counts: readonly SolveCount[]): number =>
  counts.reduce((least, { attempts }) => Math.min(least, attempts), Number.POSITIVE_INFINITY);

/** pass@1 and pass@k at the largest k that both allow; undefined where they share no problem. */
export function comparedAccuracy(
  first: readonly ProblemCount[],
  second: readonly ProblemCount[],
): AccuracyComparison | undefined {
  const shared = new Set(first.map(({ problem }) => problem));
  if (!second.some(({ problem }) => shared.has(problem))) return undefined;
  const ks = [...new Set([1, fewestAttempts([...first, ...second])])];
  return compareCheckpoints(first, second, { ks, random: Random.from("report comparison") });
}

/** As it is drawn: nothing where nothing was measured, and no interval over a single problem. */
export function estimated(estimate: Estimate | undefined, problems: number): Measured | undefined {
  if (estimate === undefined || !Number.isFinite(estimate.value)) return undefined;
  const { value, low, high } = estimate;
  return problems < 2 || !Number.isFinite(low) ? { value } : { value, low, high };
}
