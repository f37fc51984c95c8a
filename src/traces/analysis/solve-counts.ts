// Which problems a checkpoint solves, from the traces that somebody graded, and pass@k with the intervals of an evaluation.
import type { ProblemCount } from "../../evaluation/comparison.ts";
import { newProblemsIntervals } from "../../evaluation/intervals.ts";
import { meanPassAtK } from "../../evaluation/pass-at-k.ts";
import type { TraceRecord } from "../trace-record.ts";
import type { Estimate } from "./estimates.ts";

export type SolveCounts = ReadonlyMap<string, ProblemCount>;

export function solveCounts(records: readonly TraceRecord[]): SolveCounts {
  const graded = new Map<string, Map<number, boolean>>();
  for (const { problem, attempt, correct } of records) {
    if (correct === undefined) continue;
    const own = graded.get(problem) ?? new Map<number, boolean>();
    graded.set(problem, own);
    // Steps of training number their attempts anew; none replaces another.
    own.set(own.has(attempt) ? -own.size : attempt, correct);
  }
  // Sorted, so that a sum over them does not depend on the order in which records were written.
  const sorted = [...graded].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(
    sorted.map(([problem, own]) => {
      const correct = [...own.values()].filter(Boolean).length;
      return [problem, { problem, attempts: own.size, correct, graded: own }];
    }),
  );
}

/** 1, 2, 4 … up to the fewest attempts that any problem has, and that number itself. */
function passKs(counts: SolveCounts): number[] {
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
export function passEstimates(counts: SolveCounts): Record<string, Estimate> {
  const list = [...counts.values()];
  const ks = passKs(counts);
  const intervals = newProblemsIntervals(list, ks);
  return Object.fromEntries(ks.map((k, i) => [k, { value: meanPassAtK(list, k), ...intervals[i] }]));
}
