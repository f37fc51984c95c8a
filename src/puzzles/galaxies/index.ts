// Galaxies (tentai show): divide the grid into regions, each symmetric about its one dot.
import { puzzleOf } from "../defaults.ts";
import { writeGrid } from "../grid-text.ts";
import type { Puzzle } from "../puzzle.ts";
import { movesOf } from "../symmetry.ts";
import { answerCells, initialCells, nearestDots, openCellsTo } from "./cells.ts";
import { galaxiesModel } from "./constraints.ts";
import { galaxiesBoards, mostCellsListed } from "./enumeration.ts";
import { generateGalaxies } from "./generator.ts";
import { difficulties, dotLabels, type GalaxiesBoard, type GalaxiesInstance, type GalaxiesParams } from "./instance.ts";
import { readAnswer, renderAnswer, renderGivens, rules } from "./language.ts";
import { readId, readMove, readParams, writeId, writeMove, writeParams } from "./notation.ts";
import { drawingOf, svgOf } from "./pictures.ts";
import { galaxiesPlaying } from "./playing.ts";
import { galaxiesEffort, galaxiesSolutions } from "./solver.ts";

export type { Dot, GalaxiesBoard, GalaxiesInstance, GalaxiesParams } from "./instance.ts";

/**
 * Every image has white dots. Color changes nothing about a puzzle, so two that differ in color alone must have the same
 * canonical form.
 */
function imagesOf({ width, height, dots }: GalaxiesInstance): readonly GalaxiesInstance[] {
  return movesOf(width, height, 2 * width, 2 * height).map((move) => ({
    width,
    height,
    dots: dots
      .map(({ x, y }) => {
        const [movedX, movedY] = move(x, y);
        return { x: movedX, y: movedY };
      })
      .sort((one, other) => one.y - other.y || one.x - other.x),
  }));
}

export const galaxies: Puzzle<GalaxiesInstance, GalaxiesBoard, GalaxiesParams> = puzzleOf({
  name: "galaxies",
  title: "Galaxies",
  difficulties,
  rules,
  promptExamples: ["5x3:enhdm", "5x3:gdul"],
  usual: {
    small: "4x4dn",
    training: "3x3dn",
    tour: "5x5dn",
    play: "7x7",
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
  effort: galaxiesEffort,
  solutions: galaxiesSolutions,
  generate: generateGalaxies,
  solvedBoards: (params) => (params.width * params.height > mostCellsListed ? undefined : galaxiesBoards(params)),
  images: imagesOf,
  renderGivens,
  renderAnswer,
  readAnswer,
  lazyAnswers(instance) {
    // All dots, also those that own no more than they touch: which of them own what is open is not known without thought.
    const names = dotLabels(instance);
    const filled = (name: (cell: number) => string) => writeGrid(openCellsTo(instance, name), instance.width);
    return {
      "every cell to its nearest dot": renderAnswer(instance, nearestDots(instance)),
      "all symbols in turn by rows": filled((cell) => names[Math.floor(cell / instance.width) % names.length]),
      "all symbols in turn by cells": filled((cell) => names[cell % names.length]),
      ...Object.fromEntries(names.map((name) => [`${name} everywhere`, filled(() => name)])),
    };
  },
  initialCells,
  answerCells,
  svg: svgOf,
  draw: drawingOf,
  constraints: galaxiesModel,
  playing: galaxiesPlaying,
});
