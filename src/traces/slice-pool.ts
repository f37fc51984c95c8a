// Slices spread over worker threads, one slice a thread at a time, results in the order of the slices.
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { workerEntry } from "../base/worker-entry.ts";
import type { ImportOptions } from "./importers/import-slice.ts";
import type { Slice } from "./importers/slice.ts";
import { labelSlice, type SliceResult } from "./label-slice.ts";
import { type LabellerSpec, readerOf } from "./labeller-spec.ts";
import type { SliceAnswer, SliceTask } from "./slice-worker.ts";
import type { TraceReader } from "./trace-reader.ts";

export type PlannedSlice = { readonly slice: Slice; readonly options: ImportOptions };

export type PoolOptions = {
  /** What a folder describes is loaded in threads; any other labeller is asked from here. */
  readonly labeller: LabellerSpec;
  readonly workers?: number;
  readonly onSlice?: (slice: Slice, result: SliceResult) => void;
};

export async function labelSlices(
  planned: readonly PlannedSlice[],
  options: PoolOptions,
  reader?: TraceReader,
): Promise<SliceResult[]> {
  const { labeller, onSlice } = options;
  const workers = Math.min(options.workers ?? availableParallelism(), planned.length);
  if (labeller.classifier === undefined || "folder" in labeller.classifier) {
    if (workers > 1) return inThreads(planned, workers, labeller, onSlice);
  }
  const own = reader ?? (await readerOf(labeller));
  const results: SliceResult[] = [];
  for (const [index, { slice, options }] of planned.entries()) {
    results.push(await labelSlice(slice, index, options, own));
    onSlice?.(slice, results[index]);
  }
  return results;
}

function inThreads(
  planned: readonly PlannedSlice[],
  workers: number,
  labeller: LabellerSpec,
  onSlice: PoolOptions["onSlice"],
): Promise<SliceResult[]> {
  const results = new Array<SliceResult>(planned.length);
  let next = 0;
  let answered = 0;
  const threads: Worker[] = [];
  return new Promise<SliceResult[]>((resolve, reject) => {
    const dispatch = (thread: Worker) => {
      if (next === planned.length) return;
      const index = next++;
      const task: SliceTask = { index, ...planned[index] };
      thread.postMessage(task);
    };
    for (let i = 0; i < workers; i++) {
      const thread = new Worker(workerEntry(import.meta.url, "./slice-worker.ts"), { workerData: labeller });
      threads.push(thread);
      thread.on("error", reject);
      thread.on("message", (answer: SliceAnswer) => {
        if ("failure" in answer) {
          reject(new Error(`${planned[answer.index].slice.path}: ${answer.failure}`));
          return;
        }
        results[answer.index] = answer.result;
        onSlice?.(planned[answer.index].slice, answer.result);
        answered += 1;
        if (answered === planned.length) resolve(results);
        else dispatch(thread);
      });
      dispatch(thread);
    }
  }).finally(() => Promise.all(threads.map((thread) => thread.terminate())));
}
