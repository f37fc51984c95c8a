// pass@k of evaluations in a table: which columns it has, and what stands in them.
import { type Cell, numberCell, percentage } from "../drawing/table.ts";
import { passAt, type SetSummary } from "../evaluation/summary.ts";
import type { CheckpointRecord } from "./records.ts";

type PassColumn = { readonly set: string; readonly k: number };
type Summarized = Pick<CheckpointRecord, "summary">;

/** Nothing until every problem of it has a graded attempt. */
export const summaryOn = ({ summary }: Summarized, set: string): SetSummary | undefined =>
  summary?.sets.find((one) => one.set === set && one.passAtK.length > 0);

/** Of each set a first k and the largest that every checkpoint's attempts allow. */
export function passColumns(sets: readonly string[], shown: readonly Summarized[], first = 1): PassColumn[] {
  return sets.flatMap((set) => {
    const all = shown.flatMap((one) => summaryOn(one, set) ?? []);
    const fewest = all.reduce((least, { attempts }) => Math.min(least, attempts.fewest), Number.POSITIVE_INFINITY);
    if (!Number.isFinite(fewest)) return [];
    return [...new Set([Math.min(first, fewest), fewest])].map((k) => ({ set, k }));
  });
}

export const passColumnName = ({ set, k }: PassColumn): string => `${set} @${k}`;

export function passCell(checkpoint: Summarized, { set, k }: PassColumn): Cell {
  const found = summaryOn(checkpoint, set);
  if (!found?.passAtK.some((entry) => entry.k === k)) return null;
  const { value, newProblems } = passAt(found, k);
  return numberCell({ value, ...newProblems }, percentage);
}
