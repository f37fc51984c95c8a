// Puzzles as others publish them, turned into our ids: nonograms as `.non` (Steve Simpson) and as webpbn's XML, Hashi as `.has`
// (the CLLV set), the JSON files of puzzlekit, and addresses of puzz.link. Reading only; a solution that comes with a puzzle is left where it is.
import { DataError, messageOf } from "../base/errors.ts";
import { bridges } from "./bridges/index.ts";
import type { PuzzleName } from "./catalog.ts";
import { galaxies } from "./galaxies/index.ts";
import { pattern } from "./pattern/index.ts";
import { isAddress, readAddress } from "./puzz-link.ts";

export const publishedFormats = ["non", "webpbn", "has", "puzzlekit", "puzz.link"] as const;
export type PublishedFormat = (typeof publishedFormats)[number];

type PublishedPuzzle = { readonly name: string; readonly puzzle: PuzzleName; readonly id: string };
type PublishedMistake = { readonly name: string; readonly error: string };

/** What the name or the first characters of a file say. */
export function formatOf(file: string, text: string): PublishedFormat | undefined {
  if (/\.non$/i.test(file)) return "non";
  if (/\.has$/i.test(file)) return "has";
  if (isAddress(text)) return "puzz.link";
  if (/\.xml$/i.test(file) || /^\s*</.test(text)) return "webpbn";
  return /\.json$/i.test(file) || /^\s*\{/.test(text) ? "puzzlekit" : undefined;
}

/** A file that cannot be read is one mistake, so that those after it are read. */
export function readPublished(
  format: PublishedFormat,
  name: string,
  text: string,
): (PublishedPuzzle | PublishedMistake)[] {
  try {
    switch (format) {
      case "non":
        return [{ name, puzzle: pattern.name, id: nonogramId(...nonLines(text)) }];
      case "webpbn":
        return webpbnPuzzles(name, text);
      case "has":
        return [{ name, puzzle: bridges.name, id: hashiId(numberGrid(text)) }];
      case "puzzlekit":
        return puzzlekitPuzzles(text);
      case "puzz.link":
        return text.split(/\s+/).filter(isAddress).map(addressed);
    }
  } catch (error) {
    return [{ name, error: messageOf(error) }];
  }
}

type Lines = readonly (readonly number[])[];

/** The clues are read back from an id, so that whatever is wrong with them is said as it is for any other. */
function nonogramId(columns: Lines, rows: Lines): string {
  const clue = (runs: readonly number[]) => runs.filter((run) => run !== 0).join(".");
  const id = `${columns.length}x${rows.length}:${[...columns, ...rows].map(clue).join("/")}`;
  return pattern.writeId(pattern.readId(id));
}

/** Numbers between blanks and commas, and nothing else. */
function numbersIn(text: string): number[] {
  if (!/^[\d\s,]*$/.test(text)) throw new DataError(`expected numbers, found ${JSON.stringify(text)}`);
  return (text.match(/\d+/g) ?? []).map(Number);
}

/**
 * A blank line is nothing to Simpson, who writes 0 for an empty line, and an empty line to the nonogram database: it is one
 * where the file says how many there are and they are too few without.
 */
function nonLines(text: string): [Lines, Lines] {
  const found: Record<"rows" | "columns", string[]> = { rows: [], columns: [] };
  const declared: { rows?: number; columns?: number } = {};
  let section: "rows" | "columns" | undefined;
  for (const line of text.split(/\r?\n/)) {
    const word = line.trim().toLowerCase();
    if (word === "rows" || word === "columns") section = word;
    else if (/^[a-z]/.test(word)) {
      section = undefined;
      const [, side, length] = /^(width|height|rows|columns)\s+(\d+)$/.exec(word) ?? [];
      if (side !== undefined) declared[/^[wc]/.test(side) ? "columns" : "rows"] = Number(length);
    } else if (section !== undefined) found[section].push(word);
  }
  const clues = (side: "rows" | "columns") => {
    const written = found[side].filter((line) => line !== "");
    const wanted = declared[side] ?? written.length;
    // The last blank line ends the list.
    const lines = found[side].slice(0, found[side].at(-1) === "" ? -1 : undefined);
    const withEmpty = lines.slice(0, wanted);
    const rest = lines.slice(wanted).some((line) => line !== "");
    return written.length < wanted && withEmpty.length === wanted && !rest ? withEmpty : written;
  };
  const [columns, rows] = [clues("columns"), clues("rows")];
  if (found.rows.length === 0 || found.columns.length === 0)
    throw new DataError("a .non file has a line `rows` and a line `columns`, each followed by clues");
  const { columns: width = columns.length, rows: height = rows.length } = declared;
  if (width !== columns.length || height !== rows.length)
    throw new DataError(
      `the file says ${width} columns and ${height} rows, and has ${columns.length} and ${rows.length} clues`,
    );
  return [columns.map(numbersIn), rows.map(numbersIn)];
}

/** Black and white only: every count of one color. */
function webpbnPuzzles(name: string, text: string): (PublishedPuzzle | PublishedMistake)[] {
  const puzzles = [...text.replaceAll(/<!--[\s\S]*?-->/g, "").matchAll(elements("puzzle"))];
  if (puzzles.length === 0) throw new DataError("no <puzzle> in the XML; webpbn exports one or more");
  return puzzles.map(([, attributes, whole], index) => {
    const called = `${name}${puzzles.length > 1 ? `#${index + 1}` : ""}`;
    return attempt(called, pattern.name, () => {
      const type = attribute(attributes, "type") ?? "grid";
      if (type !== "grid") throw new DataError(`is a ${type}; only puzzles on a grid can be read`);
      const counts = [...whole.matchAll(elements("count"))];
      const usual = attribute(attributes, "defaultcolor") ?? "black";
      const colors = new Set(counts.map(([, own]) => attribute(own, "color") ?? usual));
      if (colors.size > 1) throw new DataError(`has ${colors.size} colors; only puzzles of one can be read`);
      const clues = [...whole.matchAll(elements("clues"))];
      const lines = (kind: string) => {
        const [, , own] = clues.find(([, given]) => attribute(given, "type") === kind) ?? [];
        if (own === undefined) throw new DataError(`has no <clues type="${kind}">`);
        return [...own.matchAll(elements("line"))].map(([, , line = ""]) =>
          [...line.matchAll(elements("count"))].flatMap(([, , count = ""]) => oneNumber(count)),
        );
      };
      return nonogramId(lines("columns"), lines("rows"));
    });
  });
}

/** All elements of a name: their attributes, and what is inside unless they are empty. */
const elements = (name: string) => new RegExp(`<${name}\\b([^>]*?)(?:/>|>([\\s\\S]*?)</${name}\\s*>)`, "g");

const attribute = (text: string, name: string): string | undefined =>
  new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
    .exec(text)
    ?.slice(1)
    .find((value) => value !== undefined);

function oneNumber(text: string): number {
  const [number, ...more] = numbersIn(text);
  if (number === undefined || more.length > 0) throw new DataError(`expected a number, found ${JSON.stringify(text)}`);
  return number;
}

/** Lines of words after a first line that says how many rows and columns there are; a word is what is known, or stands for nothing. */
function wordGrid(text: string, known: RegExp): string[][] {
  const [head, ...lines] = text.trim().split(/\r?\n/);
  const [rows, columns] = numbersIn(head);
  if (!(rows > 0 && columns > 0)) throw new DataError("the first line says how many rows and columns there are");
  const grid = lines.map((line) => line.trim().split(/\s+/));
  if (grid.length !== rows || grid.some((row) => row.length !== columns))
    throw new DataError(`expected ${rows} lines of ${columns} cells after the first line`);
  const strange = grid.flat().find((word) => !known.test(word) && !/^[-._]$/.test(word));
  if (strange !== undefined) throw new DataError(`unexpected ${JSON.stringify(strange)} in the grid`);
  return grid;
}

/** Up to eight bridges end at an island where two join two islands. */
function numberGrid(text: string): number[][] {
  return wordGrid(text, /^[0-8]$/).map((row) => row.map((word) => (/^\d$/.test(word) ? Number(word) : 0)));
}

/** Touching islands are no puzzle of Tatham's: they are put two cells apart, which changes no bridge that could be built. */
function hashiId(clues: readonly (readonly number[])[]): string {
  const touching = clues.some((row, y) =>
    row.some((clue, x) => clue > 0 && ((row[x + 1] ?? 0) > 0 || (clues[y + 1]?.[x] ?? 0) > 0)),
  );
  const [step, height, width] = touching
    ? [2, 2 * clues.length - 1, 2 * clues[0].length - 1]
    : [1, clues.length, clues[0].length];
  const cells = new Array<number>(width * height).fill(0);
  clues.forEach((row, y) => {
    row.forEach((clue, x) => {
      cells[step * y * width + step * x] = clue;
    });
  });
  const id = bridges.writeId({ width, height, maxBridges: 2, loops: "allowed", clues: cells });
  return bridges.writeId(bridges.readId(id));
}

/** A dot in a cell's middle is 0, on its right edge 1, on its lower edge 2, on the corner between those 3. */
function galaxiesId(rows: readonly string[][]): string {
  const dots = rows.flatMap((row, y) =>
    row.flatMap((word, x) => {
      if (!/^[0-3]$/.test(word)) return [];
      const place = Number(word);
      return [{ x: 2 * x + 1 + (place & 1), y: 2 * y + 1 + (place >> 1) }];
    }),
  );
  dots.sort((one, other) => one.y - other.y || one.x - other.x);
  const id = galaxies.writeId({ width: rows[0].length, height: rows.length, dots });
  return galaxies.writeId(galaxies.readId(id));
}

type Problems = { readonly name?: unknown; readonly data?: unknown };

function puzzlekitPuzzles(text: string): (PublishedPuzzle | PublishedMistake)[] {
  let set: Problems;
  try {
    set = JSON.parse(text);
  } catch (error) {
    throw new DataError(`not JSON: ${messageOf(error)}`);
  }
  if (typeof set?.data !== "object" || set.data === null) throw new DataError('a puzzlekit file has "name" and "data"');
  return Object.entries(set.data).map(([name, entry]) => {
    const problem = (entry as { problem?: unknown } | null)?.problem;
    if (typeof problem !== "string") return { name, error: 'has no "problem"' };
    switch (set.name) {
      case "Nonogram":
        return attempt(name, pattern.name, () => {
          const [head, ...lines] = problem.split("\n");
          const [rows, columns] = numbersIn(head);
          if (lines.length !== rows + columns)
            throw new DataError(`expected ${columns} columns and ${rows} rows of clues, found ${lines.length} lines`);
          return nonogramId(lines.slice(0, columns).map(numbersIn), lines.slice(columns).map(numbersIn));
        });
      case "Hashi":
        return attempt(name, bridges.name, () => hashiId(numberGrid(problem)));
      case "Galaxies":
        return attempt(name, galaxies.name, () => galaxiesId(wordGrid(problem, /^[0-3]$/)));
      default:
        return { name, error: `${JSON.stringify(set.name)} is none of: Nonogram, Hashi, Galaxies` };
    }
  });
}

function addressed(address: string): PublishedPuzzle | PublishedMistake {
  try {
    return { name: address, ...readAddress(address) };
  } catch (error) {
    return { name: address, error: messageOf(error) };
  }
}

function attempt(name: string, puzzle: PuzzleName, id: () => string): PublishedPuzzle | PublishedMistake {
  try {
    return { name, puzzle, id: id() };
  } catch (error) {
    return { name, error: messageOf(error) };
  }
}
