// A worker thread that reads and labels logs, one task after another.
import { parentPort } from "node:worker_threads";
import { messageOf } from "../base/errors.ts";
import { summaryOf } from "../evaluation/summarise.ts";
import type { IndexingAnswer, IndexingTask } from "./indexing-thread.ts";
import { labelStretch, readGradeLines, readRollouts } from "./log-reading.ts";
import { SpanLabeller } from "./span-labels.ts";

const port = parentPort;
if (port !== null) {
  const labeller = SpanLabeller.load();
  const perform = async (task: IndexingTask): Promise<unknown> => {
    if (task.task === "rollouts") return readRollouts(task.path, task.kind, task.start);
    if (task.task === "grades") return readGradeLines(task.path, task.start);
    if (task.task === "summary") return summaryOf(task.tallies, { policy: task.policy, servedBy: [], warnings: [] });
    return labelStretch(task, await labeller);
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
