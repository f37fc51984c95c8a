// The thread in which PuzzlePool grades: takes tasks, answers with their scores, and shows which task it is at.
import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../base/errors.ts";
import { PuzzleKeys, type ScoringTask } from "./puzzle-keys.ts";
import { failedScore, type Score } from "./score.ts";

export type ToPuzzleWorker = { readonly tasks: readonly ScoringTask[] };
export type FromPuzzleWorker = { readonly ready: true } | { readonly scores: readonly Score[] };

if (parentPort === null) throw new Error("puzzle-pool-worker runs as a worker thread of PuzzlePool only");
const port = parentPort;
const { at } = workerData as { readonly at: Int32Array };
const keys = new PuzzleKeys();
const send = (message: FromPuzzleWorker) => port.postMessage(message);

port.on("message", ({ tasks }: ToPuzzleWorker) => {
  const scores = tasks.map((task, i) => {
    Atomics.store(at, 0, i);
    try {
      return keys.score(task);
    } catch (error) {
      // A bug of ours costs this one rollout its score, and says so; its siblings keep theirs.
      return failedScore(`the grader failed: ${messageOf(error)}`);
    }
  });
  send({ scores });
});
send({ ready: true });
