// Cells by number, row by row: where one lies, what it is called, and which one lies at a row and a column.
import type { Cell } from "./puzzle.ts";

export const cellAt = (cell: number, width: number): Cell => ({ row: Math.floor(cell / width), column: cell % width });

/** For people, who count from 1. */
export const placeText = (cell: number, width: number): string =>
  `row ${Math.floor(cell / width) + 1}, column ${(cell % width) + 1}`;

/** As the narrator writes it: 12 for row 1, column 2. */
export const cellName = (cell: number, width: number): string => `${Math.floor(cell / width) + 1}${(cell % width) + 1}`;

/** −1 beyond the edge. */
export const cellNumber = (
  row: number,
  column: number,
  { width, height }: { readonly width: number; readonly height: number },
): number => (row < 0 || column < 0 || row >= height || column >= width ? -1 : row * width + column);
