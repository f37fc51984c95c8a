// Simon Tatham's notation: `7x7t0de`, `5x5t0:3a321b1a232c30d222a` and `S0y1y2n…`. Only his square grid, t0, is read.
import { PuzzleFormatError, runsAsLetters, shortened } from "../puzzle.ts";
import { readSizeAndLevel } from "../size-and-level.ts";
import { type LoopGrid, linesAround, loopGrid } from "./grid.ts";
import {
  inside,
  noClue,
  outside,
  type SlitherlinkBoard,
  type SlitherlinkInstance,
  type SlitherlinkParams,
  slitherlinkDifficulties,
  smallestSide,
} from "./instance.ts";

const beforeFirstRun = "a".charCodeAt(0) - 1;

export function readParams(text: string): SlitherlinkParams {
  const [, grid = "0"] = /^\s*\d+(?:x\d+)?t(\d+)/i.exec(text) ?? [];
  if (Number(grid) !== 0)
    throw new PuzzleFormatError(
      `slitherlink parameters ${shortened(text)} ask for grid t${grid}; only squares, t0, are known here`,
    );
  return readSizeAndLevel(text, form);
}

const form = {
  name: "slitherlink",
  smallestSide,
  levels: slitherlinkDifficulties,
  usual: "easy",
  between: /^t\d+/,
} as const;

export function writeParams({ width, height, difficulty }: SlitherlinkParams): string {
  return `${width}x${height}t0${difficulty === undefined ? "" : `d${difficulty[0]}`}`;
}

export function readId(id: string): SlitherlinkInstance {
  const colon = id.indexOf(":");
  if (colon < 0)
    throw new PuzzleFormatError(
      id.includes("#")
        ? "slitherlink id with a random seed: only his own program can regenerate it; give params:description"
        : `slitherlink id has no ":" between its parameters and its description`,
    );
  // Without its grid an id could as well be that of another puzzle; his program always writes it.
  if (!/^\d+(x\d+)?t\d/.test(id)) throw new PuzzleFormatError(`slitherlink id does not say its grid, as in 5x5t0:…`);
  const { width, height } = readParams(id.slice(0, colon));
  const area = width * height;
  const clues: string[] = [];
  let cells = 0;
  for (let at = colon + 1; at < id.length; at++) {
    const symbol = id[at];
    if (symbol >= "0" && symbol <= "4") {
      clues.push(symbol);
      cells += 1;
    } else if (symbol >= "a" && symbol <= "z") {
      const run = symbol.charCodeAt(0) - beforeFirstRun;
      clues.push(noClue.repeat(run));
      cells += run;
    } else
      throw new PuzzleFormatError(
        `slitherlink id: expected a clue from 0 to 4 or a letter for cells without one at character ${at + 1}, found "${symbol}"`,
      );
    if (cells > area)
      throw new PuzzleFormatError(
        `slitherlink id: more than ${area} cells for ${width}x${height}, at character ${at + 1}`,
      );
  }
  if (cells < area)
    throw new PuzzleFormatError(
      `slitherlink id: ${cells} cells where ${width}x${height} has ${area}, at character ${id.length + 1}`,
    );
  return { width, height, clues: clues.join("") };
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
  // From left to right one is inside after an odd number of upright lines; the lines across must say the same.
  const cells: string[] = [];
  for (let cell = 0; cell < grid.cellCount; cell++) {
    const before = cell % width === 0 ? outside : cells[cell - 1];
    const crossed = drawn[grid.linesOfCell[4 * cell + 3]] === 1;
    cells.push(crossed ? (before === inside ? outside : inside) : before);
  }
  const around = new Set(linesAround(grid, (cell) => cells[cell] === inside));
  for (let line = 0; line < grid.lineCount; line++)
    if (around.has(line) !== (drawn[line] === 1))
      throw new PuzzleFormatError("slitherlink move: its lines do not close, so that no cell is inside or outside");
  return { cells: cells.join("") };
}
