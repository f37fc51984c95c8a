// Tasks spread over worker threads, one task a thread at a time. A thread gets its next task when the answer of the last
// one has been dealt with, so that no more answers wait than there are threads.
import type { Worker } from "node:worker_threads";
import { WorkerCalls } from "../base/worker-thread.ts";

/** The threads' file calls `answerCalls`. */
export async function inThreads<Task extends { readonly index: number }, Result>(
  tasks: readonly Task[],
  workers: number,
  start: () => Worker,
  done: (index: number, result: Result) => Promise<void>,
): Promise<void> {
  let next = 0;
  const threads = Array.from({ length: Math.min(workers, tasks.length) }, () => new WorkerCalls<Task>(start()));
  const lane = async (thread: WorkerCalls<Task>) => {
    while (next < tasks.length) {
      const task = tasks[next++];
      await done(task.index, await thread.call<Result>(task));
    }
  };
  try {
    await Promise.all(threads.map(lane));
  } finally {
    await Promise.all(threads.map((thread) => thread.end()));
  }
}
