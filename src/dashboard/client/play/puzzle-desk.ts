// Hands puzzle tasks to a worker, one at a time; the newest of a kind replaces one that is still being worked on. A page
// without a server does the work itself.
import { inPage } from "../data/labs.ts";
import { answerTask, type PlayTask, type PuzzleAnswer } from "./puzzle-tasks.ts";

// Known only while the script that loads the page runs.
const workerAddress = document.currentScript?.dataset.puzzleWorker;

export function workOn(task: PlayTask, signal: AbortSignal): Promise<PuzzleAnswer> {
  if (inPage || workerAddress === undefined) return Promise.resolve().then(() => answerTask(task));
  return new Promise((resolve) => {
    const worker = new Worker(workerAddress);
    const finish = (answer: PuzzleAnswer) => {
      worker.terminate();
      resolve(answer);
    };
    signal.addEventListener("abort", () => worker.terminate());
    worker.onmessage = ({ data }: MessageEvent<PuzzleAnswer>) => finish(data);
    worker.onerror = (event) => finish({ task: "failed", because: event.message || "the worker could not be started" });
    worker.postMessage(task);
  });
}
