// Simon Tatham's notation for Pattern. Parameters `10x10`, to which we add `f` (per cent of full cells) and `d` (his
// way of writing a difficulty, which his Pattern lacks); ids `5x5:1/1/3/4/3/1.3/3/3/1/1`, columns before rows, with an
// optional `,` and prefilled cells; solve moves `S0110…`.
import { mostCells, PuzzleFormatError, shortened as quoted } from "../puzzle.ts";
import {
  type PatternBoard,
  type PatternDifficulty,
  type PatternInstance,
  type PatternParams,
  patternDifficulties,
} from "./instance.ts";

/** A line is looked at as a whole, and looking at one takes time as the square of its length. */
export const longestSide = 1_000;

const paramsForm = /^(\d+)(?:x(\d+))?(?:f(\d+))?(?:d(\S))?$/i;

export function readPatternParams(text: string): PatternParams {
  const trimmed = text.trim();
  const match = paramsForm.exec(trimmed);
  if (match === null) {
    throw new PuzzleFormatError(
      `pattern parameters ${quoted(trimmed)}: expected a size and what may follow it, such as 10x10, 10x10dt or 15x15f40dn`,
    );
  }
  const width = Number(match[1]);
  const height = match[2] === undefined ? width : Number(match[2]);
  const problem = sizeProblem(width, height);
  if (problem !== undefined) throw new PuzzleFormatError(`pattern parameters ${quoted(trimmed)}: ${problem}`);
  const fullPercent = match[3] === undefined ? undefined : Number(match[3]);
  if (fullPercent !== undefined && (fullPercent < 1 || fullPercent > 99)) {
    throw new PuzzleFormatError(
      `pattern parameters ${quoted(trimmed)}: f is the per cent of full cells, 1 to 99, not ${fullPercent}`,
    );
  }
  const letter = match[4]?.toLowerCase();
  const difficulty = patternDifficulties.find((name) => name[0] === letter);
  if (letter !== undefined && difficulty === undefined) {
    const known = patternDifficulties.map((name) => `${name[0]} (${name})`).join(", ");
    throw new PuzzleFormatError(
      `pattern parameters ${quoted(trimmed)}: unknown difficulty d${letter}; expected one of: ${known}`,
    );
  }
  return { width, height, ...(fullPercent !== undefined && { fullPercent }), ...(difficulty && { difficulty }) };
}

export function writePatternParams(params: PatternParams): string {
  const percent = params.fullPercent === undefined ? "" : `f${params.fullPercent}`;
  const difficulty: PatternDifficulty | undefined = params.difficulty;
  return `${params.width}x${params.height}${percent}${difficulty === undefined ? "" : `d${difficulty[0]}`}`;
}

/** Why a board of this size cannot be, if it cannot. */
export function sizeProblem(width: number, height: number): string | undefined {
  if (!Number.isInteger(width) || !Number.isInteger(height) || width < 1 || height < 1) {
    return `width and height must be whole numbers of at least 1, not ${width} and ${height}`;
  }
  if (width * height > mostCells) return `${width}x${height} has more than ${mostCells} cells`;
  if (Math.max(width, height) > longestSide)
    return `no side may be longer than ${longestSide}, and this is ${width}x${height}`;
  return undefined;
}

export function readPatternId(id: string): PatternInstance {
  const text = id.trim();
  const colon = text.indexOf(":");
  if (colon < 0) {
    const seed = text.includes("#") ? "; a seed (#) names a puzzle only to the program that made it" : "";
    throw new PuzzleFormatError(
      `pattern id ${quoted(text)} has no ":" between parameters and clues${seed}; expected something like 2x2:1/1/2/`,
    );
  }
  const { width, height } = readPatternParams(text.slice(0, colon));
  const comma = text.indexOf(",", colon);
  const cluesEnd = comma < 0 ? text.length : comma;
  const lines = readLines(text, colon + 1, cluesEnd, width, height);
  const prefilled = comma < 0 ? undefined : readPrefilled(text, comma + 1, width * height);
  return {
    width,
    height,
    columns: lines.slice(0, width),
    rows: lines.slice(width),
    ...(prefilled !== undefined && { prefilled }),
  };
}

