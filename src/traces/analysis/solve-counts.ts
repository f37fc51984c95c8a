// Which problems a checkpoint solves, from the traces that somebody graded, and pass@k with the intervals of an evaluation.
import { newProblemsIntervals } from "../../evaluation/intervals.ts";
import { meanPassAtK, type SolveCount } from "../../evaluation/pass-at-k.ts";
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

/** 1, 2, 4 … up to the fewest attempts that any problem has, and that number itself. */
export function passKs(counts: SolveCounts): number[] {
  if (counts.size === 0) return [];
  const fewest = Math.min(...[...counts.values()].map(({ attempts }) => attempts));
  const ks: number[] = [];
  for (let k = 1; k <= fewest; k *= 2) ks.push(k);
  return ks[ks.length - 1] === fewest ? ks : [...ks, fewest];
}

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
