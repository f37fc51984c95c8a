// All puzzles of a small size: every partition into symmetric regions whose dots no other partition shares. Cells are bits.
import {
  cellsUnderDot,
  type Dot,
  type GalaxiesInstance,
  type GalaxiesParams,
  nothingToSolve,
  oppositeCell,
} from "./instance.ts";

/** 4x5 has three million partitions; beyond that nobody waits. */
export const mostCellsListed = 20;

/** The dots of every partition of at least two regions, with something to find. */
export function* galaxiesBoards({ width, height }: GalaxiesParams): Generator<GalaxiesInstance> {
  for (const dots of partitions(width, height))
    if (dots.length >= 2 && !nothingToSolve(width, height, dots)) yield { width, height, dots };
}

type Region = { readonly cells: number; readonly dot: Dot };

/** The dots of every partition of the board into regions, in the order of an id; the same dots may come more than once. */
export function* partitions(width: number, height: number): Generator<Dot[]> {
  const all = 2 ** (width * height) - 1;
  const startingAt = regionsByFirstCell(width, height);
  const chosen: Dot[] = [];
  function* cover(covered: number): Generator<Dot[]> {
    if (covered === all) {
      yield chosen.toSorted((one, other) => one.y - other.y || one.x - other.x);
      return;
    }
    const first = 31 - Math.clz32(~covered & (covered + 1));
    for (const { cells, dot } of startingAt[first]) {
      if ((cells & covered) !== 0) continue;
      chosen.push(dot);
      yield* cover(covered | cells);
      chosen.pop();
    }
  }
  yield* cover(0);
}

function regionsByFirstCell(width: number, height: number): Region[][] {
  const regions: Region[][] = Array.from({ length: width * height }, () => []);
  for (let y = 1; y < 2 * height; y++)
    for (let x = 1; x < 2 * width; x++)
      for (const cells of regionsAround(width, height, { x, y }))
        regions[31 - Math.clz32(cells & -cells)].push({ cells, dot: { x, y } });
  return regions;
}

/** All connected sets of cells that are symmetric about the dot and hold the cells under it. */
function regionsAround(width: number, height: number, dot: Dot): number[] {
  const under = cellsUnderDot(width, dot).reduce((bits, cell) => bits | (1 << cell), 0);
  const pairs: number[] = [];
  for (let cell = 0; cell < width * height; cell++) {
    const opposite = oppositeCell({ width, height, dots: [] }, dot, cell) ?? -1;
    if (cell < opposite && (under & (1 << cell)) === 0) pairs.push((1 << cell) | (1 << opposite));
  }
  const regions: number[] = [];
  for (let choice = 0; choice < 2 ** pairs.length; choice++) {
    const cells = pairs.reduce((bits, pair, at) => (choice & (1 << at) ? bits | pair : bits), under);
    if (reachable(width, height, under, cells) === cells) regions.push(cells);
  }
  return regions;
}

/** What can be reached from some cells without leaving the others. */
function reachable(width: number, height: number, from: number, within: number): number {
  let firstColumn = 0;
  for (let row = 0; row < height; row++) firstColumn |= 1 << (row * width);
  const lastColumn = firstColumn << (width - 1);
  let reached = from;
  for (;;) {
    const sideways = ((reached & ~lastColumn) << 1) | ((reached & ~firstColumn) >> 1);
    const wider = reached | ((sideways | (reached << width) | (reached >> width)) & within);
    if (wider === reached) return reached;
    reached = wider;
  }
}
