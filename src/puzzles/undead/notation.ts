// Simon Tatham's notation: `4x4dn`, `4x4:2,3,4,RLRaRaLRaRf,0,0,…` and `S;V0;Z1;…`.
import { PuzzleFormatError, runsAsLetters } from "../puzzle.ts";
import { readSizeAndLevel } from "../size-and-level.ts";
import {
  clockwise,
  fromClockwise,
  isMirror,
  monsterSymbols,
  smallestSide,
  type UndeadBoard,
  type UndeadInstance,
  type UndeadParams,
  undeadDifficulties,
} from "./instance.ts";

const firstRun = "a".charCodeAt(0);

const form = { name: "undead", smallestSide, levels: undeadDifficulties, usual: "normal" } as const;
export const readParams = (text: string): UndeadParams => readSizeAndLevel(text, form);

export function writeParams({ width, height, difficulty }: UndeadParams): string {
  return `${width}x${height}${difficulty === undefined ? "" : `d${difficulty[0]}`}`;
}

export function readId(id: string): UndeadInstance {
  const colon = id.indexOf(":");
  if (colon < 0) {
    throw new PuzzleFormatError(
      id.includes("#")
        ? "undead id with a random seed: only his own program can regenerate it; give params:description"
        : `undead id has no ":" between its size and its description`,
    );
  }
  const { width, height } = readParams(id.slice(0, colon));
  const reader = new IdReader(id, colon + 1);
  const ghosts = reader.number("ghosts");
  reader.comma("the number of ghosts");
  const vampires = reader.number("vampires");
  reader.comma("the number of vampires");
  const zombies = reader.number("zombies");
  reader.comma("the number of zombies");
  const cells = reader.grid(width * height);
  let monsters = 0;
  for (const symbol of cells) if (!isMirror(symbol)) monsters++;
  if (ghosts + vampires + zombies !== monsters) {
    throw new PuzzleFormatError(
      `undead id has ${monsters} cells for monsters but counts ${ghosts} + ${vampires} + ${zombies} of them`,
    );
  }
  const edges = 2 * (width + height);
  const seen: number[] = [];
  while (seen.length < edges) {
    reader.comma(seen.length === 0 ? "the grid" : `sighting ${seen.length} of ${edges}`);
    seen.push(reader.number(`sighting ${seen.length + 1} of ${edges}`));
  }
  reader.end(`the ${edges} sightings`);
  return {
    width,
    height,
    totals: { ghosts, vampires, zombies },
    cells,
    sightings: fromClockwise(width, height, seen),
  };
}

class IdReader {
  readonly #id: string;
  #at: number;

  constructor(id: string, at: number) {
    this.#id = id;
    this.#at = at;
  }

  /** No digits at all count as 0, as they do in his program. */
  number(what: string): number {
    const from = this.#at;
    while (this.#at < this.#id.length && /[0-9]/.test(this.#id[this.#at])) this.#at++;
    if (this.#at - from > 9) throw new PuzzleFormatError(`undead id: ${what} is too large at character ${from + 1}`);
    return Number(this.#id.slice(from, this.#at));
  }

  comma(after: string): void {
    if (this.#id[this.#at] !== ",") throw this.#unexpected(`"," after ${after}`);
    this.#at++;
  }

  grid(area: number): string {
    let cells = "";
    for (; this.#at < this.#id.length && this.#id[this.#at] !== ","; this.#at++) {
      const symbol = this.#id[this.#at];
      if (symbol >= "a" && symbol <= "z") cells += ".".repeat(symbol.charCodeAt(0) - firstRun + 1);
      else if (symbol === "L") cells += "\\";
      else if (symbol === "R") cells += "/";
      else if (monsterSymbols.includes(symbol)) cells += symbol;
      else throw this.#unexpected("a to z, L, R, G, V or Z in the grid");
      if (cells.length > area) {
        throw new PuzzleFormatError(`undead id describes more than ${area} cells at character ${this.#at + 1}`);
      }
    }
    if (cells.length < area) {
      throw new PuzzleFormatError(
        `undead id describes ${cells.length} of ${area} cells; the grid ends at character ${this.#at + 1}`,
      );
    }
    return cells;
  }

  end(after: string): void {
    if (this.#at < this.#id.length) throw this.#unexpected(`nothing after ${after}`);
  }

  #unexpected(expected: string): PuzzleFormatError {
    const found = this.#at < this.#id.length ? `"${this.#id[this.#at]}"` : "the end";
    return new PuzzleFormatError(`undead id: expected ${expected} at character ${this.#at + 1}, found ${found}`);
  }
}

export function writeId(instance: UndeadInstance): string {
  const { width, height, totals } = instance;
  const grid = runsAsLetters(instance.cells.replaceAll("\\", "L").replaceAll("/", "R"));
  const counts = `${totals.ghosts},${totals.vampires},${totals.zombies}`;
  return `${width}x${height}:${counts},${grid},${clockwise(instance.sightings).join(",")}`;
}

export function writeMove(instance: UndeadInstance, board: UndeadBoard): string {
  const parts = ["S"];
  let monster = 0;
  for (let cell = 0; cell < instance.cells.length; cell++) {
    if (isMirror(instance.cells[cell])) continue;
    if (monsterSymbols.includes(board.cells[cell])) parts.push(`${board.cells[cell]}${monster}`);
    monster++;
  }
  return parts.join(";");
}

export function readMove(instance: UndeadInstance, move: string): UndeadBoard {
  const cells = [...instance.cells];
  const places = [...cells.keys()].filter((cell) => !isMirror(cells[cell]));
  const [start, ...parts] = move.split(";");
  if (start !== "S") throw new PuzzleFormatError(`undead move does not start with "S" at character 1`);
  const filled = new Set<number>();
  let at = start.length + 2;
  for (const part of parts) {
    const match = /^([GVZ])(\d{1,9})$/.exec(part);
    if (match === null) {
      throw new PuzzleFormatError(
        `undead move: expected G, V or Z and a cell number at character ${at}, found "${part}"`,
      );
    }
    const monster = Number(match[2]);
    if (monster >= places.length) {
      throw new PuzzleFormatError(
        `undead move: there is no monster cell ${monster} at character ${at}; they go from 0 to ${places.length - 1}`,
      );
    }
    if (filled.has(monster)) {
      throw new PuzzleFormatError(`undead move fills monster cell ${monster} a second time at character ${at}`);
    }
    filled.add(monster);
    cells[places[monster]] = match[1];
    at += part.length + 1;
  }
  return { cells: cells.join("") };
}
