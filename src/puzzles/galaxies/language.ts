// Galaxies in words: its rules, a board as a list of dots, an answer as a grid of their names.
import { answerRows, readGrid, writeGrid } from "../grid-text.ts";
import type { ReadBoard } from "../puzzle.ts";
import { type Dot, dotLabels, type GalaxiesBoard, type GalaxiesInstance, labelLength } from "./instance.ts";

export const rules = `The grid holds dots. Divide it into regions along the lines between cells, so that every cell belongs to exactly one region.
- Every region contains exactly one dot, and every dot lies inside one region: all cells that a dot touches belong to its region.
- Every region is symmetric about its dot: turned by 180 degrees around the dot, it covers the same cells.
- Every region is connected: from each of its cells to each other there is a way that never leaves the region and steps only up, down, left or right.

The puzzle gives the size of the grid and the dots by name. Rows are counted from the top and columns from the left, starting with 1. A whole number is the middle of a row or column, and .5 is the line after it: "row 2 col 3" is the middle of a cell, "row 2 col 3.5" lies on the line between the cells in columns 3 and 4 of row 2 and touches both, and "row 2.5 col 3.5" lies on the corner where four cells meet and touches all four.

Answer with one line per row. For each cell write the name of the dot whose region it belongs to, with spaces between the cells.`;

/** The size, then one dot a line: `A row 1.5 col 3`. Colors are not shown: they mean nothing. */
export function renderGivens(instance: GalaxiesInstance): string {
  const labels = dotLabels(instance);
  const place = (dot: Dot) => `row ${(dot.y + 1) / 2} col ${(dot.x + 1) / 2}`;
  return [
    `${instance.height} rows, ${instance.width} columns`,
    ...instance.dots.map((dot, index) => `${labels[index]} ${place(dot)}`),
  ].join("\n");
}

export function renderAnswer(instance: GalaxiesInstance, board: GalaxiesBoard): string {
  return writeGrid(board.labels, instance.width);
}

/** Any names do, as only the partition counts: letters of either case, which is forgiven, and digits. */
export function readAnswer(instance: GalaxiesInstance, text: string): ReadBoard<GalaxiesBoard> {
  const { width, height } = instance;
  const letters = labelLength(instance);
  const read = letters === 1 ? readGrid(text, width, height) : readLongLabels(text, width, height, letters);
  if ("unreadable" in read) return read;
  const labels = read.cells;
  for (let cell = 0; cell < labels.length; cell++) {
    const label = labels[cell];
    // Only then to upper case: some letters of other scripts turn into A … Z by it.
    if (!isLabel(label))
      return { unreadable: `row ${Math.floor(cell / width) + 1}: ${JSON.stringify(label)} is not the name of a dot` };
    labels[cell] = label.toUpperCase();
  }
  return { board: { labels } };
}

function isLabel(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const letter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
    if (!letter && !(code >= 48 && code <= 57)) return false;
  }
  return true;
}

/**
 * Names of several letters: cells are told apart by spaces, or, in a line without any, by the length that all names have.
 * Mixing both is refused, because a line could then be read in two ways.
 */
function readLongLabels(
  text: string,
  width: number,
  height: number,
  letters: number,
): { readonly cells: string[] } | { readonly unreadable: string } {
  const lines = answerRows(text, width * height, letters);
  if ("unreadable" in lines) return lines;
  if (lines.length !== height) return { unreadable: `expected ${height} rows, found ${lines.length}` };
  const cells: string[] = [];
  for (const [row, line] of lines.entries()) {
    const words = line.split(" ");
    const unspaced = words.length === 1 && line.length === width * letters;
    const found = unspaced ? (line.match(new RegExp(`.{${letters}}`, "gsu")) ?? []) : words;
    if (found.length !== width) return { unreadable: `row ${row + 1}: expected ${width} cells, found ${found.length}` };
    const long = found.find((label) => label.length > letters);
    if (long !== undefined)
      return { unreadable: `row ${row + 1}: ${JSON.stringify(long.slice(0, 40))} is not the name of a dot` };
    cells.push(...found);
  }
  return { cells };
}
