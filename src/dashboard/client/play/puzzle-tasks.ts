// What takes thought about a puzzle: making a board and solving one. Runs in a worker where a page can have one.
import { Random } from "../../../base/random.ts";
import { type PuzzleName, puzzleNamed } from "../../../puzzles/catalog.ts";

export type PlayTask =
  | {
      readonly task: "generate";
      readonly puzzle: PuzzleName;
      readonly size: string;
      readonly difficulty?: string;
      readonly seed: string;
    }
  | { readonly task: "solve"; readonly puzzle: PuzzleName; readonly id: string };

export type PuzzleAnswer =
  | { readonly task: "generate"; readonly id: string; readonly difficulty: string }
  | {
      readonly task: "solve";
      readonly status: "unique" | "multiple" | "none" | "gave-up";
      /** As a model would write it. */
      readonly answer?: string;
      readonly difficulty?: string;
    }
  | { readonly task: "failed"; readonly because: string };

export function answerTask(task: PlayTask): PuzzleAnswer {
  const puzzle = puzzleNamed(task.puzzle);
  try {
    if (task.task === "generate") {
      const params = puzzle.readParams(task.size);
      const wanted = task.difficulty === undefined ? params : { ...params, difficulty: task.difficulty };
      const { instance, difficulty } = puzzle.generate(wanted, Random.from(task.seed).child("play", task.puzzle));
      return { task: "generate", id: puzzle.writeId(instance), difficulty };
    }
    const instance = puzzle.readId(task.id);
    const solved = puzzle.solve(instance);
    const board =
      solved.status === "unique" ? solved.solution : solved.status === "multiple" ? solved.solutions[0] : undefined;
    return {
      task: "solve",
      status: solved.status,
      answer: board === undefined ? undefined : puzzle.renderAnswer(instance, board),
      difficulty: solved.status === "unique" ? puzzle.difficulty(instance) : undefined,
    };
  } catch (error) {
    return { task: "failed", because: error instanceof Error ? error.message : String(error) };
  }
}
