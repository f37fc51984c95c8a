// Flow Free (Numberlink, in which every cell is used and no path touches itself): join dots of a color by paths that fill the grid.
// Simon Tatham has no such program, so its ids are our own: `5x5c3:` and then dots as capitals, with runs of cells without one between.
import type { Random } from "../../base/random.ts";
import { type CellBoard, type CellConstraint, cellPuzzle, place } from "../cell-puzzle.ts";
import { joinedWith, neighborsOf, reachFrom } from "../cell-regions.ts";
import { modelLevels } from "../defaults.ts";
import { readParameters, runsAsLetters, writeParameters } from "../notation.ts";
import { cellSize, ink } from "../picture.ts";
import type { Puzzle, PuzzleParams } from "../puzzle.ts";
import { gridImages } from "../symmetry.ts";
import { pathsOver } from "./paths.ts";

export type FlowFreeInstance = {
  readonly width: number;
  readonly height: number;
  readonly colors: number;
  /** Row by row: a capital, each of which stands in two cells, or a dot. */
  readonly dots: readonly string[];
};

export type FlowFreeParams = PuzzleParams & {
  /** How many; any number unless given. */
  readonly colors?: number;
};

const none = ".";
const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const sides = [3, 24] as const;

const rules = `Flow Free is played on a grid in which pairs of cells hold the same letter. Join the two cells of every letter by a path so that all of these hold:
1. A path goes from one cell to the next to the left, to the right, up or down. It begins in one cell of its letter and ends in the other.
2. Every cell of the grid belongs to exactly one path. Paths do not cross or share cells.
3. No path touches itself: two cells of the same path are neighbors only if one follows the other on the path.

In other words: every cell holds a letter; a cell whose letter was given has exactly one neighbor with the same letter, every other cell has exactly two; and all cells of a letter hang together.

The puzzle is written as a grid, one row per line, cells separated by spaces: the letters that are given, and a dot for every cell to fill in. The answer is the same grid with every dot replaced by the letter of its path. Given letters stay as they are.`;

const colorsOf = (dots: readonly string[]): string[] => letters.filter((letter) => dots.includes(letter));

/** Letters in the order in which they come: what they are called is no part of a puzzle. */
function renamed(dots: readonly string[]): string[] {
  const names = new Map<string, string>();
  return dots.map((dot) => {
    if (dot !== none && !names.has(dot)) names.set(dot, letters[names.size]);
    return names.get(dot) ?? none;
  });
}

function constraintsOf(instance: FlowFreeInstance): CellConstraint[] {
  const { width, height, dots } = instance;
  return neighborsOf(width, height).map((beside, cell) => {
    const wanted = dots[cell] === none ? 2 : 1;
    return {
      name: `${Math.floor(cell / width) + 1}${(cell % width) + 1}`,
      rule: "path",
      clue: String(wanted),
      scope: [cell, ...beside],
      guessed: 1,
      compatible: (values) => {
        let same = 0;
        for (let at = 1; at < values.length; at++) if (values[at] === values[0]) same++;
        return same <= wanted && same + beside.length + 1 - values.length >= wanted;
      },
      title: `the cell at ${place(instance, cell)}`,
      demand: `exactly ${wanted === 1 ? "one of its neighbors belongs" : "two of its neighbors belong"} to its path`,
    };
  });
}

/** A letter is where its two cells can reach; what they cannot do without is theirs. */
function joined({ width, height, dots }: FlowFreeInstance, possible: readonly number[]): number[] | undefined {
  let left: number[] | undefined = [...possible];
  for (const [color, letter] of colorsOf(dots).entries())
    left = left && joinedWith(dots.indexOf(letter), neighborsOf(width, height), color, left);
  return left;
}

/** The cells that do not hang together with a given cell of their letter. */
function cutOff({ width, height, dots }: FlowFreeInstance, values: readonly number[]): number[] {
  const starts = colorsOf(dots).map((letter) => dots.indexOf(letter));
  const reached = starts.map(
    (start, color) => reachFrom(start, neighborsOf(width, height), (cell) => values[cell] === color).reached,
  );
  return [...values.keys()].filter((cell) => reached[values[cell]][cell] === 0);
}

