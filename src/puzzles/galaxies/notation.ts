// Simon Tatham's notation for Galaxies: parameters, ids and solve moves, read and written.
import { neighborsOf } from "../cell-regions.ts";
import { idInParts, readParameters, stepsOf, writeParameters } from "../notation.ts";
import {
  cellsUnderDot,
  type Dot,
  difficulties,
  dotLabel,
  type GalaxiesBoard,
  type GalaxiesInstance,
  type GalaxiesParams,
  labelLength,
  sizeText,
  smallestSide,
} from "./instance.ts";

export const galaxiesForm = { name: "galaxies", smallestSide, levels: difficulties, usual: "normal" } as const;

export const readParams = (text: string): GalaxiesParams => readParameters(galaxiesForm, text).size;
/** Without a difficulty there is nothing to write for it; reading that back gives his default, which is normal. */
export const writeParams = (params: GalaxiesParams): string => writeParameters(galaxiesForm, params);

const [a, z, upperA, upperY] = [..."azAY"].map((letter) => letter.charCodeAt(0));
const longestGap = z - a;

export function readId(id: string): GalaxiesInstance {
  const { params, reader } = idInParts("galaxies", id);
  const { width, height } = readParams(params);
  const columns = 2 * width - 1;
  const places = columns * (2 * height - 1);
  const dots: Dot[] = [];
  const holder = new Map<number, number>();
  for (let place = 0; !reader.ended; reader.at++) {
    const code = reader.text.charCodeAt(reader.at);
    if (code === z) {
      place += longestGap;
      continue;
    }
    const black = code >= upperA && code <= upperY;
    if (!black && !(code >= a && code < z)) reader.expected("a … z or A … Y");
    place += code - (black ? upperA : a);
    if (place >= places) reader.refuse("the dot lies beyond the grid");
    const spot = { x: (place % columns) + 1, y: Math.floor(place / columns) + 1 };
    const dot: Dot = black ? { ...spot, black } : spot;
    for (const cell of cellsUnderDot(width, dot)) {
      const other = holder.get(cell);
      if (other !== undefined) reader.refuse(`the dot is too close to the one at character ${other + 1}`);
      holder.set(cell, reader.at);
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
  const lines = new Set<string>();
  for (const { match, refuse } of stepsOf("galaxies", move, /^([EU])(\d+),(\d+)$/, "Ex,y as in E3,4")) {
    // U takes back an arrow that a player drew; arrows are no part of a solution.
    if (match[1] === "U") continue;
    const [x, y] = [Number(match[2]), Number(match[3])];
    if (x < 1 || x >= 2 * width || y < 1 || y >= 2 * height || (x + y) % 2 === 0)
      refuse(`${match[0]} is not a line between two cells`);
    const line = `${x},${y}`;
    if (!lines.delete(line)) lines.add(line);
  }
  return boardOfLines(instance, (x, y) => lines.has(`${x},${y}`));
}

/** Regions are what lines enclose; each is called by the first dot inside, and those without one by names no dot has. */
function boardOfLines(instance: GalaxiesInstance, drawn: (x: number, y: number) => boolean): GalaxiesBoard {
  const { width, height, dots } = instance;
  const letters = labelLength(instance);
  const labels = new Array<string>(width * height).fill("");
  // A neighbor is a step to the side or up or down, and the line between lies half that far.
  const lineBetween = (cell: number, next: number): readonly [number, number] => {
    const [x, y] = [2 * (cell % width) + 1, 2 * Math.floor(cell / width) + 1];
    return Math.abs(next - cell) === 1 ? [x + next - cell, y] : [x, y + Math.sign(next - cell)];
  };
  const spread = (start: number, label: string) => {
    const reached = [start];
    labels[start] = label;
    for (const cell of reached)
      for (const next of neighborsOf(width, height)[cell]) {
        if (labels[next] !== "" || drawn(...lineBetween(cell, next))) continue;
        labels[next] = label;
        reached.push(next);
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
