// The thread in which PuzzleThread works: takes one task at a time and answers it.
import { parentPort } from "node:worker_threads";
import { messageOf, UserError } from "../base/errors.ts";
import { GenerationError, ImpossibleRequestError } from "../puzzles/puzzle.ts";
import { puzzleAnswer } from "./puzzle-tasks.ts";
import type { FromPuzzleThread, PuzzleTask } from "./puzzle-thread.ts";

if (parentPort === null) throw new Error("puzzle-thread-worker runs as a worker thread of PuzzleThread only");
const port = parentPort;
const send = (message: FromPuzzleThread) => port.postMessage(message);

port.on("message", (task: PuzzleTask) => {
  try {
    send({ kind: "done", answer: puzzleAnswer(task) });
  } catch (error) {
    // What somebody gave us was wrong is an answer; anything else is our bug and ends the thread with its stack.
    if (!(error instanceof UserError)) throw error;
    send({ kind: "refused", message: messageOf(error), failure: failureOf(error) });
  }
});
const failureOf = (error: UserError) =>
  error instanceof ImpossibleRequestError ? "impossible" : error instanceof GenerationError ? "not-found" : "request";
send({ kind: "ready" });
