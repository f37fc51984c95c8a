// Which problems a checkpoint solves, from the traces that somebody graded, and pass@k with intervals over problems.
import { fewestAttempts, meanPassAtK, passAtK, type SolveCount, usualKs } from "../../evaluation/pass-at-k.ts";
import type { TraceRecord } from "../trace-record.ts";
import type { ClusteredValues, ProblemIndex } from "./clusters.ts";

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
  return counts;
}

export const passKs = (counts: SolveCounts): number[] =>
  counts.size === 0 ? [] : usualKs(fewestAttempts([...counts.values()]));

export function passCurve(counts: SolveCounts): Record<string, number> {
  const list = [...counts.values()];
  return Object.fromEntries(passKs(counts).map((k) => [k, meanPassAtK(list, k)]));
}

/** pass@k of each problem that was graded, as values to resample. */
export function clusteredPass(counts: SolveCounts, k: number, { problems }: ProblemIndex): ClusteredValues {
  const sums = new Float64Array(problems.length);
  const own = new Float64Array(problems.length);
  problems.forEach((problem, i) => {
    const count = counts.get(problem);
    if (count === undefined) return;
    sums[i] = passAtK(count, k);
    own[i] = 1;
  });
  return { sums, counts: own };
}

/** At least one attempt was right. */
export const solvedProblems = (counts: SolveCounts): ReadonlySet<string> =>
  new Set([...counts].filter(([, { correct }]) => correct > 0).map(([problem]) => problem));
