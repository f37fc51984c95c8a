// Undead by hand: every cell without a mirror takes a ghost, a vampire or a zombie.

import { cycled, type Playing, withCell } from "../playing.ts";
import type { UndeadBoard, UndeadInstance } from "./instance.ts";

const nobody = ".";
const words: Readonly<Record<string, string>> = {
  [nobody]: "nobody yet",
  G: "ghost",
  V: "vampire",
  Z: "zombie",
  "/": "mirror, rising",
  "\\": "mirror, falling",
};
const keys: Readonly<Record<string, string>> = {
  g: "G",
  v: "V",
  z: "Z",
  ".": nobody,
  Backspace: nobody,
  Delete: nobody,
};

const isGiven = ({ cells }: UndeadInstance, cell: number) => cells[cell] !== nobody;

export const undeadPlaying: Playing<UndeadInstance, UndeadBoard> = {
  how: "Click a cell: ghost, vampire, zombie. On the keyboard: arrows move, g v z put a monster, Backspace takes it away.",
  start: ({ cells }) => [...cells],
  fixed: isGiven,
  press: (instance, cells, cell, backwards) =>
    isGiven(instance, cell) ? cells : withCell(cells, cell, cycled([nobody, "G", "V", "Z"], cells[cell], backwards)),
  type: (instance, cells, cell, key) =>
    keys[key] === undefined || isGiven(instance, cell) ? undefined : withCell(cells, cell, keys[key]),
  board: (_, cells) => ({ cells: cells.join("") }),
  complete: (_, cells) => !cells.includes(nobody),
  spoken: (_, cells, cell) => words[cells[cell]],
  cluesBeyond: 1,
};
