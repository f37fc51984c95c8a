// The places of a board by number: cells, corners, and the lines between corners. Lines across come first, row by row, then
// upright ones. Places beyond the edge share one number, so that no rule has to ask for the edge.
import { inside, outside } from "./instance.ts";

/** Directions around a corner, clockwise. */
export const [north, east, south, west] = [0, 1, 2, 3];

export type LoopGrid = {
  readonly width: number;
  readonly height: number;
  readonly cellCount: number;
  readonly cornerCount: number;
  readonly lineCount: number;
  /** Four a cell, clockwise from the top. */
  readonly linesOfCell: Int32Array;
  /** Four a corner: north, east, south, west; `lineCount` where there is none. */
  readonly linesOfCorner: Int32Array;
  /** Four a corner, the cell between a direction and the next one; `cellCount` where there is none. */
  readonly cellsOfCorner: Int32Array;
  /** Two a line: the cells above and below it, or to its left and right; `cellCount` where there is none. */
  readonly cellsOfLine: Int32Array;
  /** Two a line: left and right, or upper and lower. */
  readonly cornersOfLine: Int32Array;
  /** Four a cell, clockwise from the top left. */
  readonly cornersOfCell: Int32Array;
  /** Four a cell: the cells above, to the right, below, to the left; `cellCount` where there is none. */
  readonly besideCell: Int32Array;
};

const mostKept = 16;
const kept = new Map<string, LoopGrid>();

export function loopGrid(width: number, height: number): LoopGrid {
  const key = `${width}x${height}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  if (kept.size >= mostKept) kept.clear();
  const made = makeGrid(width, height);
  kept.set(key, made);
  return made;
}

function makeGrid(width: number, height: number): LoopGrid {
  const cellCount = width * height;
  const cornerCount = (width + 1) * (height + 1);
  const acrossCount = width * (height + 1);
  const lineCount = acrossCount + height * (width + 1);
  const corner = (row: number, column: number) => row * (width + 1) + column;
  const across = (row: number, column: number) => (column < 0 || column >= width ? lineCount : row * width + column);
  const upright = (row: number, column: number) =>
    row < 0 || row >= height ? lineCount : acrossCount + row * (width + 1) + column;
  const cell = (row: number, column: number) =>
    row < 0 || column < 0 || row >= height || column >= width ? cellCount : row * width + column;

  const linesOfCell: number[] = [];
  const cornersOfCell: number[] = [];
  const besideCell: number[] = [];
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      linesOfCell.push(across(row, column), upright(row, column + 1), across(row + 1, column), upright(row, column));
      cornersOfCell.push(corner(row, column), corner(row, column + 1));
      cornersOfCell.push(corner(row + 1, column + 1), corner(row + 1, column));
      besideCell.push(cell(row - 1, column), cell(row, column + 1), cell(row + 1, column), cell(row, column - 1));
    }
  const linesOfCorner: number[] = [];
  const cellsOfCorner: number[] = [];
  for (let row = 0; row <= height; row++)
    for (let column = 0; column <= width; column++) {
      linesOfCorner.push(upright(row - 1, column), across(row, column), upright(row, column), across(row, column - 1));
      cellsOfCorner.push(cell(row - 1, column), cell(row, column), cell(row, column - 1), cell(row - 1, column - 1));
    }
  const cellsOfLine: number[] = [];
  const cornersOfLine: number[] = [];
  for (let row = 0; row <= height; row++)
    for (let column = 0; column < width; column++) {
      cellsOfLine.push(cell(row - 1, column), cell(row, column));
      cornersOfLine.push(corner(row, column), corner(row, column + 1));
    }
  for (let row = 0; row < height; row++)
    for (let column = 0; column <= width; column++) {
      cellsOfLine.push(cell(row, column - 1), cell(row, column));
      cornersOfLine.push(corner(row, column), corner(row + 1, column));
    }
  return {
    width,
    height,
    cellCount,
    cornerCount,
    lineCount,
    linesOfCell: Int32Array.from(linesOfCell),
    linesOfCorner: Int32Array.from(linesOfCorner),
    cellsOfCorner: Int32Array.from(cellsOfCorner),
    cellsOfLine: Int32Array.from(cellsOfLine),
    cornersOfLine: Int32Array.from(cornersOfLine),
    cornersOfCell: Int32Array.from(cornersOfCell),
    besideCell: Int32Array.from(besideCell),
  };
}

/** The lines of a loop around the inside cells, as the numbers of the lines that are part of it. */
export function linesAround(grid: LoopGrid, isInside: (cell: number) => boolean): number[] {
  const lines: number[] = [];
  for (let line = 0; line < grid.lineCount; line++) {
    const [one, other] = [grid.cellsOfLine[2 * line], grid.cellsOfLine[2 * line + 1]];
    const inner = one < grid.cellCount && isInside(one);
    if (inner !== (other < grid.cellCount && isInside(other))) lines.push(line);
  }
  return lines;
}

/** From left to right a cell is on the other side than the one before if there is a line between. */
export function cellsInside({ width, cellCount, linesOfCell }: LoopGrid, isDrawn: (line: number) => boolean): string[] {
  const cells: string[] = [];
  for (let cell = 0; cell < cellCount; cell++) {
    const before = cell % width === 0 ? outside : cells[cell - 1];
    const crossed = isDrawn(linesOfCell[4 * cell + 3]);
    cells.push(crossed ? (before === inside ? outside : inside) : before);
  }
  return cells;
}
