// Hitori, which Simon Tatham calls Singles: shade cells so that no number is left twice in a row or column, no two shaded
// cells touch, and what is left hangs together.
import type { Random } from "../../base/random.ts";
import { type CellBoard, type CellConstraint, cellPuzzle, place } from "../cell-puzzle.ts";
import { joinedWith, neighborsOf } from "../cell-regions.ts";
import { only } from "../constraint-model.ts";
import { writeGrid } from "../grid-text.ts";
import { cellSize, escapeXml, ink } from "../picture.ts";
import { type Puzzle, PuzzleFormatError, type PuzzleParams } from "../puzzle.ts";
import { gridImages } from "../symmetry.ts";
import { hitoriNumbers } from "./numbers.ts";

export type HitoriInstance = {
  readonly width: number;
  readonly height: number;
  /** Row by row, from 1 to the longer side. */
  readonly numbers: readonly number[];
};

const [left, shaded] = [".", "#"];
const [isShaded, isLeft] = [0, 1];
/** A number as one character. */
const digits = " 123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const longestSide = digits.length - 1;

const rules = `Hitori (Singles) is played on a grid of numbers. Shade some cells so that all of these hold:
1. In no row and no column does a number stand in two cells that are not shaded.
2. No two shaded cells are neighbors: they do not share a side. They may touch at a corner.
3. All cells that are not shaded hang together: from each of them one can reach each other by steps to the left, right, up and down, without entering a shaded cell.

The puzzle is written as a grid of numbers, one row per line, cells separated by spaces; numbers above 9 are written a, b, c and so on. The answer is a grid of the same size: # for every shaded cell and . for every other. The numbers are not repeated.`;

/** Rows, then columns, as cells. */
const linesOf = (width: number, height: number): number[][] => [
  ...Array.from({ length: height }, (_, row) => Array.from({ length: width }, (_, column) => row * width + column)),
  ...Array.from({ length: width }, (_, column) => Array.from({ length: height }, (_, row) => row * width + column)),
];

function constraintsOf(instance: HitoriInstance): CellConstraint[] {
  const { width, height, numbers } = instance;
  const neighbors = neighborsOf(width, height);
  const name = (cell: number) => `${Math.floor(cell / width) + 1}${(cell % width) + 1}`;
  const repeats = linesOf(width, height).flatMap((line, at): CellConstraint[] => {
    const [short, long] =
      at < height ? [`R${at + 1}`, `row ${at + 1}`] : [`C${at - height + 1}`, `column ${at - height + 1}`];
    return [...new Set(line.map((cell) => numbers[cell]))].flatMap((number) => {
      const same = line.filter((cell) => numbers[cell] === number);
      if (same.length < 2) return [];
      const once = (values: readonly number[]) =>
        values.filter((value, at) => at < same.length && value === isLeft).length <= 1;
      const title = `the ${digits[number]} in ${long}`;
      const about = { name: short, clue: digits[number], title };
      const demand = "at most one of them is left";
      // With the cells beside them in the line it says more: what stands between two of them is left.
      const scope = [
        ...same,
        ...line.filter((cell) => !same.includes(cell) && neighbors[cell].some((n) => same.includes(n))),
      ];
      const touching = scope.map((cell, at) =>
        neighbors[cell].map((n) => scope.indexOf(n)).filter((n) => n >= 0 && n < at),
      );
      const apart = (values: readonly number[]) => touching[values.length - 1].every((n) => values[n] === isLeft);
      return [
        { ...about, rule: "repeat", scope: same, compatible: once, demand },
        {
          ...about,
          redundant: true,
          scope,
          guessed: same.length,
          compatible: (values) => once(values) && (values.at(-1) === isLeft || apart(values)),
          demand: `${demand}, and no two shaded cells touch`,
        },
      ];
    });
  });
  const pairs = neighbors.flatMap((beside, cell): CellConstraint[] =>
    beside.flatMap((other) => {
      if (other < cell) return [];
      const title = `the cells at ${place(instance, cell)} and ${place(instance, other)}`;
      return {
        name: `${name(cell)} ${name(other)}`,
        rule: "neighbors",
        scope: [cell, other],
        compatible: (values) => values[0] === isLeft || values[1] !== isShaded,
        title,
        demand: "they are not both shaded",
      };
    }),
  );
  return [...repeats, ...pairs];
}

