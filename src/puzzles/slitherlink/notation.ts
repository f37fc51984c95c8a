// Simon Tatham's notation: `7x7t0de`, `5x5t0:3a321b1a232c30d222a` and `S0y1y2n…`. Only his square grid, t0, is read.
import { idInParts, readParameters, runsAsLetters, writeParameters } from "../notation.ts";
import { PuzzleFormatError } from "../puzzle.ts";
import { cellsInside, type LoopGrid, linesAround, loopGrid } from "./grid.ts";
import {
  inside,
  type SlitherlinkBoard,
  type SlitherlinkInstance,
  type SlitherlinkParams,
  slitherlinkDifficulties,
  smallestSide,
} from "./instance.ts";

export const slitherlinkForm = {
  name: "slitherlink",
  smallestSide,
  levels: slitherlinkDifficulties,
  usual: "easy",
  numbers: [["t", "the grid (only squares, t0, are known here)", 0, 0]],
} as const;

export const readParams = (text: string): SlitherlinkParams => readParameters(slitherlinkForm, text).size;
export const writeParams = (params: SlitherlinkParams): string => writeParameters(slitherlinkForm, params, "t0");

export function readId(id: string): SlitherlinkInstance {
  const { params, reader } = idInParts("slitherlink", id);
  // Without its grid an id could as well be that of another puzzle; his program always writes it.
  if (!/^\d+(x\d+)?t\d/.test(params)) reader.refuse("does not say its grid, as in 5x5t0:…,", 0);
  const { width, height } = readParams(params);
  return { width, height, clues: reader.cells(width * height, "01234", "a clue from 0 to 4").join("") };
}

export function writeId({ width, height, clues }: SlitherlinkInstance): string {
  return `${width}x${height}t0:${runsAsLetters(clues)}`;
}

/** His numbers of lines: cell by cell, clockwise from the top, each line when a cell first has it. */
function hisOrder(grid: LoopGrid): number[] {
  return [...new Set(grid.linesOfCell)];
}

export function writeMove({ width, height }: SlitherlinkInstance, { cells }: SlitherlinkBoard): string {
  const grid = loopGrid(width, height);
  const loop = new Set(linesAround(grid, (cell) => cells[cell] === inside));
  return `S${hisOrder(grid)
    .map((line, number) => `${number}${loop.has(line) ? "y" : "n"}`)
    .join("")}`;
}

export function readMove({ width, height }: SlitherlinkInstance, move: string): SlitherlinkBoard {
  if (!/^S(\d{1,7}[yn])*$/.test(move))
    throw new PuzzleFormatError(
      `slitherlink move "${move.slice(0, 40)}" is not S and then numbers of lines with y or n`,
    );
  const grid = loopGrid(width, height);
  const order = hisOrder(grid);
  const drawn = new Uint8Array(grid.lineCount + 1);
  for (const [part, number] of move.matchAll(/(\d+)[yn]/g)) {
    if (Number(number) >= order.length)
      throw new PuzzleFormatError(`slitherlink move: line ${number} where ${width}x${height} has ${order.length}`);
    drawn[order[Number(number)]] = part.endsWith("y") ? 1 : 0;
  }
  // What the upright lines say of the cells, the lines across must say too.
  const cells = cellsInside(grid, (line) => drawn[line] === 1);
  const around = new Set(linesAround(grid, (cell) => cells[cell] === inside));
  for (let line = 0; line < grid.lineCount; line++)
    if (around.has(line) !== (drawn[line] === 1))
      throw new PuzzleFormatError("slitherlink move: its lines do not close, so that no cell is inside or outside");
  return { cells: cells.join("") };
}
