// Pattern by hand: a cell is full, empty or not known.
import { cellPlaying, unknown } from "../playing.ts";
import type { PatternBoard, PatternInstance } from "./instance.ts";

export const patternPlaying = cellPlaying<PatternInstance, PatternBoard>({
  how: "Click a cell: full, then empty, then not known. On the keyboard: arrows move, x fills, . empties, Backspace clears.",
  symbols: () => ({ "#": "full", ".": "empty" }),
  keys: { x: "#", "1": "#", "0": "." },
  start: ({ width, height, prefilled }) => [...(prefilled ?? unknown.repeat(width * height))],
  fixed: ({ prefilled }, cell) => prefilled !== undefined && prefilled[cell] !== unknown,
  board: (cells) => ({ cells: cells.join("") }),
  openCounts: ".",
});
