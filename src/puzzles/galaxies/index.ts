// Galaxies (tentai show): divide the grid into regions, each symmetric about its one dot.
import type { Puzzle } from "../puzzle.ts";
import { answerCells, initialCells } from "./cells.ts";
import { enumerateGalaxies } from "./enumeration.ts";
import { generateGalaxies } from "./generator.ts";
import { difficulties, type GalaxiesBoard, type GalaxiesInstance, type GalaxiesParams } from "./instance.ts";
import { judgeGalaxies } from "./judgement.ts";
import { readAnswer, renderAnswer, renderGivens, rules } from "./language.ts";
import { readId, readMove, readParams, writeId, writeMove, writeParams } from "./notation.ts";
import { drawingOf, svgOf } from "./pictures.ts";
import { gradeGalaxies, solveGalaxies } from "./solver.ts";
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
  generate: generateGalaxies,
  enumerate: enumerateGalaxies,
  images: imagesOf,
  renderGivens,
  renderAnswer,
  readAnswer,
  judge: judgeGalaxies,
  initialCells,
  answerCells,
  svg: svgOf,
  draw: drawingOf,
};