function readLines(id: string, from: number, to: number, width: number, height: number): number[][] {
  const lines: number[][] = [];
  const name = () => (lines.length < width ? `column ${lines.length + 1}` : `row ${lines.length - width + 1}`);
  let at = from;
  for (;;) {
    if (lines.length === width + height) {
      throw broken(id, at - 1, `more than ${width} columns and ${height} rows of clues`);
    }
    const length = lines.length < width ? height : width;
    const runs: number[] = [];
    let needed = -1;
    while (at < to && id[at] !== "/") {
      const start = at;
      while (at < to && isDigit(id.charCodeAt(at))) at++;
      if (at === start) throw broken(id, at, `${name()}: expected the length of a run, found ${quoted(id[at])}`);
      const run = Number(id.slice(start, at));
      if (run === 0) throw broken(id, start, `${name()}: a run of 0 cells; the clue of a blank line is left empty`);
      runs.push(run);
      needed += run + 1;
      if (needed > length) {
        throw broken(id, start, `${name()}: its runs need ${needed} cells or more and there are ${length}`);
      }
      if (at < to && id[at] === ".") {
        at++;
        if (at === to || !isDigit(id.charCodeAt(at))) {
          throw broken(id, at - 1, `${name()}: "." is not followed by the length of a run`);
        }
      } else if (at < to && id[at] !== "/") {
        throw broken(id, at, `${name()}: unexpected ${quoted(id[at])}`);
      }
    }
    lines.push(runs);
    if (at === to) break;
    at++;
  }
  if (lines.length < width + height) {
    throw broken(id, to, `clues for ${lines.length} lines; ${width} columns and ${height} rows need ${width + height}`);
  }
  return lines;
}

/** Letters skip 0 to 24 cells and give the next one: empty if lower case, full if upper; z skips 25 and gives none. */
function readPrefilled(id: string, from: number, area: number): string | undefined {
  const parts: string[] = [];
  let cell = 0;
  let at = from;
  for (; cell < area; at++) {
    if (at === id.length) throw broken(id, at, `the prefilled cells end after ${cell} of ${area} cells`);
    const letter = id[at];
    const lower = letter.toLowerCase();
    if (!/^[a-zA-Z]$/.test(letter)) throw broken(id, at, `prefilled cells: expected a letter, found ${quoted(letter)}`);
    const skip = lower.charCodeAt(0) - 97;
    if (cell + skip > area) throw broken(id, at, `the prefilled cells go beyond the ${area} of the board`);
    parts.push("?".repeat(skip));
    cell += skip;
    if (skip < 25 && cell < area) {
      parts.push(letter === lower ? "." : "#");
      cell++;
    }
  }
  if (at < id.length) throw broken(id, at, `${quoted(id[at])} comes after the last of ${area} prefilled cells`);
  const prefilled = parts.join("");
  return /[#.]/.test(prefilled) ? prefilled : undefined;
}

export function writePatternId(instance: PatternInstance): string {
  const { width, height, columns, rows, prefilled } = instance;
  const clues = [...columns, ...rows].map((runs) => runs.join(".")).join("/");
  return `${width}x${height}:${clues}${prefilled === undefined ? "" : `,${writePrefilled(prefilled)}`}`;
}

function writePrefilled(prefilled: string): string {
  let text = "";
  let skip = 0;
  for (const symbol of prefilled) {
    if (symbol === "?") {
      if (++skip === 25) {
        text += "z";
        skip = 0;
      }
      continue;
    }
    const letter = String.fromCharCode(97 + skip);
    text += symbol === "#" ? letter.toUpperCase() : letter;
    skip = 0;
  }
  return skip === 0 ? text : text + String.fromCharCode(97 + skip);
}

export function writePatternMove(board: PatternBoard): string {
  return `S${board.cells.replaceAll("#", "1").replaceAll(".", "0")}`;
}

export function readPatternMove(instance: PatternInstance, move: string): PatternBoard {
  const text = move.trim();
  const area = instance.width * instance.height;
  if (text[0] !== "S") throw new PuzzleFormatError(`pattern move ${quoted(text)}: a solve move begins with "S"`);
  const stray = /[^01]/.exec(text.slice(1));
  if (stray !== null) {
    throw new PuzzleFormatError(
      `pattern move: expected 0 or 1 at character ${stray.index + 2}, found ${quoted(stray[0])}`,
    );
  }
  if (text.length !== area + 1) {
    throw new PuzzleFormatError(
      `pattern move: expected ${area} cells for ${instance.width}x${instance.height}, found ${text.length - 1}`,
    );
  }
  return { cells: text.slice(1).replaceAll("1", "#").replaceAll("0", ".") };
}

const isDigit = (code: number) => code >= 48 && code <= 57;

const broken = (id: string, at: number, problem: string) =>
  new PuzzleFormatError(
    `pattern id, ${at < id.length ? `character ${at + 1} of ${id.length}` : `at its end (character ${id.length})`}: ${problem}`,
  );
