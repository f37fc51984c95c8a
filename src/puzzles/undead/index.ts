// Undead: ghosts, vampires and zombies in a maze of mirrors, told apart by what is seen from its edges.
import type { Puzzle } from "../puzzle.ts";
import { draw, svg } from "./drawing.ts";
import { enumerateUndead } from "./enumeration.ts";
import { generateUndead } from "./generator.ts";
import { type UndeadBoard, type UndeadInstance, type UndeadParams, undeadDifficulties } from "./instance.ts";
import { judge, violations } from "./judge.ts";
import { readAnswer, renderAnswer, renderGivens, rules } from "./language.ts";
import { readId, readMove, readParams, writeId, writeMove, writeParams } from "./notation.ts";
import { difficultyOf, solveUndead, undeadEffort, undeadSolutions } from "./solver.ts";
import { images } from "./symmetry.ts";

export type { UndeadBoard, UndeadInstance, UndeadParams };

export const undead: Puzzle<UndeadInstance, UndeadBoard, UndeadParams> = {
  name: "undead",
  title: "Undead",
  difficulties: undeadDifficulties,
  rules,
  readParams,
  writeParams,
  readId,
  writeId,
  writeMove,
  readMove,
  size: ({ width, height }) => ({ width, height }),
  solve: solveUndead,
  difficulty: difficultyOf,
  effort: undeadEffort,
  solutions: undeadSolutions,
  generate: generateUndead,
  enumerate: enumerateUndead,
  images,
  renderGivens,
  renderAnswer,
  readAnswer,
  judge,
  violations,
  initialCells: ({ cells }) => [...cells],
  answerCells: (_instance, board) => [...board.cells],
  svg,
  draw,
};
