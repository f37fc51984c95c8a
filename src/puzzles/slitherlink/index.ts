// Slitherlink, which Simon Tatham calls Loopy: one closed loop along the sides of cells, some of which say how many of
// theirs it takes.
import { puzzleOf } from "../defaults.ts";
import { cellPlaying, unknown } from "../playing.ts";
import type { Puzzle } from "../puzzle.ts";
import { gridImages } from "../symmetry.ts";
import { slitherlinkModel } from "./constraints.ts";
import { draw, svg } from "./drawing.ts";
import { enumerateSlitherlink } from "./enumeration.ts";
import { generateSlitherlink } from "./generator.ts";
import {
  inside,
  noClue,
  outside,
  type SlitherlinkBoard,
  type SlitherlinkInstance,
  type SlitherlinkParams,
  slitherlinkDifficulties,
} from "./instance.ts";
import { readAnswer, renderAnswer, renderGivens, rules } from "./language.ts";
import { readId, readMove, readParams, writeId, writeMove, writeParams } from "./notation.ts";
import { slitherlinkEffort, slitherlinkSolutions } from "./solver.ts";

export type { SlitherlinkBoard, SlitherlinkDifficulty, SlitherlinkInstance, SlitherlinkParams } from "./instance.ts";

const slitherlinkPlaying = cellPlaying<SlitherlinkInstance, SlitherlinkBoard>({
  how: "Click a cell: inside the loop, then outside, then not known. The loop runs where inside and outside meet. On the keyboard: arrows move, x or i puts inside, . or o outside, Backspace clears.",
  symbols: () => ({ [inside]: "inside", [outside]: "outside" }),
  keys: { x: inside, i: inside, o: outside },
  start: ({ width, height }) => Array.from({ length: width * height }, () => unknown),
  fixed: () => false,
  board: (cells) => ({ cells: cells.join("") }),
  openCounts: outside,
  clue: ({ clues }, cell) => (clues[cell] === noClue ? "no number" : `number ${clues[cell]}`),
});

export const slitherlink: Puzzle<SlitherlinkInstance, SlitherlinkBoard, SlitherlinkParams> = puzzleOf({
  name: "slitherlink",
  original: "loopy",
  title: "Slitherlink",
  difficulties: slitherlinkDifficulties,
  rules,
  usual: {
    small: "4x4t0dn",
    training: "5x5t0de",
    tour: "5x5t0dn",
    play: "7x7t0",
  },
  example: "5x5t0:a12a32d2a1b30a31b1a1",
  readParams,
  writeParams,
  readId,
  writeId,
  writeMove,
  readMove,
  effort: slitherlinkEffort,
  solutions: slitherlinkSolutions,
  generate: generateSlitherlink,
  enumerate: enumerateSlitherlink,
  images: ({ width, height, clues }) =>
    gridImages([...clues], width, height).map((moved) => ({ width, height, clues: moved.join("") })),
  renderGivens,
  renderAnswer,
  readAnswer,
  // Nothing of an answer is given, so every cell has to be found and weighs the same.
  initialCells: ({ width, height }) => Array.from({ length: width * height }, () => "?"),
  answerCells: (_instance, board) => [...board.cells],
  svg,
  draw,
  constraints: slitherlinkModel,
  playing: slitherlinkPlaying,
});
