// The four puzzles as they are played by hand.
import type { AnyPuzzle, PuzzleName } from "../../../puzzles/puzzle.ts";
import { bridgesPlaying } from "./bridges-playing.ts";
import type { Cells, Playing } from "./cells.ts";
import { galaxiesPlaying } from "./galaxies-playing.ts";
import { patternPlaying } from "./pattern-playing.ts";
import { undeadPlaying } from "./undead-playing.ts";

const playings = {
  bridges: bridgesPlaying,
  galaxies: galaxiesPlaying,
  pattern: patternPlaying,
  undead: undeadPlaying,
} satisfies Record<PuzzleName, unknown>;

// biome-ignore lint/suspicious/noExplicitAny: the four puzzles have instances of different types behind one interface
export const playingOf = (puzzle: AnyPuzzle): Playing<any> => playings[puzzle.name] as Playing<any>;

/** The cells of an answer, to go on from. */
export function cellsOfBoard(puzzle: AnyPuzzle, instance: unknown, board: unknown): Cells {
  return puzzle.answerCells(instance, board);
}
