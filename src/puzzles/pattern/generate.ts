// Puzzles to order: says at once what cannot exist, else has a picture made and reads its clues.
import type { Random } from "../../base/random.ts";
import { checkRequest } from "../notation.ts";
import { type Generated, GenerationError, ImpossibleRequestError } from "../puzzle.ts";
import {
  instanceOf,
  type PatternBoard,
  type PatternDifficulty,
  type PatternInstance,
  type PatternParams,
  patternDifficulties,
} from "./instance.ts";
import { cellsOf } from "./mark.ts";
import { patternForm, writePatternParams } from "./notation.ts";
import { PictureMaker } from "./picture-maker.ts";

export function generatePattern(params: PatternParams, random: Random): Generated<PatternInstance, PatternBoard> {
  const { width, height } = params;
  checkRequest(patternForm, params);
  const problem = impossible(params);
  if (problem !== undefined) throw new ImpossibleRequestError(`pattern ${writePatternParams(params)}: ${problem}`);
  const maker = new PictureMaker(params, random);
  const difficulty = maker.make();
  if (difficulty === undefined) {
    throw new GenerationError(
      `pattern ${writePatternParams(params)}: none found in ${maker.effort} looks at a line; try another seed, difficulty or size`,
    );
  }
  const cells = cellsOf(maker.picture);
  return { instance: instanceOf(cells, width, height), solution: { cells }, difficulty };
}

/** What is known from grading every picture of all sizes up to 25 cells: beyond them some are unreasonable, if ever so few. */
function hardestAt(width: number, height: number): PatternDifficulty {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (short === 1 || (short === 2 && long <= 3) || (short === 3 && long === 3)) return "easy";
  if (short * long <= 25) return "tricky";
  return "unreasonable";
}

function impossible({ width, height, difficulty, fullPercent = 50 }: PatternParams): string | undefined {
  if (!(fullPercent >= 1 && fullPercent <= 99)) return `the per cent of full cells must be 1 to 99, not ${fullPercent}`;
  if (difficulty === undefined) return undefined;
  const level = patternDifficulties.indexOf(difficulty);
  const hardest = hardestAt(width, height);
  if (level > patternDifficulties.indexOf(hardest)) {
    return `no ${difficulty} puzzle of this size exists; the hardest is ${hardest}`;
  }
  // Two lines are so little that sliding and line logic come apart only from a length of seven on.
  if (difficulty === "normal" && Math.min(width, height) === 2 && Math.max(width, height) < 7) {
    return "no normal puzzle of this size exists, only easy and tricky ones";
  }
  return undefined;
}
