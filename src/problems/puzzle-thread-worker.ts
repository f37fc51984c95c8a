// The thread in which PuzzleThread works.
import { answerTasks } from "../base/deadline-pool.ts";
import { messageOf, UserError } from "../base/errors.ts";
import { GenerationError, ImpossibleRequestError } from "../puzzles/puzzle.ts";
import { puzzleAnswer } from "./puzzle-tasks.ts";
import type { FromPuzzleThread, PuzzleTask } from "./puzzle-thread.ts";

answerTasks((task: PuzzleTask): FromPuzzleThread => {
  try {
    return { kind: "done", answer: puzzleAnswer(task) };
  } catch (error) {
    // What somebody gave us was wrong is an answer; anything else is our bug and ends the thread with its stack.
    if (!(error instanceof UserError)) throw error;
    return { kind: "refused", message: messageOf(error), failure: failureOf(error) };
  }
});

function failureOf(error: UserError) {
  return error instanceof ImpossibleRequestError
    ? "impossible"
    : error instanceof GenerationError
      ? "not-found"
      : "request";
}
