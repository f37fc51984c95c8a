// Which problems a checkpoint solves, from the traces that somebody graded.
import { meanPassAtK, type SolveCount } from "../../evaluation/pass-at-k.ts";
import type { TraceRecord } from "../trace-record.ts";

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

/** pass@k for k = 1, 2, 4 … up to the fewest attempts that any problem has, and that number itself. */
export function passCurve(counts: SolveCounts): Record<string, number> {
  const list = [...counts.values()];
  if (list.length === 0) return {};
  const fewest = Math.min(...list.map(({ attempts }) => attempts));
  const ks: number[] = [];
  for (let k = 1; k <= fewest; k *= 2) ks.push(k);
  if (ks[ks.length - 1] !== fewest) ks.push(fewest);
  return Object.fromEntries(ks.map((k) => [k, meanPassAtK(list, k)]));
}

/** At least one attempt was right. */
export const solvedProblems = (counts: SolveCounts): ReadonlySet<string> =>
  new Set([...counts].filter(([, { correct }]) => correct > 0).map(([problem]) => problem));
