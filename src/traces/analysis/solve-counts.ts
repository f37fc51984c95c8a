// Which problems a checkpoint solves, from the traces that somebody graded, and pass@k with the intervals of an evaluation.
import { newProblemsIntervals } from "../../evaluation/intervals.ts";
import { fewestAttempts, meanPassAtK, type SolveCount, usualKs } from "../../evaluation/pass-at-k.ts";
import type { TraceRecord } from "../trace-record.ts";
import type { Estimate, Resampling } from "./estimates.ts";

export type SolveCounts = ReadonlyMap<string, SolveCount>;

export function solveCounts(records: readonly TraceRecord[]): SolveCounts {
  const counts = new Map<string, { attempts: number; correct: number }>();
  for (const { problem, correct } of records) {
    if (correct === undefined) continue;
    const count = counts.get(problem) ?? { attempts: 0, correct: 0 };
    count.attempts += 1;
    if (correct) count.correct += 1;
    counts.set(problem, count);
  }
  // Sorted, so that a sum over them does not depend on the order in which records were written.
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

export const passKs = (counts: SolveCounts): number[] =>
  counts.size === 0 ? [] : usualKs(fewestAttempts([...counts.values()]));

export function passCurve(counts: SolveCounts): Record<string, number> {
  const list = [...counts.values()];
  return Object.fromEntries(passKs(counts).map((k) => [k, meanPassAtK(list, k)]));
}

/** By k. A single problem has no interval: its ends are NaN. */
export function passEstimates(counts: SolveCounts, { random, replicates }: Resampling): Record<string, Estimate> {
  const list = [...counts.values()];
  const ks = passKs(counts);
  const intervals = newProblemsIntervals(list, ks, { random: random.child("pass@k"), replicates });
  return Object.fromEntries(ks.map((k, i) => [k, { value: meanPassAtK(list, k), ...intervals[i] }]));
}

/** At least one attempt was right. */
export const solvedProblems = (counts: SolveCounts): ReadonlySet<string> =>
  new Set([...counts].filter(([, { correct }]) => correct > 0).map(([problem]) => problem));
