// What a Bridges instance, answer and request are, and the one character that stands for each thing on a board.
import type { PuzzleParams } from "../puzzle.ts";

export const difficulties = ["easy", "medium", "hard", "unreasonable"] as const;
export type BridgesDifficulty = (typeof difficulties)[number];

export type LoopRule = "allowed" | "forbidden";

export type BridgesInstance = {
  readonly width: number;
  readonly height: number;
  /** Most bridges that may run side by side between two islands: 1 to 4. */
  readonly maxBridges: number;
  readonly loops: LoopRule;
  /** Row by row: how many bridges end in this cell, or 0 where there is no island. */
  readonly clues: readonly number[];
};

/** An answer as it was written, one symbol a cell, row by row; rewritten islands included, so that they can be called wrong. */
export type BridgesBoard = { readonly cells: readonly string[] };

export type BridgesParams = PuzzleParams & {
  readonly difficulty?: BridgesDifficulty;
  readonly maxBridges: number;
  readonly loops: LoopRule;
  /** How many cells of a hundred are islands, at most: 1 to 30. */
  readonly islandPercent: number;
  /** How often of a hundred a bridge is drawn as long as it can be, or on to an island that stands there: 0 to 100. */
  readonly expansionPercent: number;
};

export const mostBridges = 4;

export const largestClue = 4 * mostBridges;

export const water = ".";
/** Indexed by how many bridges run side by side. */
export const horizontalSymbols = [water, "-", "=", "~", "%"] as const;
export const verticalSymbols = [water, "|", "#", "!", "$"] as const;

export const clueSymbols = "123456789ABCDEFG";

/** `1` to `9`, then `A` to `G` for 10 to 16, as in Tatham's ids. */
export function clueSymbol(clue: number): string {
  return clueSymbols[clue - 1];
}
