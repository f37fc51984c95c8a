// What is measured on every trace. A measure is a number or, where the trace has none, undefined; averages are over the
// traces that have it.
import { primitives } from "../../rollouts/primitives.ts";
import { fivegramCategories, fivegramCategoryCounts, trigramCategories, trigramCategoryCounts } from "../categories.ts";
import { chainDepth, exploitationWithoutSetup, meanExploitRun } from "../depth.ts";
import { type MotifName, namedMotifs, nonOverlappingCount } from "../motifs.ts";
import { codeOf, type PrimitiveSequence, primitiveCounts, readSequence } from "../sequence.ts";
import type { TraceRecord } from "../trace-record.ts";

export const measureNames = [
  "spans",
  "tokens",
  ...primitives,
  "recovery primitives",
  ...trigramCategories.map((category) => `${category} trigrams` as const),
  ...fivegramCategories.map((category) => `${category} fivegrams` as const),
  ...(Object.keys(namedMotifs) as MotifName[]),
  "traces with recovery",
  "chain depth",
  "chain depth without setup",
  "mean exploit run",
] as const;
export type MeasureName = (typeof measureNames)[number];

/** NaN stands for undefined, so that columns stay flat. */
export type MeasureColumns = Readonly<Record<MeasureName, Float64Array>>;

/** Traces without a span have no measure at all: an empty response is not a trace with zero checks. */
export function measureColumns(records: readonly TraceRecord[]): MeasureColumns {
  const columns = Object.fromEntries(
    measureNames.map((name) => [name, new Float64Array(records.length).fill(Number.NaN)]),
  ) as Record<MeasureName, Float64Array>;
  records.forEach((record, i) => {
    if (record.sequence === "") return;
    const values = measuresOf(readSequence(record.sequence), record.tokens);
    for (const name of measureNames) columns[name][i] = values[name];
  });
  return columns;
}

export function measuresOf(sequence: PrimitiveSequence, tokens: number): Record<MeasureName, number> {
  const counts = primitiveCounts(sequence);
  const trigrams = trigramCategoryCounts(sequence);
  const fivegrams = fivegramCategoryCounts(sequence);
  const motifs = Object.entries(namedMotifs).map(([name, motif]) => [name, nonOverlappingCount(sequence, motif)]);
  return {
    spans: sequence.length,
    tokens,
    ...(Object.fromEntries(primitives.map((primitive, code) => [primitive, counts[code]])) as Record<
      (typeof primitives)[number],
      number
    >),
    "recovery primitives": counts[codeOf.hypothesize] + counts[codeOf.backtrack],
    "recovery trigrams": trigrams.recovery,
    "exploitation trigrams": trigrams.exploitation,
    "verification trigrams": trigrams.verification,
    "exploitation fivegrams": fivegrams.exploitation,
    "verification fivegrams": fivegrams.verification,
    ...(Object.fromEntries(motifs) as Record<MotifName, number>),
    "traces with recovery": trigrams.recovery > 0 ? 1 : 0,
    "chain depth": chainDepth(sequence),
    "chain depth without setup": chainDepth(sequence, exploitationWithoutSetup),
    "mean exploit run": meanExploitRun(sequence) ?? Number.NaN,
  };
}
