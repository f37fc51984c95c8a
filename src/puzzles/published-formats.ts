// Puzzles as others publish them, turned into our ids: nonograms as `.non` (Steve Simpson) and as webpbn's XML, Hashi as `.has`
// (the CLLV set), and the JSON files of puzzlekit. Reading only; a solution that comes with a puzzle is left where it is.
import { DataError, messageOf } from "../base/errors.ts";
import { bridges } from "./bridges/index.ts";
import type { PuzzleName } from "./catalog.ts";
import { galaxies } from "./galaxies/index.ts";
import { pattern } from "./pattern/index.ts";

export const publishedFormats = ["non", "webpbn", "has", "puzzlekit"] as const;
export type PublishedFormat = (typeof publishedFormats)[number];

type PublishedPuzzle = { readonly name: string; readonly puzzle: PuzzleName; readonly id: string };
type PublishedMistake = { readonly name: string; readonly error: string };

/** What the name or the first characters of a file say. */
export function formatOf(file: string, text: string): PublishedFormat | undefined {
  if (/\.non$/i.test(file)) return "non";
  if (/\.has$/i.test(file)) return "has";
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

function nonLines(text: string): [Lines, Lines] {
  const found: Record<"rows" | "columns", number[][]> = { rows: [], columns: [] };
  const declared: Record<string, number> = {};
  let section: "rows" | "columns" | undefined;
  for (const line of text.split(/\r?\n/)) {
    const word = line.trim().toLowerCase();
    if (word === "rows" || word === "columns") section = word;
    else if (/^[a-z]/.test(word)) {
      section = undefined;
      const [, side, length] = /^(width|height)\s+(\d+)$/.exec(word) ?? [];
      if (side !== undefined) declared[side] = Number(length);
    } else if (section !== undefined && word !== "") found[section].push(numbersIn(word));
  }
  if (found.rows.length === 0 || found.columns.length === 0)
    throw new DataError("a .non file has a line `rows` and a line `columns`, each followed by clues");
  const { width = found.columns.length, height = found.rows.length } = declared;
  if (width !== found.columns.length || height !== found.rows.length)
    throw new DataError(
      `the file says ${width} columns and ${height} rows, and has ${found.columns.length} and ${found.rows.length} clues`,
    );
  return [found.columns, found.rows];
}

/** Black and white only: every count of one color. */
function webpbnPuzzles(name: string, text: string): (PublishedPuzzle | PublishedMistake)[] {
  const puzzles = [...text.matchAll(/<puzzle\b[\s\S]*?<\/puzzle>/g)].map(([whole]) => whole);
  if (puzzles.length === 0) throw new DataError("no <puzzle> in the XML; webpbn exports one or more");
  return puzzles.map((whole, index) => {
    const called = `${name}${puzzles.length > 1 ? `#${index + 1}` : ""}`;
    const colors = new Set([...whole.matchAll(/<count\b[^>]*\bcolor="([^"]*)"/g)].map(([, color]) => color));
    if (colors.size > 1) return { name: called, error: `has ${colors.size} colors; only puzzles of one can be read` };
    const lines = (kind: string) => {
      const [, clues = ""] = new RegExp(`<clues\\s+type="${kind}"[^>]*>([\\s\\S]*?)</clues>`).exec(whole) ?? [];
      return [...clues.matchAll(/<line\b[^>]*?(?:\/>|>([\s\S]*?)<\/line>)/g)].map(([, counts = ""]) =>
        [...counts.matchAll(/<count\b[^>]*>\s*(\d+)\s*<\/count>/g)].map(([, count]) => Number(count)),
      );
    };
    return attempt(called, pattern.name, () => nonogramId(lines("columns"), lines("rows")));
  });
}

/** Lines of words after a first line that says how many rows and columns there are. */
function wordGrid(text: string): string[][] {
  const [head, ...lines] = text.trim().split(/\r?\n/);
  const [rows, columns] = numbersIn(head);
  if (!(rows > 0 && columns > 0)) throw new DataError("the first line says how many rows and columns there are");
  const grid = lines.slice(0, rows).map((line) => line.trim().split(/\s+/));
  if (grid.length !== rows || grid.some((row) => row.length !== columns))
    throw new DataError(`expected ${rows} lines of ${columns} cells after the first line`);
  return grid;
}

function numberGrid(text: string): number[][] {
  return wordGrid(text).map((row) => row.map((word) => (/^\d+$/.test(word) ? Number(word) : 0)));
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
        return attempt(name, galaxies.name, () => galaxiesId(wordGrid(problem)));
      default:
        return { name, error: `${JSON.stringify(set.name)} is none of: Nonogram, Hashi, Galaxies` };
    }
  });
}

function attempt(name: string, puzzle: PuzzleName, id: () => string): PublishedPuzzle | PublishedMistake {
  try {
    return { name, puzzle, id: id() };
  } catch (error) {
    return { name, error: messageOf(error) };
  }
}
