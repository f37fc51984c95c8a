// Puzzles whose answer is one symbol a cell: what they say of themselves, and all that follows from it. The unknowns of
// their model are the cells, and a value is a symbol's place among the symbols.
import type { Random } from "../base/random.ts";
import {
  allOf,
  type Constraint,
  type ConstraintModel,
  changedGivens,
  decidedValue,
  isDecided,
  notFilled,
  only,
  type Possible,
  type WholeBoardCheck,
} from "./constraint-model.ts";
import { modelLevels, type PuzzleRules, puzzleOf } from "./defaults.ts";
import { listed, placeOf, readSymbols, writeGrid } from "./grid-text.ts";
import { idInParts, type Reader, readParameters, writeParameters } from "./notation.ts";
import { cellSize, gridLines, picture, wrongMark } from "./picture.ts";
import { cellPlaying, unknown } from "./playing.ts";
import { type Puzzle, PuzzleFormatError, type PuzzleParams, shortened } from "./puzzle.ts";

type Sized = { readonly width: number; readonly height: number };

/** What is in each cell, row by row. */
export type CellBoard = { readonly cells: readonly string[] };

/** A constraint on a few cells: what it demands of their values, and in words. */
export type CellConstraint = Pick<
  Constraint,
  "name" | "rule" | "scope" | "compatible" | "narrow" | "guessed" | "redundant"
> & {
  /** What it demands, in the terse language; nothing unless said. */
  readonly clue?: string;
  /** `row 2`, and what it demands: `no number is left twice`. */
  readonly title: string;
  readonly demand: string;
};

export type CellConstraints = {
  readonly constraints: readonly CellConstraint[];
  readonly wholeBoard: readonly WholeBoardRule[];
};

/** A rule about the whole board: how a finished one is checked, and what it leaves possible before. */
type WholeBoardRule = WholeBoardCheck & Required<Pick<Constraint, "narrow">> & { readonly demand: string };

/** The fifteen things that such a puzzle has to say. */
export type CellRules<Instance extends Sized, Params extends PuzzleParams> = {
  readonly name: Puzzle<Instance, CellBoard>["name"];
  readonly title: string;
  /** Complete, addressed to whoever solves it; including how a board and an answer are written. */
  readonly rules: string;
  readonly usual: Puzzle<Instance, CellBoard>["usual"];
  readonly example: string;
  /** The shortest side and the longest. */
  readonly sides: readonly [number, number];
  /** An id from behind the colon on. Throws PuzzleFormatError, as the reader does. */
  readDescription(reader: Reader, params: Params): Instance;
  writeDescription(instance: Instance): string;
  images(instance: Instance): readonly Instance[];
  /** What each cell shows before anything is solved. One of the symbols is fixed; anything else is to be replaced by one. */
  givens(instance: Instance): readonly string[];
  /** What a cell can hold in an answer, and what each is called. */
  symbols(instance: Instance): Readonly<Record<string, string>>;
  rulesOf(instance: Instance): CellConstraints;
  /** A board at random, with one solution or not; nothing where this draw came to none. */
  candidate(params: Params, random: Random): Instance | undefined;
  /** The SVG of what is in a cell, around its middle; `symbol` is that of an answer. */
  paint(instance: Instance, cell: number, symbol: string | undefined): string;
  /** How to fill a board by hand, in a sentence or two. */
  readonly how: string;
};

type Overrides<Instance, Params extends PuzzleParams> = Partial<PuzzleRules<Instance, CellBoard, Params>> & {
  /** Keys that stand for a symbol, and whether fixed cells are picked up to paint with: see `cellPlaying`. */
  readonly keys?: Readonly<Record<string, string>>;
  readonly brushes?: boolean;
};

