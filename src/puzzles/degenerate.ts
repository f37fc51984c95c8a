// Answers that need no thought: what they earn says how much of a reward is a gift. For tables and tests, not for grading.
import { writeGrid } from "./grid-text.ts";
import type { AnyPuzzle } from "./puzzle.ts";

/** Text by what it is. Puzzles with a lazy strategy of their own (`lazyAnswers`) say so; constants are tried for all. */
export function degenerateAnswers(puzzle: AnyPuzzle, instance: unknown, solution: unknown): Record<string, string> {
  const { width } = puzzle.size(instance);
  const initial = puzzle.initialCells(instance);
  const solved = puzzle.answerCells(instance, solution);
  const answers: Record<string, string> = { "the board as given": writeGrid(initial, width) };
  const found = new Set(solved.filter((symbol, cell) => symbol !== initial[cell]));
  for (const symbol of found) {
    // A given cell stays what it is.
    const cells = solved.map((right, cell) => (right === initial[cell] && /[^.?]/.test(right) ? right : symbol));
    answers[`${symbol} everywhere`] = writeGrid(cells, width);
  }
  return { ...answers, ...puzzle.lazyAnswers?.(instance) };
}
