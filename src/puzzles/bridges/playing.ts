// Bridges by hand: pressing the water between two islands builds one bridge more, up to the most allowed, and then none.

import type { Cells, Playing } from "../playing.ts";
import { initialCells } from "./answer.ts";
import { type BridgesBoard, type BridgesInstance, horizontalSymbols, verticalSymbols, water } from "./instance.ts";
import { type Span, spansOf } from "./spans.ts";

type Direction = "across" | "upright";

const symbolsOf: Readonly<Record<Direction, readonly string[]>> = {
  across: horizontalSymbols,
  upright: verticalSymbols,
};

const directionOf = (span: Span): Direction => (span.across ? "across" : "upright");

const spanThrough = (instance: BridgesInstance, cell: number, direction: Direction): Span | undefined =>
  spansOf(instance).find((span) => directionOf(span) === direction && span.cells.includes(cell));

/** Builds `count` bridges; whatever crosses them is taken down as a whole. */
function built(instance: BridgesInstance, cells: Cells, span: Span, count: number): Cells {
  const next = [...cells];
  const other: Direction = directionOf(span) === "across" ? "upright" : "across";
  for (const cell of span.cells)
    if (symbolsOf[other].indexOf(next[cell]) > 0)
      for (const crossed of spanThrough(instance, cell, other)?.cells ?? []) next[crossed] = water;
  for (const cell of span.cells) next[cell] = symbolsOf[directionOf(span)][count];
  return next;
}

export const bridgesPlaying: Playing<BridgesInstance, BridgesBoard> = {
  how: "Click the water between two islands to build a bridge, again for a second one. On the keyboard: arrows move, - and = build across, | and # upright, Backspace takes down.",
  start: (instance) => initialCells(instance),
  fixed: ({ clues }, cell) => clues[cell] !== 0,
  press(instance, cells, cell, backwards) {
    const spans = (["across", "upright"] as const).flatMap((direction) => spanThrough(instance, cell, direction) ?? []);
    // What pressing goes through: nothing, then each number of bridges in each direction that there is.
    const stages = [
      undefined,
      ...spans.flatMap((span) => Array.from({ length: instance.maxBridges }, (_, i) => ({ span, count: i + 1 }))),
    ];
    const now = stages.findIndex((stage) =>
      stage === undefined ? cells[cell] === water : symbolsOf[directionOf(stage.span)][stage.count] === cells[cell],
    );
    const next = stages[(now + (backwards ? stages.length - 1 : 1)) % stages.length];
    if (next !== undefined) return built(instance, cells, next.span, next.count);
    const standing = stages[now]?.span;
    return standing === undefined ? cells : built(instance, cells, standing, 0);
  },
  type(instance, cells, cell, key) {
    const clear = key === "Backspace" || key === "Delete" || key === water;
    for (const direction of ["across", "upright"] as const) {
      const span = spanThrough(instance, cell, direction);
      const standing = symbolsOf[direction].indexOf(cells[cell]) > 0;
      const count = clear ? (standing ? 0 : -1) : symbolsOf[direction].indexOf(key);
      if (span !== undefined && count >= 0 && count <= instance.maxBridges) return built(instance, cells, span, count);
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
