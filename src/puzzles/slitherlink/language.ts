// Slitherlink as a language model sees it: the rules, the clues as a grid, the answer as the cells inside the loop.
import { readSymbols, writeGrid } from "../grid-text.ts";
import type { ReadBoard } from "../puzzle.ts";
import { inside, outside, type SlitherlinkBoard, type SlitherlinkInstance } from "./instance.ts";

export const rules = `Slitherlink (Loopy) is played on a rectangular grid. Draw one closed loop along the sides of cells, that is along the lines between neighboring cells and along the edge of the grid.
1. There is exactly one loop. It has no ends and no branches, and it neither crosses nor touches itself, not even at a corner.
2. A number in a cell is the number of its four sides that are part of the loop. A cell with a dot has no number: any number of its sides may be part of it.

The loop divides the grid: every cell lies either inside it or outside it, and everything beyond the edge of the grid is outside. A side of a cell is part of the loop exactly when one of the two cells that share it is inside and the other outside; a side on the edge of the grid is part of it exactly when its cell is inside. In these terms the rules say:
1. At least one cell is inside. All inside cells hang together through shared sides, and from every outside cell one can leave the grid through shared sides without entering an inside cell. No two inside cells, and no two outside cells, meet at a corner whose other two cells are of the other kind.
2. The number in an inside cell counts the outside cells among its four neighbors, where a neighbor beyond the edge counts as outside. The number in an outside cell counts the inside cells among its neighbors.

The puzzle is written as a grid of numbers and dots, one row per line, cells separated by spaces. The answer is a grid of the same size that shows where the loop runs: # for every cell inside the loop and . for every cell outside it. The numbers are not repeated.`;

export const renderGivens = ({ clues, width }: SlitherlinkInstance): string => writeGrid([...clues], width);

export const renderAnswer = ({ width }: SlitherlinkInstance, { cells }: SlitherlinkBoard): string =>
  writeGrid([...cells], width);

export function readAnswer(instance: SlitherlinkInstance, text: string): ReadBoard<SlitherlinkBoard> {
  const read = readSymbols(instance, text, [inside, outside]);
  return "unreadable" in read ? read : { board: { cells: read.cells.join("") } };
}
