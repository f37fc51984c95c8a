// From slices to records: labeled on all cores, numbered and merged. What could not be used is counted and named beside them.
import type { PlannedSlice } from "../imports/plan.ts";
import { noOddities, type Oddities } from "../imports/read-slice.ts";
import { SkipCounts, type SkipReason, sameAttempt } from "../imports/skips.ts";
import type { SliceResult } from "./label-slice.ts";
import { type LabelerDescription, labelerId } from "./labeler.ts";
import { labelSlices, type PoolOptions } from "./slice-pool.ts";
import type { TraceReader } from "./trace-reader.ts";
import type { TraceRecord } from "./trace-record.ts";

export type ReadTraces = {
  readonly records: readonly TraceRecord[];
  readonly labelers: readonly LabelerDescription[];
  readonly skipped: readonly SkipReason[];
  readonly oddities: Oddities;
  readonly spans: number;
};

export async function readTraces(
  planned: readonly PlannedSlice[],
  pool: PoolOptions,
  reader?: TraceReader,
): Promise<ReadTraces> {
  return merged(planned, await labelSlices(planned, pool, reader));
}

function merged(planned: readonly PlannedSlice[], results: readonly SliceResult[]): ReadTraces {
  const skips = new SkipCounts();
  const oddities = noOddities();
  const records: TraceRecord[] = [];
  const labelers = new Map<string, LabelerDescription>();
  const attempts = new Map<string, Set<number>>();
  let spans = 0;
  for (const [i, result] of results.entries()) {
    skips.merge(result.skipped);
    if (result.records.length === 0 && result.skipped.length === 0) skips.add("nothing in it", planned[i].slice.path);
    for (const key of Object.keys(oddities) as (keyof Oddities)[]) oddities[key] += result.oddities[key];
    for (const labeler of result.labelers) labelers.set(labelerId(labeler), labeler);
    spans += result.spans;
    for (const record of result.records) {
      const key = `${record.stage}\u0000${record.checkpoint}\u0000${record.problem}`;
      let taken = attempts.get(key);
      if (taken === undefined) {
        taken = new Set();
        attempts.set(key, taken);
      }
      if (record.attempt !== undefined && taken.has(record.attempt)) {
        const place = `${planned[record.slice].slice.path}: ${record.problem}, attempt ${record.attempt}`;
        skips.add(sameAttempt, place);
        continue;
      }
      const attempt = record.attempt ?? taken.size;
      taken.add(attempt);
      records.push({ ...record, attempt });
    }
  }
  return {
    records,
    labelers: [...labelers.values()].sort((a, b) => (labelerId(a) < labelerId(b) ? -1 : 1)),
    skipped: skips.reasons(),
    oddities,
    spans,
  };
}
