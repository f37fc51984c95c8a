// Bridges by hand: pressing the water between two islands builds one bridge more, up to the most allowed, and then none.

import type { Cells, Playing } from "../playing.ts";
import { initialCells } from "./answer.ts";
import { type BridgesBoard, type BridgesInstance, horizontalSymbols, verticalSymbols, water } from "./instance.ts";

type Direction = "across" | "upright";
type Lane = { readonly direction: Direction; readonly cells: readonly number[] };

const symbolsOf: Readonly<Record<Direction, readonly string[]>> = {
  across: horizontalSymbols,
  upright: verticalSymbols,
};

/** The water between two islands that this cell is part of, in one direction. */
function laneThrough({ width, height, clues }: BridgesInstance, cell: number, direction: Direction): Lane | undefined {
  if (clues[cell] !== 0) return undefined;
  const step = direction === "across" ? 1 : width;
  const position = direction === "across" ? cell % width : Math.floor(cell / width);
  const length = direction === "across" ? width : height;
  let [first, last] = [position, position];
  const base = cell - position * step;
  while (first > 0 && clues[base + (first - 1) * step] === 0) first--;
  while (last < length - 1 && clues[base + (last + 1) * step] === 0) last++;
  if (first === 0 || last === length - 1) return undefined;
  return { direction, cells: Array.from({ length: last - first + 1 }, (_, i) => base + (first + i) * step) };
}

/** Builds `count` bridges; whatever crosses them is taken down as a whole. */
function built(instance: BridgesInstance, cells: Cells, lane: Lane, count: number): Cells {
  const next = [...cells];
  const other: Direction = lane.direction === "across" ? "upright" : "across";
  for (const cell of lane.cells)
    if (symbolsOf[other].indexOf(next[cell]) > 0)
      for (const crossed of laneThrough(instance, cell, other)?.cells ?? []) next[crossed] = water;
  for (const cell of lane.cells) next[cell] = symbolsOf[lane.direction][count];
  return next;
}

export const bridgesPlaying: Playing<BridgesInstance, BridgesBoard> = {
  how: "Click the water between two islands to build a bridge, again for a second one. On the keyboard: arrows move, - and = build across, | and # upright, Backspace takes down.",
  start: (instance) => initialCells(instance),
  fixed: ({ clues }, cell) => clues[cell] !== 0,
  press(instance, cells, cell, backwards) {
    const lanes = (["across", "upright"] as const).flatMap((direction) => laneThrough(instance, cell, direction) ?? []);
    // What pressing goes through: nothing, then each number of bridges in each direction that there is.
    const stages = [
      undefined,
      ...lanes.flatMap((lane) => Array.from({ length: instance.maxBridges }, (_, i) => ({ lane, count: i + 1 }))),
    ];
    const now = stages.findIndex((stage) =>
      stage === undefined ? cells[cell] === water : symbolsOf[stage.lane.direction][stage.count] === cells[cell],
    );
    const next = stages[(now + (backwards ? stages.length - 1 : 1)) % stages.length];
    if (next !== undefined) return built(instance, cells, next.lane, next.count);
    const standing = stages[now]?.lane;
    return standing === undefined ? cells : built(instance, cells, standing, 0);
  },
  type(instance, cells, cell, key) {
    const clear = key === "Backspace" || key === "Delete" || key === water;
    for (const direction of ["across", "upright"] as const) {
      const lane = laneThrough(instance, cell, direction);
      const standing = symbolsOf[direction].indexOf(cells[cell]) > 0;
      const count = clear ? (standing ? 0 : -1) : symbolsOf[direction].indexOf(key);
      if (lane !== undefined && count >= 0 && count <= instance.maxBridges) return built(instance, cells, lane, count);
    }
    return undefined;
  },
  // A bridge is longer than a cell: the solution's whole bridge is built.
  hint(instance, cells, cell, solution) {
    return this.type(instance, cells, cell, solution[cell] === water ? "Backspace" : solution[cell]) ?? cells;
  },
  board: (_, cells) => ({ cells }),
  // Water is a legal answer, so a board is worth judging as soon as every island has some bridge.
  complete: ({ width, height, clues }, cells) =>
    clues.every((clue, cell) => {
      if (clue === 0) return true;
      const [x, y] = [cell % width, Math.floor(cell / width)];
      return (
        (x > 0 && horizontalSymbols.indexOf(cells[cell - 1] as "-") > 0) ||
        (x < width - 1 && horizontalSymbols.indexOf(cells[cell + 1] as "-") > 0) ||
        (y > 0 && verticalSymbols.indexOf(cells[cell - width] as "|") > 0) ||
        (y < height - 1 && verticalSymbols.indexOf(cells[cell + width] as "|") > 0)
      );
    }),
  spoken({ clues }, cells, cell) {
    if (clues[cell] !== 0) return `island of ${clues[cell]}`;
    const across = symbolsOf.across.indexOf(cells[cell]);
    const upright = symbolsOf.upright.indexOf(cells[cell]);
    if (across > 0) return `${across} across`;
    return upright > 0 ? `${upright} upright` : "water";
  },
};
