// A Slitherlink on a square grid (Simon Tatham's Loopy): what is given, what an answer is, what can be asked for.
import type { PuzzleParams } from "../puzzle.ts";

/** His levels, and one for boards that his kind of reasoning does not solve. */
export const slitherlinkDifficulties = ["easy", "normal", "tricky", "hard", "unreasonable"] as const;
export type SlitherlinkDifficulty = (typeof slitherlinkDifficulties)[number];

export type SlitherlinkParams = PuzzleParams & { readonly difficulty?: SlitherlinkDifficulty };

export const noClue = ".";
export const inside = "#";
export const outside = ".";
export const smallestSide = 3;

export type SlitherlinkInstance = {
  readonly width: number;
  readonly height: number;
  /** Row by row, one character a cell: how many of its sides the loop runs along, 0 to 4, or a dot where that is not said. */
  readonly clues: string;
};

/**
 * Which cells lie inside the loop (#) and which outside (.), row by row. The loop is what separates them; any loop divides
 * the grid in one way only, and this is half as long as a drawing of its lines.
 */
export type SlitherlinkBoard = { readonly cells: string };