/** All cells that are left hang together. */
function joined({ width, height }: HitoriInstance, possible: readonly number[]): number[] | undefined {
  const start = possible.indexOf(only(isLeft));
  return start < 0 ? [...possible] : joinedWith(start, neighborsOf(width, height), isLeft, possible);
}

export const hitori: Puzzle<HitoriInstance, CellBoard> = cellPuzzle<HitoriInstance, PuzzleParams>(
  {
    name: "hitori",
    title: "Hitori",
    rules,
    usual: { small: "5x5de", training: "5x5de", tour: "6x6dt", play: "8x8" },
    example: "5x5:2315211342112325251332522",
    sides: [2, longestSide],
    readDescription(reader, { width, height }) {
      const most = Math.max(width, height);
      const known = digits.slice(1, most + 1);
      const numbers = reader.symbols(width * height, known, `a number from 1 to ${digits[most]}`);
      return { width, height, numbers: numbers.map((digit) => digits.indexOf(digit)) };
    },
    writeDescription: ({ numbers }) => numbers.map((number) => digits[number]).join(""),
    images: ({ width, height, numbers }) =>
      gridImages(numbers, width, height).map((moved) => ({ width, height, numbers: moved })),
    givens: ({ numbers }) => numbers.map((number) => digits[number]),
    symbols: () => ({ [shaded]: "shaded", [left]: "left" }),
    rulesOf: (instance) => ({
      constraints: constraintsOf(instance),
      wholeBoard: [
        {
          name: "joined",
          show: (values) =>
            writeGrid(
              values.map((value) => (value === isShaded ? shaded : left)),
              instance.width,
            ).replaceAll("\n", " ; "),
          question: "do all cells that are left hang together?",
          broken: "the cells that are left fall into parts",
          holds: (values) => joined(instance, values.map(only)) !== undefined && values.includes(isLeft),
          demand: "all cells that are left must hang together",
          narrow: (possible) => joined(instance, possible),
        },
      ],
    }),
    candidate: ({ width, height }: PuzzleParams, random: Random) => ({
      width,
      height,
      numbers: hitoriNumbers(width, height, random),
    }),
    paint(instance, cell, symbol) {
      const [side, half] = [cellSize, cellSize / 2];
      const ground =
        symbol === shaded
          ? `<rect x="${-half}" y="${-half}" width="${side}" height="${side}" fill="${ink.answer}" fill-opacity="0.35"/>`
          : "";
      const ring = symbol === left ? `<circle r="13" fill="none" stroke="${ink.answer}" stroke-opacity="0.5"/>` : "";
      return `${ground}${ring}<text font-size="18" text-anchor="middle" dominant-baseline="central" fill="${ink.given}">${escapeXml(digits[instance.numbers[cell]])}</text>`;
    },
    how: "Click a cell: shaded, then left, then not known. On the keyboard: arrows move, x or # shades, . leaves, Backspace clears.",
  },
  {
    original: "singles",
    promptExamples: ["5x4:13532121144512223435", "4x3:321212421122"],
    keys: { x: shaded, o: left },
    // His move names every cell: B is black, C has a circle.
    writeMove({ width, height }, { cells }) {
      let move = "S;";
      for (let x = 0; x < width; x++)
        for (let y = 0; y < height; y++) move += `${cells[y * width + x] === shaded ? "B" : "C"}${x},${y};`;
      return move;
    },
    readMove({ width, height }, move) {
      const cells: string[] = [];
      for (const [, kind, x, y] of move.matchAll(/([BC])(\d+),(\d+);/g))
        if (Number(x) < width && Number(y) < height)
          cells[Number(y) * width + Number(x)] = kind === "B" ? shaded : left;
      if (!/^S;([BC]\d+,\d+;)*$/.test(move) || Object.keys(cells).length !== width * height)
        throw new PuzzleFormatError("hitori move: expected S; and then every cell once, as in B0,0; or C0,0;");
      return { cells };
    },
  },
);
