// Boards as TopoBench draws them (Maniparambil et al. 2026, arXiv:2603.12133), mostly as Simon Tatham's programs do: read, drawn, and
// answers in that form turned into ours. What an answer says of the givens has to be what they are.
import { DataError } from "../base/errors.ts";
import { catalog, type PuzzleName } from "./catalog.ts";
import { answerRows, writeGrid } from "./grid-text.ts";
import { type AnyPuzzle, PuzzleFormatError } from "./puzzle.ts";

export type Drawing = {
  /** How a board and its answer are drawn, for a prompt. */
  readonly how: string;
  /** Characters that a drawing is made of, and the code that each has as an integer format. */
  readonly codes: ReadonlyMap<string, string>;
  /** Rows of a board without, or with, its answer. */
  draw(instance: never, board?: never): string[];
  /** The id of a board that is drawn without an answer. */
  read(rows: readonly string[]): string;
  /** The answer as we write it; nothing where the rows are no drawing of this board. Rows of an answer may have lost blanks at either end. */
  answer(instance: never, rows: readonly string[]): string | undefined;
};

/** Blanks and line ends have the first two codes. */
const inTurn = (characters: string): ReadonlyMap<string, string> =>
  new Map([" ", "\n", ...characters].map((character, at) => [character, at.toString(36).toUpperCase()]));

const digit = (symbol: string) => (symbol === "." ? 0 : Number.parseInt(symbol, 36));
const sameWidth = (rows: readonly string[], width: number, height: number) =>
  rows.length === height && rows.every((row) => row.length === width);
const cellsOf = (rows: readonly string[]) => [...rows.map((row) => row.replaceAll(" ", "")).join("")];
const sizeOf = (rows: readonly string[]) => ({ width: rows[0]?.length ?? 0, height: rows.length });

function rectangle(rows: readonly string[], width: number, height: number): string[] {
  if (!sameWidth(rows, width, height)) throw new DataError(`the drawing is not ${height} rows of ${width} characters`);
  return [...rows.join("")];
}

const { bridges, flowfree, galaxies, pattern, slitherlink, undead } = catalog;
type InstanceOf<P> = P extends { readId(id: string): infer Instance } ? Instance : never;
type BoardOf<P> = P extends { readMove(instance: never, move: string): infer Board } ? Board : never;

const bridgesDrawing: Drawing = {
  how: 'Bridges are drawn with one character a cell and no blanks: a digit is an island, a dot is water, - and = are one and two bridges across, | and " one and two upright ones. The answer is the same drawing with its bridges.',
  codes: inTurn('"-.12345678=|'),
  draw(instance: InstanceOf<typeof bridges>, board?: BoardOf<typeof bridges>) {
    const text = board === undefined ? bridges.renderGivens(instance) : bridges.renderAnswer(instance, board);
    return text.replaceAll(" ", "").replaceAll("#", '"').split("\n").slice(-instance.height);
  },
  read(rows) {
    const { width, height } = sizeOf(rows);
    const clues = rectangle(rows, width, height).map(digit);
    return bridges.writeId({ width, height, maxBridges: 2, loops: "allowed", clues });
  },
  answer({ width, height, clues }: InstanceOf<typeof bridges>, rows) {
    if (!sameWidth(rows, width, height)) return undefined;
    const cells = cellsOf(rows);
    const kept = clues.every(
      (clue, cell) => clue > 0 === /[0-9A-G]/.test(cells[cell]) && (clue === 0 || digit(cells[cell]) === clue),
    );
    return kept ? writeGrid(cells, width).replaceAll('"', "#") : undefined;
  },
};

