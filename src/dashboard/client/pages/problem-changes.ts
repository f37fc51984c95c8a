// What became of a problem between two checkpoints, and which problems a filter leaves.
import type { ProblemRow, SolveCount } from "../../api.ts";

export const changeNames = ["any", "gained", "lost", "better", "worse", "never", "always"] as const;
export type ChangeName = (typeof changeNames)[number];

export const changeWords: Readonly<Record<ChangeName, string>> = {
  any: "all problems",
  gained: "gained: never solved, then solved",
  lost: "lost: solved, then never",
  better: "solved more often",
  worse: "solved less often",
  never: "solved by neither",
  always: "always solved by both",
};

export const rateOf = (count: SolveCount | null): number | undefined =>
  count === null || count.attempts === 0 ? undefined : count.correct / count.attempts;

export function changed(row: ProblemRow, first: number, second: number, change: ChangeName): boolean {
  if (change === "any") return true;
  const [before, after] = [rateOf(row.counts[first] ?? null), rateOf(row.counts[second] ?? null)];
  if (before === undefined || after === undefined) return false;
  if (change === "gained") return before === 0 && after > 0;
  if (change === "lost") return before > 0 && after === 0;
  if (change === "better") return after > before;
  if (change === "worse") return after < before;
  return change === "never" ? before === 0 && after === 0 : before === 1 && after === 1;
}

/** How much more often it is solved; undefined where one of the two is not known. */
export function changeBetween(first: SolveCount | null, second: SolveCount | null): number | undefined {
  const [before, after] = [rateOf(first), rateOf(second)];
  return before === undefined || after === undefined ? undefined : after - before;
}
