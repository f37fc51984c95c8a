// What a Galaxies puzzle is: dots on a grid. What a solution is: one label per cell, where equal labels are one region.
// Also where a dot lies, and what it is called.

/**
 * A dot in half-cell units: x in 1 … 2·width−1, y in 1 … 2·height−1. Odd means the middle of a cell, even the line between
 * two, so that (1, 1) is the center of the first cell and (2, 2) its lower right corner.
 */
export type Dot = { readonly x: number; readonly y: number; readonly black?: true };

/** Dots come row by row, as in an id. Color is decoration: no rule looks at it. */
export type GalaxiesInstance = { readonly width: number; readonly height: number; readonly dots: readonly Dot[] };

/** Labels row by row. Which labels they are means nothing; only which cells share one. */
export type GalaxiesBoard = { readonly labels: readonly string[] };

export type GalaxiesDifficulty = "normal" | "unreasonable";

export type GalaxiesParams = {
  readonly width: number;
  readonly height: number;
  readonly difficulty?: GalaxiesDifficulty;
};

export const difficulties: readonly GalaxiesDifficulty[] = ["normal", "unreasonable"];

export const smallestSide = 3;

/** The cells that a dot touches: one, two or four. They belong to its region whatever else does. */
export function cellsUnderDot(width: number, dot: Dot): number[] {
  const left = (dot.x - 1) >> 1;
  const right = dot.x >> 1;
  const top = ((dot.y - 1) >> 1) * width;
  const bottom = (dot.y >> 1) * width;
  if (top === bottom) return left === right ? [top + left] : [top + left, top + right];
  if (left === right) return [top + left, bottom + left];
  return [top + left, top + right, bottom + left, bottom + right];
}

/** The cell opposite through a dot; undefined beyond the edge. */
export function oppositeCell({ width, height }: GalaxiesInstance, dot: Dot, cell: number): number | undefined {
  const column = dot.x - 1 - (cell % width);
  const row = dot.y - 1 - Math.floor(cell / width);
  return column < 0 || row < 0 || column >= width || row >= height ? undefined : row * width + column;
}

/** A dot on every cell leaves nothing to find: that is no puzzle, and none is made. */
export function nothingToSolve(width: number, height: number, dots: Iterable<Dot>): boolean {
  let covered = 0;
  // No two dots touch the same cell, so that counting is enough.
  for (const { x, y } of dots) covered += (x & 1 ? 1 : 2) * (y & 1 ? 1 : 2);
  return covered === width * height;
}

/** How many letters a label of this instance has: one for up to 26 dots, two for up to 676, and so on. */
export function labelLength(instance: GalaxiesInstance): number {
  let letters = 1;
  for (let names = 26; names < instance.dots.length; names *= 26) letters++;
  return letters;
}

/** A … Z, or AA, AB, … ZZ: letters only and of one length, so that case never matters and columns stay aligned. */
export function dotLabel(index: number, letters: number): string {
  let label = "";
  let rest = index;
  while (label.length < letters || rest > 0) {
    label = String.fromCharCode(65 + (rest % 26)) + label;
    rest = Math.floor(rest / 26);
  }
  return label;
}

export function dotLabels(instance: GalaxiesInstance): string[] {
  const letters = labelLength(instance);
  return instance.dots.map((_, index) => dotLabel(index, letters));
}

/** `7x7` */
export function sizeText({ width, height }: { readonly width: number; readonly height: number }): string {
  return `${width}x${height}`;
}
