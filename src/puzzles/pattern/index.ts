// Pattern (a nonogram): fill cells so that every row and column has the runs of full cells that its clue lists.
import { puzzleOf } from "../defaults.ts";
import type { Puzzle } from "../puzzle.ts";
import { patternModel } from "./constraints.ts";
import { patternEffort } from "./difficulty.ts";
import { drawPattern, patternSvg } from "./drawing.ts";
import { generatePattern } from "./generate.ts";
import { type PatternBoard, type PatternInstance, type PatternParams, patternDifficulties } from "./instance.ts";
import { patternRules, readPatternAnswer, renderPatternAnswer, renderPatternGivens } from "./language.ts";
import {
  longestSide,
  readPatternId,
  readPatternMove,
  readPatternParams,
  writePatternId,
  writePatternMove,
  writePatternParams,
} from "./notation.ts";
import { patternPlaying } from "./playing.ts";
import { patternSolutions } from "./solve.ts";
import { patternImages } from "./symmetries.ts";
import { patternBoards } from "./worlds.ts";

export type { PatternBoard, PatternDifficulty, PatternInstance, PatternParams } from "./instance.ts";

export const pattern: Puzzle<PatternInstance, PatternBoard, PatternParams> = puzzleOf({
  name: "pattern",
  title: "Pattern",
  difficulties: patternDifficulties,
  rules: patternRules,
  promptExamples: ["5x3:2/2/2/1/1/1/3/1.3", "5x3:2/1/1/2/1/1/4/2"],
  sizeNote: `no side over ${longestSide}`,
  usual: {
    small: "4x4",
    training: "4x4",
    tour: "5x5",
    play: "10x10",
    miniature: { training: "4x4", larger: "5x4", search: "4x4" },
  },
  example: "5x5:1/1/3/4/3/1.3/3/3/1/1",

  readParams: readPatternParams,
  writeParams: writePatternParams,
  readId: readPatternId,
  writeId: writePatternId,
  writeMove: (_, board) => writePatternMove(board),
  readMove: readPatternMove,

  effort: (instance) => patternEffort(instance),
  solutions: patternSolutions,
  generate: generatePattern,
  solvedBoards: patternBoards,
  images: patternImages,

  renderGivens: renderPatternGivens,
  renderAnswer: renderPatternAnswer,
  readAnswer: readPatternAnswer,

  // A cell that is not given shows "?", which no answer can hold: leaving a board as it is earns nothing, and every cell
  // that had to be found weighs the same whether it is full or empty.
  initialCells: ({ width, height, prefilled }) => [...(prefilled ?? "?".repeat(width * height))],
  answerCells: (_, board) => [...board.cells],

  svg: patternSvg,
  draw: drawPattern,
  constraints: patternModel,
  playing: patternPlaying,
});
