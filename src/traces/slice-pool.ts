// Slices spread over worker threads, one slice a thread at a time, results in the order of the slices.
import { availableParallelism } from "node:os";
import { inParallel } from "../base/in-parallel.ts";
import { startWorker } from "../base/worker-thread.ts";
import { inThreads } from "../imports/in-threads.ts";
import type { PlannedSlice } from "../imports/plan.ts";
import type { Slice } from "../imports/slice.ts";
import { labelSlice, type SliceResult } from "./label-slice.ts";
import { type LabelerSpec, readerOf } from "./labeler-spec.ts";
import type { SliceCache } from "./slice-cache.ts";
import type { TraceReader } from "./trace-reader.ts";

/** Slices that one labeler is asked about at a time: while the last traces of one are labeled, the next is read. */
const slicesAtOnce = 4;

export type PoolOptions = {
  /** What a folder describes is loaded in threads; any other labeler is asked from here. */
  readonly labeler: LabelerSpec;
  readonly workers?: number;
  /** Keeps what is labeled, and knows what was. */
  readonly cache?: SliceCache;
  /** `kept` where it was labeled before. */
  readonly onSlice?: (slice: Slice, result: SliceResult, kept: boolean) => void;
};

export async function labelSlices(
  planned: readonly PlannedSlice[],
  options: PoolOptions,
  reader?: TraceReader,
): Promise<SliceResult[]> {
  const { labeler, onSlice, cache } = options;
  const results = new Array<SliceResult>(planned.length);
  for (const [index, one] of planned.entries()) {
    const known = await cache?.read(one, index);
    if (known === undefined) continue;
    results[index] = known;
    onSlice?.(one.slice, known, true);
  }
  const missing = planned.flatMap((one, index) => (results[index] === undefined ? [{ ...one, index }] : []));
  const labeled = async (index: number, result: SliceResult) => {
    results[index] = result;
    await cache?.write(planned[index], result);
    onSlice?.(planned[index].slice, result, false);
  };
  const workers = Math.min(options.workers ?? availableParallelism(), missing.length);
  if (workers > 1 && labelsInThreads(labeler)) {
    const start = () => startWorker(import.meta.url, "./slice-worker.ts", { workerData: labeler });
    await inThreads(missing, workers, start, labeled);
    return results;
  }
  const own = missing.length === 0 ? undefined : (reader ?? (await readerOf(labeler)));
  await inParallel(missing, slicesAtOnce, undefined, async ({ slice, options, index }) =>
    labeled(index, await labelSlice(slice, index, options, own!)),
  );
  return results;
}

/** What a folder describes can be loaded anywhere; anything else is one and is here. */
export const labelsInThreads = ({ classifier }: LabelerSpec): boolean =>
  classifier === undefined || "folder" in classifier;
