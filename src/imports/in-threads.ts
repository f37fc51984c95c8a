// Tasks spread over worker threads, one task a thread at a time. A thread gets its next task when the answer of the last
// one has been dealt with, so that no more answers wait than there are threads.
import type { Worker } from "node:worker_threads";
import { messageOf } from "../base/errors.ts";

export type Answer<Result> = { readonly index: number } & ({ readonly result: Result } | { readonly failure: string });
type Indexed = { readonly index: number };

/** In a thread: answers every task it is given. */
export async function answered<Result>(index: number, work: () => Promise<Result>): Promise<Answer<Result>> {
  try {
    return { index, result: await work() };
  } catch (error) {
    return { index, failure: messageOf(error) };
  }
}

export function inThreads<Task extends Indexed, Result>(
  tasks: readonly Task[],
  workers: number,
  start: () => Worker,
  done: (index: number, result: Result) => Promise<void>,
): Promise<void> {
  let next = 0;
  let finished = 0;
  const threads: Worker[] = [];
  return new Promise<void>((resolve, reject) => {
    const dispatch = (thread: Worker) => {
      if (next < tasks.length) thread.postMessage(tasks[next++]);
    };
    for (let i = 0; i < Math.min(workers, tasks.length); i++) {
      const thread = start();
      threads.push(thread);
      thread.on("error", reject);
      thread.on("message", (answer: Answer<Result>) => {
        if ("failure" in answer) {
          reject(new Error(answer.failure));
          return;
        }
        done(answer.index, answer.result).then(() => {
          dispatch(thread);
          if (++finished === tasks.length) resolve();
        }, reject);
      });
      dispatch(thread);
    }
    if (tasks.length === 0) resolve();
  }).finally(() => Promise.all(threads.map((thread) => thread.terminate())));
}
