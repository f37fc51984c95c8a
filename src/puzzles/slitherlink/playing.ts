// Slitherlink by hand: a cell is inside the loop, outside it or not known, and the loop draws itself between.
import { cycled, type Playing, unknown, withCell } from "../playing.ts";
import { inside, noClue, outside, type SlitherlinkBoard, type SlitherlinkInstance } from "./instance.ts";

const words: Readonly<Record<string, string>> = { [inside]: "inside", [outside]: "outside", [unknown]: "not known" };
const keys: Readonly<Record<string, string>> = {
  [inside]: inside,
  x: inside,
  i: inside,
  [outside]: outside,
  o: outside,
  Backspace: unknown,
  Delete: unknown,
};

export const slitherlinkPlaying: Playing<SlitherlinkInstance, SlitherlinkBoard> = {
  how: "Click a cell: inside the loop, then outside, then not known. The loop runs where inside and outside meet. On the keyboard: arrows move, x or i puts inside, . or o outside, Backspace clears.",
  start: ({ width, height }) => Array.from({ length: width * height }, () => unknown),
  fixed: () => false,
  press: (_, cells, cell, backwards) =>
    withCell(cells, cell, cycled([unknown, inside, outside], cells[cell], backwards)),
  type: (_, cells, cell, key) => (keys[key] === undefined ? undefined : withCell(cells, cell, keys[key])),
  board: (_, cells) => ({ cells: cells.join("") }),
  handedIn: (_, cells) => ({ cells: cells.join("").replaceAll(unknown, outside) }),
  complete: (_, cells) => !cells.includes(unknown),
  spoken: ({ clues }, cells, cell) =>
    `${clues[cell] === noClue ? "no number" : `number ${clues[cell]}`}, ${words[cells[cell]]}`,
};
