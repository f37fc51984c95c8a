// Slices spread over worker threads, one slice a thread at a time, results in the order of the slices.
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { workerEntry } from "../base/worker-entry.ts";
import { BuiltinClassifier } from "./classifier/builtin-classifier.ts";
import type { Slice } from "./importers/slice.ts";
import { type LabelOptions, labelSlice, type SliceResult } from "./label-slice.ts";
import type { SliceAnswer, SliceTask } from "./slice-worker.ts";
import type { SpanClassifier } from "./span-classifier.ts";

export type PlannedSlice = { readonly slice: Slice; readonly options: LabelOptions };

export type PoolOptions = {
  /** The shipped classifier or a folder of one runs in threads; any other is asked from here. */
  readonly classifier: SpanClassifier | { readonly folder?: string };
  readonly workers?: number;
  readonly onSlice?: (slice: Slice, result: SliceResult) => void;
};

export async function labelSlices(planned: readonly PlannedSlice[], options: PoolOptions): Promise<SliceResult[]> {
  const { classifier, onSlice } = options;
  const workers = Math.min(options.workers ?? availableParallelism(), planned.length);
  if ("label" in classifier || workers <= 1) {
    const labeller = "label" in classifier ? classifier : await BuiltinClassifier.load(classifier.folder);
    const results: SliceResult[] = [];
    for (const [index, { slice, options }] of planned.entries()) {
      results.push(await labelSlice(slice, index, options, labeller));
      onSlice?.(slice, results[index]);
    }
    return results;
  }
  return inThreads(planned, workers, classifier.folder, onSlice);
}

function inThreads(
  planned: readonly PlannedSlice[],
  workers: number,
  folder: string | undefined,
  onSlice: PoolOptions["onSlice"],
): Promise<SliceResult[]> {
  const results = new Array<SliceResult>(planned.length);
  let next = 0;
  let answered = 0;
  const threads: Worker[] = [];
  return new Promise<SliceResult[]>((resolve, reject) => {
    const give = (thread: Worker) => {
      if (next === planned.length) return;
      const index = next++;
      const task: SliceTask = { index, ...planned[index] };
      thread.postMessage(task);
    };
    for (let i = 0; i < workers; i++) {
      const thread = new Worker(workerEntry(import.meta.url, "./slice-worker.ts"), {
        workerData: { classifier: folder },
      });
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
        else give(thread);
      });
      give(thread);
    }
  }).finally(() => Promise.all(threads.map((thread) => thread.terminate())));
}
