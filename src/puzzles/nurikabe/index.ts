// Nurikabe: a sea that hangs together and has no square of four cells, around islands of as many cells as their number says.
// Simon Tatham has no such program, so its ids are our own: a character a cell, `3x3:3....*...`.
import type { Random } from "../../base/random.ts";
import { type CellBoard, type CellConstraint, cellPuzzle, place } from "../cell-puzzle.ts";
import { joinedWith, neighborsOf, reachFrom } from "../cell-regions.ts";
import { only } from "../constraint-model.ts";
import { writeGrid } from "../grid-text.ts";
import { cellSize, ink } from "../picture.ts";
import type { Puzzle, PuzzleParams } from "../puzzle.ts";
import { gridImages } from "../symmetry.ts";
import { islandsIn, squaresOf } from "./islands.ts";

export type NurikabeInstance = {
  readonly width: number;
  readonly height: number;
  /** Row by row: a dot, a number as one character, or a star for a number that is not told. */
  readonly clues: readonly string[];
};

const [sea, land, none, untold] = ["#", "o", ".", "*"];
const [isSea, isLand] = [0, 1];
/** A number as one character. */
const digits = " 123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const mostLand = digits.length - 1;
const longestSide = 36;

const rules = `Nurikabe is played on a grid in which some cells hold a number. Divide the cells into land and sea so that all of these hold:
1. Every cell with a number is land. Land that hangs together through shared sides is an island; every island has exactly one number, which says how many cells it has.
2. All cells of the sea hang together: from each of them one can reach each other by steps to the left, right, up and down, without entering land.
3. No four cells of the sea form a square of two by two.

The puzzle is written as a grid, one row per line, cells separated by spaces: the numbers, and a dot for every other cell. Numbers above 9 are written a, b, c and so on; a star is a number that is not told: its island may have any size. The answer is a grid of the same size: # for every cell of the sea and o for every cell of land. The numbers are not repeated.`;

/** The number that is written as one character, where there is one. */
export const nurikabeClue = (number: number): string | undefined => (number < 1 ? undefined : digits[number]);

const sizeOf = (clue: string): number => (clue === untold ? Number.POSITIVE_INFINITY : digits.indexOf(clue));

function constraintsOf(instance: NurikabeInstance): CellConstraint[] {
  const { width, height, clues } = instance;
  const name = (cell: number) => `${Math.floor(cell / width) + 1}${(cell % width) + 1}`;
  return [
    ...clues.flatMap((clue, cell): CellConstraint[] =>
      clue === none
        ? []
        : [
            {
              name: name(cell),
              rule: "number",
              clue,
              scope: [cell],
              compatible: ([value]) => value === isLand,
              title: `the cell at ${place(instance, cell)}`,
              demand: "it has a number and is land",
            },
          ],
    ),
    ...Array.from(
      squaresOf(width, height),
      (square): CellConstraint => ({
        name: name(square[0]),
        rule: "square",
        clue: "2x2",
        scope: square,
        compatible: (values) => values.length < 4 || values.includes(isLand),
        title: `the four cells from ${place(instance, square[0])} to ${place(instance, square[3])}`,
        demand: "they are not all sea",
      }),
    ),
  ];
}

type Island = { readonly cells: readonly number[]; readonly numbers: readonly number[] };

/** Cells that are known to be land and hang together, with the numbers among them; and for each cell which of these it is part of. */
function islandsOf({ width, height, clues }: NurikabeInstance, possible: readonly number[]) {
  const islandAt = new Int32Array(possible.length).fill(-1);
  const islands: Island[] = [];
  for (const start of possible.keys()) {
    if (possible[start] !== only(isLand) || islandAt[start] >= 0) continue;
    const { reached } = reachFrom(start, neighborsOf(width, height), (cell) => possible[cell] === only(isLand));
    const cells = [...reached.keys()].filter((cell) => reached[cell] === 1);
    for (const cell of cells) islandAt[cell] = islands.length;
    islands.push({ cells, numbers: cells.filter((cell) => clues[cell] !== none) });
  }
  return { islands, islandAt };
}

