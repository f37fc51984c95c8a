// A slice as the traces in it, whole: what a worker thread hands over to whoever writes the run folder.
import { importSlice } from "./import-slice.ts";
import type { PlannedSlice } from "./plan.ts";
import { SkipCounts, type SkipReason } from "./skips.ts";
import type { Trace } from "./trace.ts";

/** Oddities that do not stop a trace from being read. */
export type Oddities = { damaged: number; unclosed: number; unopened: number; empty: number; ungraded: number };
export const noOddities = (): Oddities => ({ damaged: 0, unclosed: 0, unopened: 0, empty: 0, ungraded: 0 });

export type ReadSlice = {
  readonly traces: readonly Trace[];
  /** How many traces each format gave. */
  readonly formats: Readonly<Record<string, number>>;
  readonly skipped: SkipReason[];
  readonly damaged: number;
};

export async function readSlice({ slice, options }: PlannedSlice): Promise<ReadSlice> {
  const skips = new SkipCounts();
  const traces: Trace[] = [];
  const formats: Record<string, number> = {};
  let damaged = 0;
  for await (const imported of importSlice(slice, options)) {
    if ("skipped" in imported) {
      skips.add(imported.skipped, imported.where);
      continue;
    }
    const { trace, format } = imported;
    if (imported.damaged) damaged += 1;
    formats[format] = (formats[format] ?? 0) + 1;
    traces.push(trace);
  }
  return { traces, formats, skipped: skips.reasons(), damaged };
}