const flowfreeDrawing: Drawing = {
  how: "Flow Free is drawn with one character a cell and no blanks: the letters that are given, and dots. The answer is the same drawing with a letter for every dot.",
  codes: inTurn(".ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
  draw: ({ dots, width }: InstanceOf<typeof flowfree>, board?: BoardOf<typeof flowfree>) =>
    writeGrid(board?.cells ?? dots, width)
      .replaceAll(" ", "")
      .split("\n"),
  read(rows) {
    const { width, height } = sizeOf(rows);
    const dots = rectangle(rows, width, height);
    return flowfree.writeId({ width, height, colors: new Set(dots).size - 1, dots });
  },
  answer({ width, height, dots }: InstanceOf<typeof flowfree>, rows) {
    if (!sameWidth(rows, width, height)) return undefined;
    const cells = cellsOf(rows);
    return dots.every((dot, cell) => dot === "." || dot === cells[cell]) ? writeGrid(cells, width) : undefined;
  },
};

/** A lattice of corners, lines between them, and cells: twice the size and one more. */
function lattice(width: number, height: number, at: (x: number, y: number) => string): string[] {
  return Array.from({ length: 2 * height + 1 }, (_, y) =>
    Array.from({ length: 2 * width + 1 }, (_, x) => at(x, y)).join(""),
  );
}

const isLine = (x: number, y: number) => (x + y) % 2 === 1;

const galaxiesDrawing: Drawing = {
  how: "Galaxies are drawn as a lattice, one character each: corners (+), between them the lines of the grid (- and |, or a blank where none is drawn) and the cells (blank). An o is a dot, in a cell, on a line or on a corner. The answer is the same drawing with all lines between different regions, and no others.",
  codes: inTurn("+-o|"),
  draw(instance: InstanceOf<typeof galaxies>, board?: BoardOf<typeof galaxies>) {
    const { width, height, dots } = instance;
    const drawn = new Set(
      board === undefined
        ? []
        : [...galaxies.writeMove(instance, board).matchAll(/E(\d+,\d+)/g)].map(([, line]) => line),
    );
    return lattice(width, height, (x, y) => {
      if (dots.some((dot) => dot.x === x && dot.y === y)) return "o";
      if (x % 2 === 0 && y % 2 === 0) return "+";
      const border = x === 0 || y === 0 || x === 2 * width || y === 2 * height;
      if (!isLine(x, y) || !(border || drawn.has(`${x},${y}`))) return " ";
      return x % 2 === 0 ? "|" : "-";
    });
  },
  read(rows) {
    const size = sizeOf(rows);
    rectangle(rows, size.width, size.height);
    const dots = rows.flatMap((row, y) => [...row].flatMap((symbol, x) => (symbol === "o" ? [{ x, y }] : [])));
    return galaxies.writeId({ width: (size.width - 1) / 2, height: (size.height - 1) / 2, dots });
  },
  answer(instance: InstanceOf<typeof galaxies>, rows) {
    const { width, height } = instance;
    if (!sameWidth(rows, 2 * width + 1, 2 * height + 1)) return undefined;
    const blank = (text: string[]) =>
      text.map((row, y) => [...row].map((symbol, x) => (isLine(x, y) && /[-| ]/.test(symbol) ? " " : symbol)).join(""));
    // Dots, corners and the frame are where they were.
    if (blank([...rows]).join("\n") !== blank(galaxiesDrawing.draw(instance as never)).join("\n")) return undefined;
    const lines: string[] = [];
    for (let y = 1; y < 2 * height; y++)
      for (let x = 1; x < 2 * width; x++) if (isLine(x, y) && /[-|]/.test(rows[y][x])) lines.push(`E${x},${y}`);
    const board = galaxies.readMove(instance, ["S", ...lines].join(";"));
    // A line with the same region on both sides is none that was asked for.
    const needed = [...galaxies.writeMove(instance, board).matchAll(/E\d+,\d+/g)].length;
    return needed === lines.length ? galaxies.renderAnswer(instance, board) : undefined;
  },
};

const patternDrawing: Drawing = {
  how: "Pattern is drawn as a table: the clues of the columns above it, the clues of each row to its left, lines made of +, - and | around the cells, and two blanks in each cell. The answer is the same drawing with ## in every full cell and .. in every empty one.",
  // Digits stand for themselves, so that there is none for a 0.
  codes: new Map([..." .#+-|123456789"].map((character, at) => [character, "0ABXYZ123456789"[at]])),
  draw({ columns, rows, width, prefilled }: InstanceOf<typeof pattern>, board?: BoardOf<typeof pattern>) {
    const deepest = Math.max(...columns.map((runs) => runs.length));
    const labels = rows.map((runs) => runs.join(" "));
    const indent = Math.max(...labels.map((label) => label.length));
    const heads = Array.from(
      { length: deepest },
      (_, level) =>
        `${" ".repeat(indent + 1)}${columns.map((runs) => `${String(runs.at(level - deepest) ?? "").padStart(2)} `).join("")}`,
    );
    const rule = `${" ".repeat(indent)}${"+--".repeat(width)}+`;
    const cells = board?.cells ?? prefilled ?? "";
    const lines = labels.map((label, row) => {
      const own = Array.from({ length: width }, (_, column) =>
        (cells[row * width + column] ?? "?").replace("?", " ").repeat(2),
      );
      return `${label.padStart(indent)}|${own.join("|")}|`;
    });
    return [...heads, rule, ...lines.flatMap((line) => [line, rule])];
  },
  read(rows) {
    const rule = rows.findIndex((row) => row.includes("+--"));
    const lines = rows.filter((row) => row.includes("|"));
    if (rule < 0 || lines.length === 0) throw new DataError("the drawing has no lines around its cells");
    const [indent, width] = [rows[rule].indexOf("+"), rows[rule].split("+").length - 2];
    const column = (at: number) =>
      rows.slice(0, rule).map((row) => row.slice(indent + 3 * at, indent + 3 * at + 3).trim());
    const clues = [
      ...Array.from({ length: width }, (_, at) =>
        column(at)
          .filter((run) => run !== "")
          .join("."),
      ),
      ...lines.map((line) => line.slice(0, line.indexOf("|")).trim().split(/\s+/).join(".")),
    ];
    return pattern.writeId(pattern.readId(`${width}x${lines.length}:${clues.join("/")}`));
  },
  answer({ width, height }: InstanceOf<typeof pattern>, rows) {
    const lines = rows.filter((row) => row.includes("|")).map((row) => row.split("|").slice(1, -1));
    if (
      !sameWidth(
        lines.map((line) => "?".repeat(line.length)),
        width,
        height,
      )
    )
      return undefined;
    const cells = lines.flat().map((cell) => (cell === "##" ? "#" : cell === ".." ? "." : "?"));
    return cells.includes("?") ? undefined : writeGrid(cells, width);
  },
};

const slitherlinkDrawing: Drawing = {
  how: "Slitherlink is drawn as a lattice, one character each: corners (blank), between them the places for lines (blank), and the cells (their number, or blank). The answer is the same drawing with - or | in every place where the loop runs and x in every other place for a line.",
  codes: inTurn("-0123x|"),
  draw(instance: InstanceOf<typeof slitherlink>, board?: BoardOf<typeof slitherlink>) {
    const { width, height, clues } = instance;
    const order = lineOrder(width, height);
    const drawn =
      board === undefined
        ? []
        : [...slitherlink.writeMove(instance, board).matchAll(/\d+([yn])/g)].map(([, yes]) => yes);
    return lattice(width, height, (x, y) => {
      if (x % 2 === 1 && y % 2 === 1) return clues[((y - 1) / 2) * width + (x - 1) / 2].replace(".", " ");
      if (!isLine(x, y) || board === undefined) return " ";
      return drawn[order.indexOf(`${x},${y}`)] === "n" ? "x" : x % 2 === 0 ? "|" : "-";
    });
  },
  read(given) {
    const rows = unframed(given);
    const width = (Math.max(...rows.map((row) => row.length)) - 1) >> 1;
    const height = rows.length >> 1;
    const clues = Array.from(
      { length: width * height },
      (_, cell) => rows[2 * Math.floor(cell / width) + 1][2 * (cell % width) + 1] ?? " ",
    );
    return slitherlink.writeId(
      slitherlink.readId(slitherlink.writeId({ width, height, clues: clues.join("").replaceAll(" ", ".") })),
    );
  },
  answer(instance: InstanceOf<typeof slitherlink>, given) {
    const { width, height, clues } = instance;
    const rows = unframed(given);
    if (rows.length !== 2 * height + 1 || rows.some((row) => row.length > 2 * width + 1)) return undefined;
    const at = (x: number, y: number) => rows[y][x] ?? " ";
    for (let cell = 0; cell < clues.length; cell++)
      if (at(2 * (cell % width) + 1, 2 * Math.floor(cell / width) + 1) !== clues[cell].replace(".", " "))
        return undefined;
    const lines = lineOrder(width, height).map((place) => {
      const [x, y] = place.split(",").map(Number);
      return at(x, y) === (x % 2 === 0 ? "|" : "-") ? "y" : at(x, y) === "x" ? "n" : "?";
    });
    if (lines.includes("?")) return undefined;
    try {
      const board = slitherlink.readMove(instance, `S${lines.map((yes, line) => `${line}${yes}`).join("")}`);
      return slitherlink.renderAnswer(instance, board);
    } catch (error) {
      // Lines that do not close are no border between cells inside and outside.
      if (error instanceof PuzzleFormatError) return undefined;
      throw error;
    }
  },
};

/** The places of lines as Simon Tatham counts them: cell by cell, clockwise from the top, each when a cell first has it. */
function lineOrder(width: number, height: number): string[] {
  const places = Array.from({ length: width * height }, (_, cell) => {
    const [x, y] = [2 * (cell % width) + 1, 2 * Math.floor(cell / width) + 1];
    return [`${x},${y - 1}`, `${x + 1},${y}`, `${x},${y + 1}`, `${x - 1},${y}`];
  });
  return [...new Set(places.flat())];
}

/** TopoBench puts a frame of plus signs around its plain boards, and drops a last row that is blank. */
function unframed(rows: readonly string[]): string[] {
  const framed = /^\++$/.test(rows[0] ?? "");
  return framed ? rows.slice(1, -1).map((row) => row.slice(1, -1)) : [...rows];
}

const undeadDrawing: Drawing = {
  how: "Undead is drawn with how many ghosts (G), vampires (V) and zombies (Z) there are in its first line, then the grid with what is seen from its edges around it: a line for the top, one for each row with its number on either side, and one for the bottom; two characters for each place. The answer is the same drawing with G, V or Z for every dot.",
  codes: inTurn("./0123456789:GVZ\\"),
  draw({ width, height, totals, cells, sightings }: InstanceOf<typeof undead>, board?: BoardOf<typeof undead>) {
    const wide = (value: number | string) => String(value).padStart(2);
    const shown = board?.cells ?? cells;
    const across = (seen: readonly number[]) => `  ${seen.map(wide).join("")}  `;
    return [
      `G: ${totals.ghosts} V: ${totals.vampires} Z: ${totals.zombies}`,
      "",
      across(sightings.top),
      ...Array.from({ length: height }, (_, row) =>
        [sightings.left[row], ...shown.slice(row * width, (row + 1) * width), sightings.right[row]].map(wide).join(""),
      ),
      across(sightings.bottom),
    ];
  },
  read(rows) {
    const { totals, grid } = undeadParts(rows);
    if (totals === undefined || grid.length < 3) throw new DataError("the drawing has no totals, or no grid");
    const [top, ...rest] = grid;
    const bottom = rest.pop()!;
    const [ghosts, vampires, zombies] = totals;
    const instance = {
      width: top.length,
      height: rest.length,
      totals: { ghosts, vampires, zombies },
      cells: rest.map((row) => row.slice(1, -1).join("")).join(""),
      sightings: {
        top: top.map(Number),
        bottom: bottom.map(Number),
        left: rest.map((row) => Number(row[0])),
        right: rest.map((row) => Number(row.at(-1))),
      },
    };
    return undead.writeId(undead.readId(undead.writeId(instance)));
  },
  answer(instance: InstanceOf<typeof undead>, rows) {
    const { grid } = undeadParts(rows);
    const given = undeadParts(undeadDrawing.draw(instance as never)).grid;
    const numbers = (parts: readonly string[][]) =>
      parts.map((row, at) => (at === 0 || at === parts.length - 1 ? row : [row[0], row.at(-1)])).join("|");
    if (grid.some((row, at) => row.length !== given[at]?.length) || numbers(grid) !== numbers(given)) return undefined;
    return writeGrid(
      grid.slice(1, -1).flatMap((row) => row.slice(1, -1)),
      instance.width,
    );
  },
};

/** Totals, and rows of what stands between blanks. */
function undeadParts(rows: readonly string[]): { readonly totals?: number[]; readonly grid: string[][] } {
  const [, ...totals] = /G: *(\d+) +V: *(\d+) +Z: *(\d+)/.exec(rows.join("\n")) ?? [];
  const lines = rows.filter((row) => row.trim() !== "" && !row.includes(":"));
  const grid = lines.map((row) => row.trim().split(/\s+|(?<=[.GVZ/\\])(?=\d)/));
  return { ...(totals.length === 3 && { totals: totals.map(Number) }), grid };
}

const drawings: Partial<Record<PuzzleName, Drawing>> = {
  bridges: bridgesDrawing,
  flowfree: flowfreeDrawing,
  galaxies: galaxiesDrawing,
  pattern: patternDrawing,
  slitherlink: slitherlinkDrawing,
  undead: undeadDrawing,
};

/** What a puzzle's drawings are made of; undefined for puzzles that TopoBench does not have. */
export const drawingOf = (
  puzzle: AnyPuzzle,
): (Drawing & { draw(instance: unknown, board?: unknown): string[] }) | undefined => drawings[puzzle.name] as never;

/** Rows of a text; blanks at their beginning are part of a drawing, blank lines around it are not. */
export function drawnRows(text: string, cells: number): string[] {
  // What is far too long is refused by the same measure as any answer.
  const checked = answerRows(text, 16 * cells);
  if ("unreadable" in checked) return [];
  const rows = text
    .replaceAll(/\r\n?/g, "\n")
    .split("\n")
    .map((row) => row.trimEnd());
  const inside = rows.filter((row) => !/^\s*(`{3,}|~{3,})\w*$/.test(row));
  const first = inside.findIndex((row) => row !== "");
  return first < 0 ? [] : inside.slice(first, inside.findLastIndex((row) => row !== "") + 1);
}
