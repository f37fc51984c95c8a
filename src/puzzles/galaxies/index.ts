// Galaxies (tentai show): divide the grid into regions, each symmetric about its one dot.

import { type Puzzle, squares } from "../puzzle.ts";
import { answerCells, initialCells, nearestDots } from "./cells.ts";
import { galaxiesModel } from "./constraints.ts";
import { enumerateGalaxies } from "./enumeration.ts";
import { generateGalaxies } from "./generator.ts";
import { difficulties, type GalaxiesBoard, type GalaxiesInstance, type GalaxiesParams } from "./instance.ts";
import { galaxiesViolations, judgeGalaxies } from "./judgment.ts";
import { readAnswer, renderAnswer, renderGivens, rules, rulesFor } from "./language.ts";
import { readId, readMove, readParams, writeId, writeMove, writeParams } from "./notation.ts";
import { drawingOf, svgOf } from "./pictures.ts";
import { galaxiesPlaying } from "./playing.ts";
import { galaxiesEffort, galaxiesSolutions, gradeGalaxies, solveGalaxies } from "./solver.ts";
import { imagesOf } from "./symmetry.ts";

export type { Dot, GalaxiesBoard, GalaxiesInstance, GalaxiesParams } from "./instance.ts";

export const galaxies: Puzzle<GalaxiesInstance, GalaxiesBoard, GalaxiesParams> = {
  name: "galaxies",
  title: "Galaxies",
  difficulties,
  rules,
  rulesFor,
  promptExamples: ["5x3:enhdm", "5x3:gdul"],
  usual: {
    small: "4x4dn",
    training: "3x3dn",
    tour: "5x5dn",
    play: "7x7",
    compared: squares([3, 5, 7, 10, 15], ["dn", "du"]),
    // No board of this size needs search.
    miniature: { training: "4x3dn", larger: "4x4dn" },
  },
  example: "5x5:kcbkzddl",
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
  constraints: galaxiesModel,
  playing: galaxiesPlaying,
};