export function cellPuzzle<Instance extends Sized, Params extends PuzzleParams>(
  rules: CellRules<Instance, Params>,
  { keys, brushes, ...overrides }: Overrides<Instance, Params> = {},
): Puzzle<Instance, CellBoard, Params> {
  const { name, title, givens } = rules;
  const symbols = (instance: Instance) => Object.keys(rules.symbols(instance));
  const isFixed = (instance: Instance, cell: number) => givens(instance)[cell] in rules.symbols(instance);
  const initialCells = (instance: Instance) => {
    const known = rules.symbols(instance);
    return givens(instance).map((given) => (given in known ? given : unknown));
  };
  const [smallestSide, longestSide] = rules.sides;
  const form = { name, smallestSide, longestSide, levels: modelLevels, usual: "easy" } as const;
  const puzzle: Puzzle<Instance, CellBoard, Params> = puzzleOf<Instance, CellBoard, Params>({
    ...rules,
    readParams: (text) => readParameters(form, text).size as unknown as Params,
    writeParams: (params) => writeParameters(form, params as PuzzleParams),
    readId(id) {
      const { params, reader } = idInParts(name, id);
      return rules.readDescription(reader, puzzle.readParams(params));
    },
    writeId: (instance) =>
      `${puzzle.writeParams({ ...instance, difficulty: undefined } as unknown as Params)}:${rules.writeDescription(instance)}`,
    writeMove: (_, { cells }) => `S${cells.join("")}`,
    readMove(instance, move) {
      const cells = [...move.slice(1)];
      const known = symbols(instance);
      if (
        move[0] !== "S" ||
        cells.length !== instance.width * instance.height ||
        !cells.every((symbol) => known.includes(symbol))
      )
        throw new PuzzleFormatError(`${name} move ${shortened(move)} is not S and then every cell, row by row`);
      return { cells };
    },
    renderGivens: (instance) => writeGrid(givens(instance), instance.width),
    renderAnswer: ({ width }, { cells }) => writeGrid(cells, width),
    readAnswer(instance, text) {
      const read = readSymbols(instance, text, symbols(instance));
      return "unreadable" in read ? read : { board: read };
    },
    initialCells,
    answerCells: (_, { cells }) => cells,
    svg(instance, board, wrong = []) {
      const { width, height } = instance;
      const parts = Array.from({ length: width * height }, (_, cell) => {
        const symbol = board?.cells[cell];
        const [x, y] = [(cell % width) + 0.5, Math.floor(cell / width) + 0.5];
        const painted = rules.paint(instance, cell, symbol === unknown ? undefined : symbol);
        return `<g transform="translate(${x * cellSize} ${y * cellSize})">${painted}</g>`;
      });
      const marks = wrong.map(({ row, column }) => wrongMark(row, column));
      return picture(width, height, `${title} ${width}x${height}`, [...parts, gridLines(width, height, 0), ...marks]);
    },
    draw: (instance, board) => writeGrid(board?.cells ?? givens(instance), instance.width),
    constraints: (instance) => cellModel(name, instance, initialCells(instance), symbols(instance), rules),
    playing: cellPlaying({
      how: rules.how,
      symbols: (instance) => rules.symbols(instance),
      keys,
      brushes,
      start: initialCells,
      fixed: isFixed,
      board: (cells) => ({ cells }),
      clue: (instance, cell) => (isFixed(instance, cell) ? "" : givens(instance)[cell].replace(/^[.?]$/, "")),
    }),
    ...overrides,
  });
  return puzzle;
}

export const place = ({ width }: Sized, cell: number): string => placeOf(cell, width);

function cellModel<Instance extends Sized>(
  name: ConstraintModel["puzzle"],
  instance: Instance,
  start: readonly string[],
  symbols: readonly string[],
  { rulesOf, givens }: Pick<CellRules<Instance, PuzzleParams>, "rulesOf" | "givens">,
): ConstraintModel {
  const { width, height } = instance;
  const { constraints, wholeBoard } = rulesOf(instance);
  const onTheWay = ({ name, narrow, demand }: WholeBoardRule): CellConstraint => ({
    name,
    redundant: true,
    scope: [...start.keys()],
    compatible: () => true,
    narrow,
    title: "the whole board",
    demand,
  });
  const state = (possible: Possible) => (isDecided(possible) ? symbols[decidedValue(possible)] : unknown);
  const rows = (cells: readonly string[]) =>
    Array.from({ length: height }, (_, row) => `R${row + 1} ${cells.slice(row * width, (row + 1) * width).join(" ")}`);
  return {
    puzzle: name,
    prompt: [`${name} ${width} ${height}`, ...rows(givens(instance))].join("\n"),
    start: start.map((symbol) => (symbol === unknown ? allOf(symbols.length) : only(symbols.indexOf(symbol)))),
    constraints: [...constraints, ...wholeBoard.map(onTheWay)].map(({ title, demand, clue = "", ...constraint }) => ({
      ...constraint,
      clue,
      show: (possible) => possible.map(state).join(" "),
      prose: { title, demand, tell: (possible) => `[${possible.map(state).join(" ")}]` },
    })),
    wholeBoard,
    valuesOf(cells) {
      const values = cells.map((symbol) => symbols.indexOf(symbol));
      const open = [...values.keys()].filter((cell) => values[cell] < 0);
      if (open.length > 0) return { broken: notFilled(open, width) };
      return { values, broken: changedGivens(start, cells, width, unknown) };
    },
    lastLook: [],
    showAll: (possible) => rows(possible.map(state)).join(" "),
    tellAll: (possible) => writeGrid(possible.map(state), width),
    introduction: `Each cell of the ${width} by ${height} grid is ${listed(symbols)}; I write ${unknown} for what I do not know yet`,
    answer: (values) =>
      writeGrid(
        values.map((value) => symbols[value]),
        width,
      ),
  };
}
