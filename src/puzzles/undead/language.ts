// Undead in words: the rules, the board as a model sees it, and answers read back.
import { readSymbols, writeGrid } from "../grid-text.ts";
import type { ReadBoard } from "../puzzle.ts";
import { monsterSymbols, type UndeadBoard, type UndeadInstance } from "./instance.ts";

export const rules = `Undead is played on a grid of cells. Some cells hold a mirror, written / or \\, which stays where it is. Every other cell hides exactly one monster: a ghost (G), a vampire (V) or a zombie (Z). Find the monster of each cell.

The board says how many ghosts, vampires and zombies there are in total; all of them must be used.

Around the grid stands, for each column seen from the top and from the bottom and for each row seen from the left and from the right, how many monsters are seen from there. A line of sight enters the grid at that place, straight ahead, and goes on until it leaves the grid again. A mirror turns it by a right angle: a line going right is turned up by / and down by \\; going left, down by / and up by \\; going down, left by / and right by \\; going up, right by / and left by \\. Mirrors work on both sides. Monsters do not block the view.

What is seen along a line of sight:
- A zombie is always seen.
- A vampire is seen only directly: if the line has met no mirror before it.
- A ghost is seen only in a mirror: if the line has met at least one mirror before it.
A line of sight that passes the same cell twice counts its monster each time that it is seen.

The board is given as the totals, then the sightings (top and bottom from left to right, left and right from top to bottom), then the grid, one row per line, cells separated by spaces: a mirror / or \\, a monster G, V or Z that is given in its place, or . for a cell to fill in.

The answer is the grid alone, in the same form: mirrors and given monsters unchanged, and every . replaced by G, V or Z.`;

export function renderGivens({ width, totals, cells, sightings }: UndeadInstance): string {
  const { top, right, bottom, left } = sightings;
  return [
    `Ghosts ${totals.ghosts}, Vampires ${totals.vampires}, Zombies ${totals.zombies}`,
    `Top: ${top.join(" ")}    Bottom: ${bottom.join(" ")}    Left: ${left.join(" ")}    Right: ${right.join(" ")}`,
    writeGrid([...cells], width),
  ].join("\n");
}

export function renderAnswer({ width }: UndeadInstance, board: UndeadBoard): string {
  return writeGrid([...board.cells], width);
}

const symbols = [...monsterSymbols, "/", "\\", "."];

export function readAnswer(instance: UndeadInstance, text: string): ReadBoard<UndeadBoard> {
  const read = readSymbols(instance, text, symbols);
  return "unreadable" in read ? read : { board: { cells: read.cells.join("") } };
}
