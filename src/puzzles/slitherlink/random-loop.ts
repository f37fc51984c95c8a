// A random loop: the inside grows from one cell and the outside from beyond the edge until they meet everywhere, each
// taking first the cells that touch least of its own, which makes the border between them wind.
import type { Random } from "../../base/random.ts";
import { type LoopGrid, loopGrid } from "./grid.ts";

const [isInside, isOutside] = [1, 2];

/** How often a cell changes sides at the end, so that a loop is not known by being as winding as it can. */
const changeAtTheEnd = 0.1;

/** Whether a cell may join a side, by which of its eight neighbors, clockwise from the top left, belong to that side. */
const mayJoin: readonly boolean[] = Array.from({ length: 256 }, (_, ring) => {
  let changes = 0;
  for (let at = 0; at < 8; at++) if (((ring >> at) & 1) !== ((ring >> ((at + 1) & 7)) & 1)) changes += 1;
  // One stretch of neighbors, with one that shares a line: the side stays in one piece, closes no ring, meets itself nowhere.
  return changes === 2 && (ring & 0b10101010) !== 0;
});

/** 1 for a cell inside the loop, 2 for one outside, row by row, and 2 for what is beyond the edge. */
export function randomLoop(width: number, height: number, random: Random): Uint8Array {
  const grid = loopGrid(width, height);
  const sides = new Uint8Array(grid.cellCount + 1);
  sides[grid.cellCount] = isOutside;
  // In a random order, which also decides between cells that are equally good.
  const cells = random.shuffle(Array.from({ length: grid.cellCount }, (_, cell) => cell));
  const around = ringOf(grid);
  const canJoin = (cell: number, side: number) => mayJoin[ringAround(around, sides, cell, side)];
  const touching = (cell: number, side: number): number => {
    let count = 0;
    for (let at = 1; at < 8; at += 2) if (sides[around[8 * cell + at]] === side) count += 1;
    return count;
  };
  sides[cells[cells.length - 1]] = isInside;
  const waiting = cells.slice(0, -1);
  while (waiting.length > 0) {
    const side = random.below(2) === 0 ? isInside : isOutside;
    let best = -1;
    let fewest = 5;
    for (let at = 0; at < waiting.length && fewest > 1; at++) {
      const count = touching(waiting[at], side);
      if (count > 0 && count < fewest && canJoin(waiting[at], side)) [best, fewest] = [at, count];
    }
    if (best < 0) continue;
    sides[waiting[best]] = side;
    waiting.splice(best, 1);
  }
  // Every such change makes the loop longer, so this ends.
  for (let changed = true; changed; ) {
    changed = false;
    for (const cell of cells) {
      const other = isInside + isOutside - sides[cell];
      if (touching(cell, other) !== 1 || !canJoin(cell, other)) continue;
      sides[cell] = other;
      changed = true;
    }
  }
  for (const cell of cells) {
    const other = isInside + isOutside - sides[cell];
    if (canJoin(cell, other) && random.chance(changeAtTheEnd)) sides[cell] = other;
  }
  return sides;
}

function ringAround(around: Int32Array, sides: Uint8Array, cell: number, side: number): number {
  let ring = 0;
  for (let at = 0; at < 8; at++) if (sides[around[8 * cell + at]] === side) ring |= 1 << at;
  return ring;
}

/** Cells that could be on the other side without the loop being any less of one. */
export function changeableCells(grid: LoopGrid, sides: Uint8Array): number[] {
  const around = ringOf(grid);
  const cells: number[] = [];
  for (let cell = 0; cell < grid.cellCount; cell++)
    if (mayJoin[ringAround(around, sides, cell, isInside + isOutside - sides[cell])]) cells.push(cell);
  return cells;
}

const rings = new WeakMap<LoopGrid, Int32Array>();

/** Eight a cell, clockwise from the top left. */
function ringOf(grid: LoopGrid): Int32Array {
  const known = rings.get(grid);
  if (known !== undefined) return known;
  const { width, height, cellCount } = grid;
  const steps = [
    [-1, -1],
    [-1, 0],
    [-1, 1],
    [0, 1],
    [1, 1],
    [1, 0],
    [1, -1],
    [0, -1],
  ];
  const ring = Int32Array.from({ length: 8 * cellCount }, (_, at) => {
    const [down, right] = steps[at & 7];
    const row = Math.floor((at >> 3) / width) + down;
    const column = ((at >> 3) % width) + right;
    return row < 0 || column < 0 || row >= height || column >= width ? cellCount : row * width + column;
  });
  rings.set(grid, ring);
  return ring;
}
