// Answers that need no thought: what they earn says how much of a reward is a gift.
import { writeGrid } from "../src/puzzles/grid-text.ts";
import type { AnyPuzzle } from "../src/puzzles/puzzle.ts";

/** Text by what it is. Puzzles with a lazy strategy of their own (`lazyAnswers`) say so; constants are tried for all. */
export function degenerateAnswers(puzzle: AnyPuzzle, instance: unknown, solution: unknown): Record<string, string> {
  const { width } = puzzle.size(instance);
  const initial = puzzle.initialCells(instance);
  const solved = puzzle.answerCells(instance, solution);
  const answers: Record<string, string> = { "the board as given": writeGrid(initial, width) };
  const found = [...new Set(solved.filter((symbol, cell) => symbol !== initial[cell]))].sort();
  // A given cell stays what it is.
  const filled = (symbol: (cell: number) => string) =>
    writeGrid(
      solved.map((right, cell) => (right === initial[cell] && /[^.?]/.test(right) ? right : symbol(cell))),
      width,
    );
  for (const symbol of found) answers[`${symbol} everywhere`] = filled(() => symbol);
  answers["all symbols in turn by rows"] = filled((cell) => found[Math.floor(cell / width) % found.length]);
  answers["all symbols in turn by cells"] = filled((cell) => found[cell % found.length]);
  return { ...answers, ...puzzle.lazyAnswers(instance) };
}
