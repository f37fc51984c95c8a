// pass@1 and pass@k of every policy on every set, with intervals: what a recipe prints at its end.

import type { EvaluationSummary, SetSummary } from "../evaluation/summary.ts";
import { textTable } from "./text-table.ts";

export function accuracyTable<Policy extends string>(
  policies: readonly Policy[],
  summaries: Readonly<Record<Policy, EvaluationSummary>>,
): string {
  // A set that was asked for a while, or from some step on, not every policy has.
  const sets = new Map<string, SetSummary>();
  for (const policy of policies)
    for (const one of summaries[policy].sets) if (!sets.has(one.set)) sets.set(one.set, one);
  const rows = [...sets.values()].flatMap(({ set, problems, attempts }) => {
    const ks = [...new Set([1, attempts.fewest])];
    return ks.map((k) => [
      `${set} (${problems})`,
      `pass@${k}`,
      ...policies.map((policy) =>
        cell(
          summaries[policy].sets.find((one) => one.set === set),
          k,
        ),
      ),
    ]);
  });
  return textTable(["problems", "", ...policies], rows, 2);
}

function cell(set: SetSummary | undefined, k: number): string {
  const entry = set?.passAtK.find((one) => one.k === k);
  if (entry === undefined) return "–";
  const show = (value: number) => (100 * value).toFixed(0);
  const { newProblems: interval } = entry;
  return `${(100 * entry.value).toFixed(1)}%${interval ? ` [${show(interval.low)}, ${show(interval.high)}]` : ""}`;
}