/** What islands leave possible: each grows to its size without meeting another number, and no land is left without one. */
function grown(instance: NurikabeInstance, possible: readonly number[]): number[] | undefined {
  const { width, height, clues } = instance;
  const neighbors = neighborsOf(width, height);
  const { islands, islandAt } = islandsOf(instance, possible);
  const left = [...possible];
  const numbered = (cell: number) => islandAt[cell] >= 0 && islands[islandAt[cell]].numbers.length > 0;
  const owners = new Int32Array(possible.length);
  for (const [index, { cells, numbers }] of islands.entries()) {
    if (numbers.length > 1) return undefined;
    const size = numbers.length === 0 ? Number.POSITIVE_INFINITY : sizeOf(clues[numbers[0]]);
    if (cells.length > size) return undefined;
    // A cell beside the island of another number can be no part of this one.
    const open = (cell: number) =>
      (possible[cell] & only(isLand)) !== 0 &&
      islandAt[cell] !== index &&
      (numbers.length === 0 ||
        (!numbered(cell) && !neighbors[cell].some((other) => islandAt[other] !== index && numbered(other))));
    const reached = new Set(cells);
    const shores: number[][] = [];
    for (let shore = [...cells], steps = size - cells.length; steps > 0 && shore.length > 0; steps--) {
      shore = [
        ...new Set(shore.flatMap((cell) => neighbors[cell].filter((other) => !reached.has(other) && open(other)))),
      ];
      shores.push(shore);
      for (const cell of shore) reached.add(cell);
    }
    const unfinished = numbers.length === 0 || (Number.isFinite(size) && cells.length < size);
    if (Number.isFinite(size) && reached.size < size) return undefined;
    if (unfinished && shores[0].length === 0) return undefined;
    if (reached.size === size) for (const cell of reached) left[cell] &= only(isLand);
    else if (unfinished && shores[0].length === 1) left[shores[0][0]] &= only(isLand);
    if (numbers.length > 0) for (const cell of reached) owners[cell]++;
    if (cells.length === size)
      for (const cell of cells)
        for (const other of neighbors[cell]) if (!reached.has(other)) left[other] &= only(isSea);
  }
  for (const cell of left.keys()) if (owners[cell] === 0) left[cell] &= only(isSea);
  return left.includes(0) ? undefined : left;
}

/** Islands of an answer that have no number, several, or one that is not theirs. */
function wrongIslands(instance: NurikabeInstance, values: readonly number[]): number[] {
  return islandsOf(instance, values.map(only)).islands.flatMap(({ cells, numbers }) => {
    const size = numbers.length === 1 ? sizeOf(instance.clues[numbers[0]]) : 0;
    return cells.length === size || size === Number.POSITIVE_INFINITY ? [] : cells;
  });
}

/** The sea as far as it is known hangs together. */
function joined({ width, height }: NurikabeInstance, possible: readonly number[]): number[] | undefined {
  const start = possible.indexOf(only(isSea));
  return start < 0 ? [...possible] : joinedWith(start, neighborsOf(width, height), isSea, possible);
}

export const nurikabe: Puzzle<NurikabeInstance, CellBoard> = cellPuzzle<NurikabeInstance, PuzzleParams>(
  {
    name: "nurikabe",
    title: "Nurikabe",
    rules,
    usual: { small: "5x5de", training: "5x5de", tour: "6x6dt", play: "7x7" },
    example: "5x5:.1.....4...........1.2...",
    sides: [3, longestSide],
    readDescription(reader, { width, height }) {
      const known = `${digits.slice(1)}${none}${untold}`;
      const clues = reader.symbols(width * height, known, "a number, a dot or a star");
      if (!clues.includes(none)) reader.refuse("every cell has a number");
      return { width, height, clues };
    },
    writeDescription: ({ clues }) => clues.join(""),
    images: ({ width, height, clues }) =>
      gridImages(clues, width, height).map((moved) => ({ width, height, clues: moved })),
    givens: ({ clues }) => clues,
    symbols: () => ({ [sea]: "sea", [land]: "land" }),
    rulesOf: (instance) => {
      const show = (values: readonly number[]) =>
        writeGrid(
          values.map((value) => (value === isSea ? sea : land)),
          instance.width,
        ).replaceAll("\n", " ; ");
      return {
        constraints: constraintsOf(instance),
        wholeBoard: [
          {
            name: "islands",
            show,
            question: "has every island one number, and as many cells?",
            broken: "an island has not exactly one number, or not as many cells as it says",
            holds: (values) => wrongIslands(instance, values).length === 0,
            cells: (values) => wrongIslands(instance, values),
            demand: "every island must be able to have one number and as many cells",
            narrow: (possible) => grown(instance, possible),
          },
          {
            name: "sea",
            show,
            question: "do all cells of the sea hang together?",
            broken: "the sea falls into parts",
            holds: (values) => joined(instance, values.map(only)) !== undefined,
            demand: "all cells of the sea must hang together",
            narrow: (possible) => joined(instance, possible),
          },
        ],
      };
    },
    candidate({ width, height }: PuzzleParams, random: Random) {
      const islands = islandsIn(width, height, random);
      if (islands === undefined || islands.length === 0 || islands.some(({ length }) => length > mostLand))
        return undefined;
      const clues: string[] = Array.from({ length: width * height }, () => none);
      for (const island of islands) clues[random.pick(island)] = digits[island.length];
      return { width, height, clues };
    },
    paint(instance, cell, symbol) {
      const [half, clue] = [cellSize / 2, instance.clues[cell]];
      const ground =
        symbol === sea
          ? `<rect x="${-half}" y="${-half}" width="${cellSize}" height="${cellSize}" fill="${ink.answer}" fill-opacity="0.35"/>`
          : "";
      if (clue === none) return symbol === land ? `${ground}<circle r="3" fill="${ink.answer}"/>` : ground;
      return `${ground}<text font-size="18" text-anchor="middle" dominant-baseline="central" fill="${ink.given}">${clue}</text>`;
    },
    how: "Click a cell: sea, then land, then not known. On the keyboard: arrows move, x or # is sea, o is land, Backspace clears.",
  },
  {
    promptExamples: ["5x4:..2......1..3.......", "4x3:....1..2...."],
    keys: { x: sea },
  },
);
