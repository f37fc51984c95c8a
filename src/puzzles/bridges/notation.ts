// Simon Tatham's notation for Bridges: parameters `7x7i30e10m2d0`, ids `7x7m2:a2d3…` and solve moves `S;L0,0,0,2,1;…`.
import { mostCells, PuzzleFormatError, runsAsLetters, tidyParams } from "../puzzle.ts";
import {
  type BridgesInstance,
  type BridgesParams,
  clueOfSymbol,
  clueSymbol,
  difficulties,
  mostBridges,
} from "./instance.ts";

const smallestSide = 3;
const anyDifficulty = "a";
/** What his program assumes for whatever a text leaves out. */
const defaults = {
  islandPercent: 30,
  expansionPercent: 10,
  maxBridges: 2,
  loops: "allowed",
  difficulty: "easy",
} as const;

type Reader = { readonly text: string; readonly what: string; at: number };

function complain(reader: Reader, problem: string, at = reader.at): never {
  const shown = reader.text.length > 80 ? `${reader.text.slice(0, 80)}…` : reader.text;
  throw new PuzzleFormatError(`${reader.what} ${JSON.stringify(shown)}, character ${at + 1}: ${problem}`);
}

function readNumber(reader: Reader, meaning: string): number {
  const start = reader.at;
  while (reader.at < reader.text.length && isDigit(reader.text.charCodeAt(reader.at))) reader.at++;
  if (reader.at === start) complain(reader, `expected ${meaning}, a number`);
  if (reader.at - start > 9) complain(reader, `${meaning} is too large`, start);
  return Number(reader.text.slice(start, reader.at));
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

function takes(reader: Reader, letter: string): boolean {
  if (reader.text[reader.at] !== letter) return false;
  reader.at++;
  return true;
}

function inRange(reader: Reader, start: number, value: number, least: number, most: number, meaning: string): number {
  if (value < least || value > most) complain(reader, `${meaning} must be ${least} to ${most}, not ${value}`, start);
  return value;
}

function readSize(reader: Reader): { width: number; height: number } {
  const start = reader.at;
  const width = readNumber(reader, "the width");
  const height = takes(reader, "x") ? readNumber(reader, "the height") : width;
  if (width < smallestSide || height < smallestSide)
    complain(reader, `width and height must be at least ${smallestSide}, not ${width}x${height}`, start);
  if (width * height > mostCells) complain(reader, `${width}x${height} is more than ${mostCells} cells`, start);
  return { width, height };
}

/** Everything up to the end of the text or a colon. An id's other numbers say how it was made and are not held to their ranges. */
function readParameters(reader: Reader, forId: boolean): BridgesParams {
  const { width, height } = readSize(reader);
  const numberAfter = (letter: string, meaning: string, least: number, most: number, fallback: number): number => {
    if (!takes(reader, letter)) return fallback;
    const start = reader.at;
    const value = readNumber(reader, meaning);
    return forId && letter !== "m" ? value : inRange(reader, start, value, least, most, meaning);
  };
  const islandPercent = numberAfter("i", "the percentage of islands", 1, 30, defaults.islandPercent);
  const expansionPercent = numberAfter("e", "the expansion percentage", 0, 100, defaults.expansionPercent);
  const maxBridges = numberAfter("m", "the most bridges between two islands", 1, mostBridges, defaults.maxBridges);
  const loops = takes(reader, "L") ? "forbidden" : defaults.loops;
  const shape = { width, height, islandPercent, expansionPercent, maxBridges, loops } as const;
  const difficulty = takes(reader, "d") ? readDifficulty(reader, forId) : defaults.difficulty;
  if (reader.at < reader.text.length && !(forId && reader.text[reader.at] === ":"))
    complain(reader, `unexpected ${JSON.stringify(reader.text[reader.at])}; the form is WxHi%e%m#[L]d#`);
  return difficulty === undefined ? shape : { ...shape, difficulty };
}

function readDifficulty(reader: Reader, forId: boolean): BridgesParams["difficulty"] {
  if (takes(reader, anyDifficulty)) return undefined;
  const start = reader.at;
  const digits = isDigit(reader.text.charCodeAt(start));
  const named = digits ? difficulties[readNumber(reader, "the difficulty")] : undefined;
  if (named !== undefined || (forId && digits)) return named;
  const known = difficulties.map((name, index) => `d${index} ${name}`).join(", ");
  return complain(reader, `unknown difficulty; expected one of: ${known}, d${anyDifficulty} any`, start);
}

export function readParams(text: string): BridgesParams {
  return readParameters({ text: tidyParams(text), what: "bridges parameters", at: 0 }, false);
}

/** `d3` is our extension for boards that need search, and `da` for any difficulty. */
export function writeParams(params: BridgesParams): string {
  const { width, height, islandPercent, expansionPercent, maxBridges, loops, difficulty } = params;
  const level = difficulty === undefined ? anyDifficulty : difficulties.indexOf(difficulty);
  return `${width}x${height}i${islandPercent}e${expansionPercent}m${maxBridges}${loops === "forbidden" ? "L" : ""}d${level}`;
}

export function readId(id: string): BridgesInstance {
  const reader: Reader = { text: id, what: "bridges id", at: 0 };
  const { width, height, maxBridges, loops } = readParameters(reader, true);
  if (!takes(reader, ":")) complain(reader, "expected a colon and the description of the board");
  const clues: number[] = new Array(width * height).fill(0);
  let cell = 0;
  let islands = 0;
  for (; reader.at < id.length; reader.at++) {
    const code = id.charCodeAt(reader.at);
    if (cell >= clues.length) complain(reader, `the board has ${clues.length} cells and the description goes on`);
    if (code >= 97 && code <= 122) {
      cell += code - 96;
      if (cell > clues.length) complain(reader, `the board has ${clues.length} cells and this run of water leaves it`);
      continue;
    }
    const clue = clueOfSymbol(id[reader.at]);
    if (clue === undefined)
      complain(reader, `expected an island 1-9 or A-G, or water a-z, found ${JSON.stringify(id[reader.at])}`);
    const touching =
      cell % width > 0 && clues[cell - 1] > 0 ? "left" : cell >= width && clues[cell - width] > 0 ? "above" : undefined;
    if (touching !== undefined)
      complain(reader, `this island touches the one ${touching === "left" ? "to its left" : "above it"}`);
    clues[cell++] = clue;
    islands++;
  }
  if (cell < clues.length) complain(reader, `the description ends after ${cell} of ${clues.length} cells`);
  if (islands < 2) complain(reader, `a board needs at least 2 islands, found ${islands}`);
  return { width, height, maxBridges, loops, clues };
}

export function writeId({ width, height, maxBridges, loops, clues }: BridgesInstance): string {
  const description = runsAsLetters(clues.map((clue) => (clue > 0 ? clueSymbol(clue) : ".")).join(""));
  return `${width}x${height}m${maxBridges}${loops === "forbidden" ? "L" : ""}:${description}`;
}

/** Bridges between two cells, as a move names them. */
export type Placement = {
  readonly fromX: number;
  readonly fromY: number;
  readonly toX: number;
  readonly toY: number;
  readonly count: number;
};

export function writePlacements(placements: readonly Placement[]): string {
  return ["S", ...placements.map((s) => `L${s.fromX},${s.fromY},${s.toX},${s.toY},${s.count}`)].join(";");
}

/** Calls `place` for each bridge of a move; what `place` returns is what is wrong with it. Marks (`M`, `N`) place nothing. */
export function readPlacements(move: string, place: (placement: Placement) => string | undefined): void {
  const reader: Reader = { text: move, what: "bridges move", at: 0 };
  const numbers = (names: readonly string[]): number[] =>
    names.map((name, index) => {
      if (index > 0 && !takes(reader, ",")) complain(reader, "expected a comma");
      return readNumber(reader, name);
    });
  if (takes(reader, "S") && reader.at < move.length && !takes(reader, ";")) complain(reader, "expected a semicolon");
  while (reader.at < move.length) {
    const start = reader.at;
    if (takes(reader, "L")) {
      const [fromX, fromY, toX, toY, count] = numbers(["x", "y", "x", "y", "the number of bridges"]);
      const problem = place({ fromX, fromY, toX, toY, count });
      if (problem !== undefined) complain(reader, problem, start);
    } else if (takes(reader, "N")) numbers(["x", "y", "x", "y"]);
    else if (takes(reader, "M")) numbers(["x", "y"]);
    else complain(reader, `expected L, N or M, found ${JSON.stringify(move[reader.at])}`);
    if (reader.at < move.length && !takes(reader, ";")) complain(reader, "expected a semicolon");
  }
}
