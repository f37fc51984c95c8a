// A worker thread that reads and labels logs, one task after another.
import { parentPort } from "node:worker_threads";
import { messageOf } from "../base/errors.ts";
import { summaryOf } from "../evaluation/summarize.ts";
import { defaultLabeler, readerOf } from "../traces/labeler-spec.ts";
import type { TraceReader } from "../traces/trace-reader.ts";
import type { FolderSpec, IndexingAnswer, IndexingTask } from "./indexing-thread.ts";
import { labelStretch, readGradeLines, readRollouts } from "./log-reading.ts";

const port = parentPort;
if (port !== null) {
  const readers = new Map<string, Promise<TraceReader>>();
  const readerFor = (spec: FolderSpec): Promise<TraceReader> => {
    const key = JSON.stringify(spec);
    let reader = readers.get(key);
    if (reader === undefined) readers.set(key, (reader = readerOf(spec)));
    return reader;
  };
  // The shipped one at once, because it takes a moment and is nearly always asked for.
  readerFor(defaultLabeler as FolderSpec).catch(() => {});
  const perform = async (task: IndexingTask): Promise<unknown> => {
    if (task.task === "rollouts") return readRollouts(task.path, task.kind, task.start);
    if (task.task === "grades") return readGradeLines(task.path, task.start);
    if (task.task === "summary") return summaryOf(task.tallies, { policy: task.policy, servedBy: [], warnings: [] });
    return labelStretch(task, await readerFor(task.labeler));
  };
  let last = Promise.resolve();
  port.on("message", ({ id, ...task }: IndexingTask & { readonly id: number }) => {
    last = last.then(async () => {
      try {
        port.postMessage({ id, result: await perform(task) } satisfies IndexingAnswer);
      } catch (error) {
        port.postMessage({ id, failure: messageOf(error) } satisfies IndexingAnswer);
      }
    });
  });
}
