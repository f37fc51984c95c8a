// Slices spread over worker threads, one slice a thread at a time, results in the order of the slices.
import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import { inParallel } from "../base/in-parallel.ts";
import { startWorker } from "../base/worker-thread.ts";
import type { ImportOptions } from "../imports/import-slice.ts";
import type { Slice } from "../imports/slice.ts";
import { labelSlice, type SliceResult } from "./label-slice.ts";
import { type LabelerSpec, readerOf } from "./labeler-spec.ts";
import type { SliceCache } from "./slice-cache.ts";
import type { SliceAnswer, SliceTask } from "./slice-worker.ts";
import type { TraceReader } from "./trace-reader.ts";

/** Slices that one labeler is asked about at a time: while the last traces of one are labeled, the next is read. */
const slicesAtOnce = 4;

export type PlannedSlice = { readonly slice: Slice; readonly options: ImportOptions };

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
    await cache?.write(planned[index], index, result);
    onSlice?.(planned[index].slice, result, false);
  };
  const workers = Math.min(options.workers ?? availableParallelism(), missing.length);
  if (workers > 1 && labelsInThreads(labeler)) {
    await inThreads(missing, workers, labeler, labeled);
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

function inThreads(
  tasks: readonly SliceTask[],
  workers: number,
  labeler: LabelerSpec,
  labeled: (index: number, result: SliceResult) => Promise<void>,
): Promise<void> {
  let next = 0;
  let answered = 0;
  const threads: Worker[] = [];
  return new Promise<void>((resolve, reject) => {
    const dispatch = (thread: Worker) => {
      if (next < tasks.length) thread.postMessage(tasks[next++]);
    };
    for (let i = 0; i < workers; i++) {
      const thread = startWorker(import.meta.url, "./slice-worker.ts", { workerData: labeler });
      threads.push(thread);
      thread.on("error", reject);
      thread.on("message", (answer: SliceAnswer) => {
        if ("failure" in answer) {
          const task = tasks.find(({ index }) => index === answer.index)!;
          reject(new Error(`${task.slice.path}: ${answer.failure}`));
          return;
        }
        dispatch(thread);
        labeled(answer.index, answer.result).then(() => {
          answered += 1;
          if (answered === tasks.length) resolve();
        }, reject);
      });
      dispatch(thread);
    }
  }).finally(() => Promise.all(threads.map((thread) => thread.terminate())));
}
