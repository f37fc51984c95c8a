// Simon Tatham's notation for Pattern. Parameters `10x10`, to which we add `f` (per cent of full cells) and `d` (his
// way of writing a difficulty, which his Pattern lacks); ids `5x5:1/1/3/4/3/1.3/3/3/1/1`, columns before rows, with an
// optional `,` and prefilled cells; solve moves `S0110…`.
import { idInParts, type Reader, readParameters, writeParameters } from "../notation.ts";
import { PuzzleFormatError, shortened as quoted } from "../puzzle.ts";
import {
  type PatternBoard,
  type PatternDifficulty,
  type PatternInstance,
  type PatternParams,
  patternDifficulties,
} from "./instance.ts";

/** A line is looked at as a whole, and looking at one takes time as the square of its length. */
const longestSide = 1_000;

export const patternForm = {
  name: "pattern",
  smallestSide: 1,
  longestSide,
  levels: patternDifficulties,
  numbers: [["f", "the per cent of full cells", 1, 99]],
} as const;

export function readPatternParams(text: string): PatternParams {
  const { size, numbers } = readParameters<PatternDifficulty>(patternForm, text);
  return numbers.f === undefined ? size : { ...size, fullPercent: numbers.f };
}

export const writePatternParams = (params: PatternParams): string =>
  writeParameters(patternForm, params, params.fullPercent === undefined ? "" : `f${params.fullPercent}`);

export function readPatternId(id: string): PatternInstance {
  const { params, reader } = idInParts("pattern", id);
  const { width, height } = readPatternParams(params);
  const lines: number[][] = [];
  for (let line = 0; line < width + height; line++) {
    const name = line < width ? `column ${line + 1}` : `row ${line - width + 1}`;
    if (line > 0) reader.take("/", `the clue before that of ${name}`);
    lines.push(readRuns(reader, name, line < width ? height : width));
  }
  const prefilled = reader.takes(",") ? readPrefilled(reader, width * height) : undefined;
  if (!reader.ended) reader.expected(`nothing after ${width} columns and ${height} rows`);
  return {
    width,
    height,
    columns: lines.slice(0, width),
    rows: lines.slice(width),
    ...(prefilled !== undefined && { prefilled }),
  };
}

function readRuns(reader: Reader, name: string, length: number): number[] {
  const runs: number[] = [];
  if (reader.ended || /[/,]/.test(reader.text[reader.at])) return runs;
  let needed = -1;
  do {
    const start = reader.at;
    const run = reader.number(`the length of a run in ${name}`);
    if (run === 0) reader.refuse(`${name} has a run of 0 cells; the clue of a blank line is left empty,`, start);
    needed += run + 1;
    if (needed > length)
      reader.refuse(`the runs of ${name} need ${needed} cells or more and there are ${length},`, start);
    runs.push(run);
  } while (reader.takes("."));
  return runs;
}

/** Letters skip 0 to 24 cells and give the next one: empty if lower case, full if upper; z skips 25 and gives none. */
function readPrefilled(reader: Reader, area: number): string | undefined {
  const parts: string[] = [];
  for (let cell = 0; cell < area; reader.at++) {
    const letter = reader.text[reader.at];
    if (!/^[a-zA-Z]$/.test(letter ?? "")) reader.expected(`a letter for prefilled cells, ${cell} of ${area} so far`);
    const skip = letter.toLowerCase().charCodeAt(0) - 97;
    if (cell + skip > area) reader.refuse(`the prefilled cells go beyond the ${area} of the board`);
    parts.push("?".repeat(skip));
    cell += skip;
    if (skip < 25 && cell < area) {
      parts.push(letter === letter.toLowerCase() ? "." : "#");
      cell++;
    }
  }
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
