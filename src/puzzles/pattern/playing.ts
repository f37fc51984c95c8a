// Pattern by hand: a cell is full, empty or not known.

import { cycled, type Playing, unknown, withCell } from "../playing.ts";
import type { PatternBoard, PatternInstance } from "./instance.ts";

const words: Readonly<Record<string, string>> = { "#": "full", ".": "empty", [unknown]: "not known" };
const keys: Readonly<Record<string, string>> = {
  "#": "#",
  x: "#",
  "1": "#",
  ".": ".",
  "0": ".",
  Backspace: unknown,
  Delete: unknown,
};

const isGiven = ({ prefilled }: PatternInstance, cell: number) =>
  prefilled !== undefined && prefilled[cell] !== unknown;

export const patternPlaying: Playing<PatternInstance, PatternBoard> = {
  how: "Click a cell: full, then empty, then not known. On the keyboard: arrows move, x fills, . empties, Backspace clears.",
  start: ({ width, height, prefilled }) => [...(prefilled ?? unknown.repeat(width * height))],
  fixed: isGiven,
  press: (instance, cells, cell, backwards) =>
    isGiven(instance, cell) ? cells : withCell(cells, cell, cycled([unknown, "#", "."], cells[cell], backwards)),
  type: (instance, cells, cell, key) =>
    keys[key] === undefined || isGiven(instance, cell) ? undefined : withCell(cells, cell, keys[key]),
  board: (_, cells) => ({ cells: cells.join("") }),
  handedIn: (_, cells) => ({ cells: cells.join("").replaceAll(unknown, ".") }),
  complete: (_, cells) => !cells.includes(unknown),
  spoken: (_, cells, cell) => words[cells[cell]],
};