const form = {
  name: "flowfree",
  smallestSide: sides[0],
  longestSide: sides[1],
  levels: modelLevels,
  usual: "easy",
  numbers: [["c", "the number of colors", 1, letters.length]],
} as const;

export const flowfree: Puzzle<FlowFreeInstance, CellBoard, FlowFreeParams> = cellPuzzle<
  FlowFreeInstance,
  FlowFreeParams
>(
  {
    name: "flowfree",
    title: "Flow Free",
    rules,
    usual: { small: "5x5de", training: "5x5de", tour: "6x6de", play: "7x7" },
    example: "5x5c3:fABdCcAfBC",
    sides,
    readDescription(reader, { width, height, colors }) {
      const dots = reader.cells(width * height, letters.join(""), "a capital for a dot");
      const named = colorsOf(dots);
      const odd = named.find((letter) => dots.filter((dot) => dot === letter).length !== 2);
      if (odd !== undefined) reader.refuse(`the letter ${odd} does not stand in two cells`);
      if (named.length !== colors)
        reader.refuse(
          `its parameters do not say that it has ${named.length} colors, as in ${width}x${height}c${named.length}:`,
        );
      return { width, height, colors: named.length, dots };
    },
    writeDescription: ({ dots }) => runsAsLetters(dots.join("")),
    images: (instance) =>
      gridImages(instance.dots, instance.width, instance.height).map((moved) => ({
        ...instance,
        dots: renamed(moved),
      })),
    givens: ({ dots }) => dots,
    symbols: ({ dots }) => Object.fromEntries(colorsOf(dots).map((letter) => [letter, `path ${letter}`])),
    rulesOf: (instance) => ({
      constraints: constraintsOf(instance),
      wholeBoard: [
        {
          name: "joined",
          show: () => "",
          question: "does every path lead from one of its dots to the other?",
          broken: "some cells hang together with none of their letter's given cells",
          holds: (values) => cutOff(instance, values).length === 0,
          demand: "every path must be able to lead from one of its dots to the other",
          narrow: (possible) => joined(instance, possible),
          cells: (values) => cutOff(instance, values),
        },
      ],
    }),
    candidate({ width, height, colors }, random: Random) {
      const paths = pathsOver(width, height, random);
      if (paths === undefined || paths.length > letters.length || paths.length !== (colors ?? paths.length))
        return undefined;
      const dots: string[] = Array.from({ length: width * height }, () => none);
      for (const [color, path] of paths.entries()) dots[path[0]] = dots[path[path.length - 1]] = letters[color];
      return { width, height, colors: paths.length, dots: renamed(dots) };
    },
    paint(instance, cell, symbol) {
      const letter = symbol ?? instance.dots[cell];
      if (letter === none) return "";
      const color = `hsl(${(letters.indexOf(letter) * 137) % 360} 65% ${letters.indexOf(letter) % 2 === 0 ? 45 : 60}%)`;
      const [half, given] = [cellSize / 2, instance.dots[cell] !== none];
      const ground =
        symbol === undefined
          ? ""
          : `<rect x="${-half}" y="${-half}" width="${cellSize}" height="${cellSize}" fill="${color}" fill-opacity="0.35"/>`;
      const dot = given ? `<circle r="13" fill="${color}"/>` : "";
      return `${ground}${dot}<text font-size="14" text-anchor="middle" dominant-baseline="central" fill="${given ? ink.paper : ink.given}">${letter}</text>`;
    },
    how: "Click a dot to pick up its color, then the cells of its path. Click again to clear. On the keyboard: arrows move, Space picks up or paints, a letter paints with that letter, Backspace clears.",
  },
  {
    brushes: true,
    promptExamples: ["5x4c3:fAbBbBaACcC", "5x3c4:ABaBCaAaDaDbCa"],
    readParams(text) {
      const { size, numbers } = readParameters(form, text);
      return numbers.c === undefined ? size : { ...size, colors: numbers.c };
    },
    writeParams: (params) => writeParameters(form, params, params.colors === undefined ? "" : `c${params.colors}`),
  },
);
