// Galaxies by hand: pick a dot up as a brush, paint its region. The mirror cell is painted along, as it must be.

import { type Cells, type Playing, unknown } from "../playing.ts";
import { initialCells } from "./cells.ts";
import { cellsUnderDot, dotLabels, type GalaxiesBoard, type GalaxiesInstance, oppositeCell } from "./instance.ts";

function dotOver(instance: GalaxiesInstance, cell: number): string | undefined {
  const dot = instance.dots.findIndex((candidate) => cellsUnderDot(instance.width, candidate).includes(cell));
  return dot < 0 ? undefined : dotLabels(instance)[dot];
}

function painted(instance: GalaxiesInstance, cells: Cells, cell: number, label: string): Cells {
  const dot = dotLabels(instance).indexOf(label === unknown ? cells[cell] : label);
  const partner = dot < 0 ? undefined : oppositeCell(instance, instance.dots[dot], cell);
  const free = (at: number) => dotOver(instance, at) === undefined;
  return cells.map((old, at) => ((at === cell || at === partner) && free(at) ? label : old));
}

export const galaxiesPlaying: Playing<GalaxiesInstance, GalaxiesBoard> = {
  how: "Click a dot to pick up its color, then the cells of its region; the opposite cell follows. Click again to clear. On the keyboard: arrows move, Space picks up or paints, a letter paints with that dot.",
  start: (instance) => initialCells(instance),
  fixed: (instance, cell) => dotOver(instance, cell) !== undefined,
  press(instance, cells, cell, backwards, brush) {
    if (dotOver(instance, cell) !== undefined) return cells;
    if (backwards || brush === undefined || cells[cell] === brush) return painted(instance, cells, cell, unknown);
    return painted(instance, cells, cell, brush);
  },
  type(instance, cells, cell, key) {
    if (dotOver(instance, cell) !== undefined) return undefined;
    if (key === "Backspace" || key === "Delete") return painted(instance, cells, cell, unknown);
    return dotLabels(instance).includes(key.toUpperCase())
      ? painted(instance, cells, cell, key.toUpperCase())
      : undefined;
  },
  board: (_, cells) => ({ labels: cells }),
  complete: (_, cells) => !cells.includes(unknown),
  unfinished(_, cells) {
    const open = cells.filter((symbol) => symbol === unknown).length;
    return open === 0 ? undefined : `${open} ${open === 1 ? "cell belongs" : "cells belong"} to no region yet`;
  },
  brushAt: dotOver,
  spoken(instance, cells, cell) {
    const dot = dotOver(instance, cell);
    if (dot !== undefined) return `under dot ${dot}`;
    return cells[cell] === unknown ? "no region yet" : `region ${cells[cell]}`;
  },
};
