// Galaxies (tentai show): divide the grid into regions, each symmetric about its one dot.
import type { Puzzle } from "../puzzle.ts";
import { answerCells, initialCells, nearestDots } from "./cells.ts";
import { enumerateGalaxies } from "./enumeration.ts";
import { generateGalaxies } from "./generator.ts";
import { difficulties, type GalaxiesBoard, type GalaxiesInstance, type GalaxiesParams } from "./instance.ts";
import { galaxiesViolations, judgeGalaxies } from "./judgement.ts";
import { readAnswer, renderAnswer, renderGivens, rules } from "./language.ts";
import { readId, readMove, readParams, writeId, writeMove, writeParams } from "./notation.ts";
import { drawingOf, svgOf } from "./pictures.ts";
import { galaxiesEffort, galaxiesSolutions, gradeGalaxies, solveGalaxies } from "./solver.ts";
import { imagesOf } from "./symmetry.ts";

export type { Dot, GalaxiesBoard, GalaxiesInstance, GalaxiesParams } from "./instance.ts";

export const galaxies: Puzzle<GalaxiesInstance, GalaxiesBoard, GalaxiesParams> = {
  name: "galaxies",
  title: "Galaxies",
  difficulties,
  rules,
  readParams,
  writeParams,
  readId,
  writeId,
  writeMove,
  readMove,
  size: ({ width, height }) => ({ width, height }),
  solve: solveGalaxies,
  difficulty: gradeGalaxies,
  effort: galaxiesEffort,
  solutions: galaxiesSolutions,
  generate: generateGalaxies,
  enumerate: enumerateGalaxies,
  images: imagesOf,
  renderGivens,
  renderAnswer,
  readAnswer,
  judge: judgeGalaxies,
  violations: galaxiesViolations,
  lazyAnswers: (instance) => ({ "every cell to its nearest dot": renderAnswer(instance, nearestDots(instance)) }),
  initialCells,
  answerCells,
  svg: svgOf,
  draw: drawingOf,
};
