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

const rateOf = (count: SolveCount | null): number | undefined =>
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

type ProblemOrder = { readonly by: string; readonly descending: boolean };

/** By a checkpoint's solve rate, by the change between two, or as the evaluation has them. Unknown comes last. */
export function ordered(
  rows: readonly ProblemRow[],
  columns: readonly string[],
  order: ProblemOrder,
  pair: readonly [number, number],
): ProblemRow[] {
  const column = columns.indexOf(order.by);
  const key = (row: ProblemRow): number | undefined => {
    if (column >= 0) return rateOf(row.counts[column]);
    const [before, after] = pair.map((at) => rateOf(row.counts[at] ?? null));
    return before === undefined || after === undefined ? undefined : after - before;
  };
  if (order.by === "problem") {
    const sorted = [...rows].sort((a, b) => (a.problem < b.problem ? -1 : 1));
    return order.descending ? sorted.reverse() : sorted;
  }
  if (column < 0 && order.by !== "change") return [...rows];
  const sign = order.descending ? -1 : 1;
  return rows
    .map((row, at) => ({ row, at, key: key(row) }))
    .sort((a, b) => {
      if (a.key === undefined || b.key === undefined)
        return (a.key === undefined ? 1 : 0) - (b.key === undefined ? 1 : 0);
      return sign * (a.key - b.key) || a.at - b.at;
    })
    .map(({ row }) => row);
}
