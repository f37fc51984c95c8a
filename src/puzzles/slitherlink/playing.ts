// Slitherlink by hand: a cell is inside the loop, outside it or not known, and the loop draws itself between.
import { cellPlaying, unknown } from "../playing.ts";
import { inside, noClue, outside, type SlitherlinkBoard, type SlitherlinkInstance } from "./instance.ts";

export const slitherlinkPlaying = cellPlaying<SlitherlinkInstance, SlitherlinkBoard>({
  how: "Click a cell: inside the loop, then outside, then not known. The loop runs where inside and outside meet. On the keyboard: arrows move, x or i puts inside, . or o outside, Backspace clears.",
  symbols: () => ({ [inside]: "inside", [outside]: "outside" }),
  keys: { x: inside, i: inside, o: outside },
  start: ({ width, height }) => Array.from({ length: width * height }, () => unknown),
  fixed: () => false,
  board: (cells) => ({ cells: cells.join("") }),
  openCounts: outside,
  clue: ({ clues }, cell) => (clues[cell] === noClue ? "no number" : `number ${clues[cell]}`),
});
