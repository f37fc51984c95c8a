// Undead by hand: every cell without a mirror takes a ghost, a vampire or a zombie.
import { cellPlaying } from "../playing.ts";
import type { UndeadBoard, UndeadInstance } from "./instance.ts";

const nobody = ".";
const mirrors: Readonly<Record<string, string>> = { "/": "mirror, rising", "\\": "mirror, falling" };

export const undeadPlaying = cellPlaying<UndeadInstance, UndeadBoard>({
  how: "Click a cell: ghost, vampire, zombie. On the keyboard: arrows move, g v z put a monster, Backspace takes it away.",
  open: nobody,
  symbols: () => ({ G: "ghost", V: "vampire", Z: "zombie" }),
  start: ({ cells }) => [...cells],
  fixed: ({ cells }, cell) => cells[cell] !== nobody,
  board: (cells) => ({ cells: cells.join("") }),
  clue: ({ cells }, cell) => mirrors[cells[cell]] ?? "",
  cluesBeyond: 1,
});
