// From paths to records: files found, cut into slices, labelled on all cores, numbered and merged. What could not be used
// is counted and named beside them.
import { resolve } from "node:path";
import { ConfigurationError } from "../base/errors.ts";
import type { ColumnMapping } from "./importers/row-format.ts";
import { type Slice, slicesOf, traceFiles } from "./importers/slice.ts";
import { type LabelOptions, noOddities, type Oddities, type SliceResult } from "./label-slice.ts";
import type { Segmentation } from "./segmentation.ts";
import { SkipCounts, type SkipReason } from "./skips.ts";
import { labelSlices, type PlannedSlice, type PoolOptions } from "./slice-pool.ts";
import type { TraceRecord } from "./trace-record.ts";

/** `sft=runs/sft/rollouts.jsonl`, or a path alone. */
export type TraceInput = { readonly path: string; readonly name?: string };

export function parseInput(text: string): TraceInput {
  const named = text.match(/^([^=/\\]+)=(.+)$/);
  return named === null ? { path: text } : { name: named[1], path: named[2] };
}

export type ReadOptions = {
  readonly format: string;
  readonly columns?: ColumnMapping;
  readonly segmentation: Segmentation;
  readonly abstainBelow: number;
  readonly trustRecordedLabels: boolean;
};

export type ReadTraces = {
  readonly records: readonly TraceRecord[];
  readonly skipped: readonly SkipReason[];
  readonly oddities: Oddities;
  readonly spans: number;
  /** For finding texts again. */
  readonly planned: readonly PlannedSlice[];
};

export async function planSlices(inputs: readonly TraceInput[], options: ReadOptions): Promise<PlannedSlice[]> {
  if (inputs.length === 0) throw new ConfigurationError("no traces given; name at least one file or folder");
  const planned: PlannedSlice[] = [];
  for (const { path, name } of inputs) {
    const labelling: LabelOptions = { ...options, name };
    for (const file of await traceFiles(resolve(path))) {
      for (const slice of await slicesOf(file)) planned.push({ slice, options: labelling });
    }
  }
  return planned;
}

export async function readTraces(planned: readonly PlannedSlice[], pool: PoolOptions): Promise<ReadTraces> {
  return merged(planned, await labelSlices(planned, pool));
}

function merged(planned: readonly PlannedSlice[], results: readonly SliceResult[]): ReadTraces {
  const skips = new SkipCounts();
  const oddities = noOddities();
  const records: TraceRecord[] = [];
  const attempts = new Map<string, Set<number>>();
  let spans = 0;
  for (const [i, result] of results.entries()) {
    skips.merge(result.skipped);
    if (result.records.length === 0 && result.skipped.length === 0) skips.add("nothing in it", planned[i].slice.path);
    for (const key of Object.keys(oddities) as (keyof Oddities)[]) oddities[key] += result.oddities[key];
    spans += result.spans;
    for (const record of result.records) {
      const key = `${record.checkpoint}\u0000${record.problem}`;
      let taken = attempts.get(key);
      if (taken === undefined) {
        taken = new Set();
        attempts.set(key, taken);
      }
      if (record.attempt !== undefined && taken.has(record.attempt)) {
        const place = `${planned[record.slice].slice.path}: ${record.problem}, attempt ${record.attempt}`;
        skips.add("the same problem and attempt again; the first one counts", place);
        continue;
      }
      const attempt = record.attempt ?? taken.size;
      taken.add(attempt);
      records.push({ ...record, attempt });
    }
  }
  return { records, skipped: skips.reasons(), oddities, spans, planned };
}

export const sliceBytes = (planned: readonly { readonly slice: Slice }[]): number =>
  planned.reduce((total, { slice }) => total + slice.bytes, 0);
