// Slitherlink, which Simon Tatham calls Loopy: one closed loop along the sides of cells, some of which say how many of
// theirs it takes.
import { type Puzzle, squares } from "../puzzle.ts";
import { gridImages } from "../symmetry.ts";
import { loopyModel } from "./constraints.ts";
import { draw, svg } from "./drawing.ts";
import { enumerateLoopy } from "./enumeration.ts";
import { generateLoopy, mostCellsMade } from "./generator.ts";
import { type LoopyBoard, type LoopyInstance, type LoopyParams, loopyDifficulties } from "./instance.ts";
import { judge, violations } from "./judge.ts";
import { readAnswer, renderAnswer, renderGivens, rules, rulesFor } from "./language.ts";
import { readId, readMove, readParams, writeId, writeMove, writeParams } from "./notation.ts";
import { loopyPlaying } from "./playing.ts";
import { difficultyOf, loopyEffort, loopySolutions, solveLoopy } from "./solver.ts";

export type { LoopyBoard, LoopyDifficulty, LoopyInstance, LoopyParams } from "./instance.ts";

export const loopy: Puzzle<LoopyInstance, LoopyBoard, LoopyParams> = {
  name: "loopy",
  title: "Slitherlink",
  sizeNote: `at most ${mostCellsMade} are made`,
  difficulties: loopyDifficulties,
  rules,
  rulesFor,
  usual: {
    small: "4x4t0dn",
    training: "5x5t0de",
    tour: "5x5t0dn",
    play: "7x7t0",
    compared: squares([4, 5, 7, 10, 15, 20], ["t0de", "t0dn", "t0dt", "t0dh"]),
  },
  example: "5x5t0:a12a32d2a1b30a31b1a1",
  readParams,
  writeParams,
  readId,
  writeId,
  writeMove,
  readMove,
  size: ({ width, height }) => ({ width, height }),
  solve: solveLoopy,
  difficulty: difficultyOf,
  effort: loopyEffort,
  solutions: loopySolutions,
  generate: generateLoopy,
  enumerate: enumerateLoopy,
  images: ({ width, height, clues }) =>
    gridImages([...clues], width, height).map((moved) => ({ width, height, clues: moved.join("") })),
  renderGivens,
  renderAnswer,
  readAnswer,
  judge,
  violations,
  // Nothing of an answer is given, so every cell has to be found and weighs the same.
  initialCells: ({ width, height }) => Array.from({ length: width * height }, () => "?"),
  answerCells: (_instance, board) => [...board.cells],
  svg,
  draw,
  constraints: loopyModel,
  playing: loopyPlaying,
};
