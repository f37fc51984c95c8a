// Simon Tatham's notation for Galaxies: parameters, ids and solve moves, read and written.
import { mostCells, PuzzleFormatError, shortened as shown, tidyParams } from "../puzzle.ts";
import {
  cellsUnderDot,
  type Dot,
  dotLabel,
  type GalaxiesBoard,
  type GalaxiesInstance,
  type GalaxiesParams,
  labelLength,
  sizeText,
  smallestSide,
} from "./instance.ts";

export function readParams(given: string): GalaxiesParams {
  const text = tidyParams(given);
  const match = /^(\d+)(?:x(\d+))?(?:d(.*))?$/s.exec(text);
  if (match === null) throw malformed("parameters", text, "expected WIDTHxHEIGHT and then dn or du, as in 7x7dn");
  const width = Number(match[1]);
  const height = match[2] === undefined ? width : Number(match[2]);
  checkSize("parameters", text, width, height);
  const level = match[3] ?? "n";
  if (level !== "n" && level !== "u")
    throw malformed(
      "parameters",
      text,
      `unknown difficulty ${shown(level)} after "d"; expected dn (normal) or du (unreasonable)`,
    );
  return { width, height, difficulty: level === "n" ? "normal" : "unreasonable" };
}

/** Without a difficulty there is nothing to write for it; reading that back gives his default, which is normal. */
export function writeParams(params: GalaxiesParams): string {
  return sizeText(params) + (params.difficulty === undefined ? "" : `d${params.difficulty[0]}`);
}

function checkSize(what: string, text: string, width: number, height: number): void {
  if (width < smallestSide || height < smallestSide)
    throw malformed(what, text, `width and height must both be at least ${smallestSide}`);
  if (width * height > mostCells) throw malformed(what, text, `more than ${mostCells} cells`);
}

const [a, y, z, upperA, upperY] = [..."ayzAY"].map((letter) => letter.charCodeAt(0));
const longestGap = z - a;

export function readId(id: string): GalaxiesInstance {
  const colon = id.indexOf(":");
  if (colon < 0) throw malformed("id", id, 'no ":" between parameters and dots');
  const { width, height } = readParams(id.slice(0, colon));
  const columns = 2 * width - 1;
  const places = columns * (2 * height - 1);
  const dots: Dot[] = [];
  const holder = new Map<number, number>();
  let place = 0;
  for (let at = colon + 1; at < id.length; at++) {
    const code = id.charCodeAt(at);
    if (code === z) {
      place += longestGap;
      continue;
    }
    const black = code >= upperA && code <= upperY;
    if (!black && !(code >= a && code <= y))
      throw malformed("id", id, `unexpected ${shown(id[at])} at character ${at + 1}; expected a … z or A … Y`);
    place += code - (black ? upperA : a);
    if (place >= places) throw malformed("id", id, `the dot at character ${at + 1} lies beyond the grid`);
    const spot = { x: (place % columns) + 1, y: Math.floor(place / columns) + 1 };
    const dot: Dot = black ? { ...spot, black } : spot;
    for (const cell of cellsUnderDot(width, dot)) {
      const other = holder.get(cell);
      if (other !== undefined)
        throw malformed("id", id, `the dot at character ${at + 1} is too close to the one at character ${other + 1}`);
      holder.set(cell, at);
    }
    dots.push(dot);
    place++;
  }
  return { width, height, dots };
}

export function writeId(instance: GalaxiesInstance): string {
  const columns = 2 * instance.width - 1;
  let id = `${sizeText(instance)}:`;
  let next = 0;
  for (const dot of instance.dots) {
    const place = (dot.y - 1) * columns + dot.x - 1;
    let gap = place - next;
    for (; gap >= longestGap; gap -= longestGap) id += "z";
    id += String.fromCharCode((dot.black ? upperA : a) + gap);
    next = place + 1;
  }
  return id;
}

/** The lines between regions, in his coordinates and his order: column by column of the (2·width+1)x(2·height+1) lattice. */
export function writeMove({ width, height }: GalaxiesInstance, { labels }: GalaxiesBoard): string {
  let move = "S";
  for (let x = 1; x < 2 * width; x++)
    for (let y = 1 + (x & 1); y < 2 * height; y += 2) {
      const [one, other] = cellsBesideLine(width, x, y);
      if (labels[one] !== labels[other]) move += `;E${x},${y}`;
    }
  return move;
}

export function readMove(instance: GalaxiesInstance, move: string): GalaxiesBoard {
  const { width, height } = instance;
  const [first, ...steps] = move.split(";");
  if (first !== "S") throw malformed("move", move, 'a solve move starts with "S"');
  const lines = new Set<string>();
  let at = 2;
  for (const step of steps) {
    const match = /^([EU])(\d+),(\d+)$/.exec(step);
    if (match === null)
      throw malformed("move", move, `unexpected ${shown(step)} at character ${at + 1}; expected Ex,y as in E3,4`);
    const [x, y] = [Number(match[2]), Number(match[3])];
    // U takes back an arrow that a player drew; arrows are no part of a solution.
    if (match[1] === "E") {
      if (x < 1 || x >= 2 * width || y < 1 || y >= 2 * height || (x + y) % 2 === 0)
        throw malformed("move", move, `${step} at character ${at + 1} is not a line between two cells`);
      const line = `${x},${y}`;
      if (!lines.delete(line)) lines.add(line);
    }
    at += step.length + 1;
  }
  return boardOfLines(instance, (x, y) => lines.has(`${x},${y}`));
}

/** Regions are what lines enclose; each is called by the first dot inside, and those without one by names no dot has. */
function boardOfLines(instance: GalaxiesInstance, drawn: (x: number, y: number) => boolean): GalaxiesBoard {
  const { width, height, dots } = instance;
  const letters = labelLength(instance);
  const labels = new Array<string>(width * height).fill("");
  const spread = (start: number, label: string) => {
    const reached = [start];
    labels[start] = label;
    for (const cell of reached) {
      const [x, y] = [2 * (cell % width) + 1, 2 * Math.floor(cell / width) + 1];
      for (const [dx, dy] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ] as const) {
        const [lineX, lineY] = [x + dx, y + dy];
        if (lineX === 0 || lineY === 0 || lineX === 2 * width || lineY === 2 * height || drawn(lineX, lineY)) continue;
        const next = cell + dx + dy * width;
        if (labels[next] !== "") continue;
        labels[next] = label;
        reached.push(next);
      }
    }
  };
  dots.forEach((dot, index) => {
    const [cell] = cellsUnderDot(width, dot);
    if (labels[cell] === "") spread(cell, dotLabel(index, letters));
  });
  let unnamed = dots.length;
  for (let cell = 0; cell < labels.length; cell++) if (labels[cell] === "") spread(cell, dotLabel(unnamed++, letters));
  return { labels };
}

function cellsBesideLine(width: number, x: number, y: number): [number, number] {
  return x % 2 === 0
    ? [((y - 1) / 2) * width + x / 2 - 1, ((y - 1) / 2) * width + x / 2]
    : [(y / 2 - 1) * width + (x - 1) / 2, (y / 2) * width + (x - 1) / 2];
}

function malformed(what: string, text: string, problem: string): PuzzleFormatError {
  return new PuzzleFormatError(`galaxies ${what} ${shown(text)}: ${problem}`);
}
