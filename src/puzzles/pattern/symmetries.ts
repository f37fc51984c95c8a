// The symmetries of a Pattern: mirrors, and for squares the exchange of rows and columns.
import type { PatternInstance } from "./instance.ts";

const reversed = <T>(items: readonly T[]): T[] => [...items].reverse();

function mirroredLeftRight(instance: PatternInstance): PatternInstance {
  const { width, rows, columns } = instance;
  return {
    ...instance,
    columns: reversed(columns),
    rows: rows.map(reversed),
    ...movedGivens(instance, width, (row, column) => [row, width - 1 - column]),
  };
}

function mirroredTopBottom(instance: PatternInstance): PatternInstance {
  const { width, height, rows, columns } = instance;
  return {
    ...instance,
    columns: columns.map(reversed),
    rows: reversed(rows),
    ...movedGivens(instance, width, (row, column) => [height - 1 - row, column]),
  };
}

function transposed(instance: PatternInstance): PatternInstance {
  const { width, height, rows, columns } = instance;
  return {
    width: height,
    height: width,
    columns: rows,
    rows: columns,
    ...movedGivens(instance, height, (row, column) => [column, row]),
  };
}

/** The prefilled cells after each has moved to another row and column of a board `newWidth` wide. */
function movedGivens(
  instance: PatternInstance,
  newWidth: number,
  move: (row: number, column: number) => readonly [number, number],
): { readonly prefilled?: string } {
  const { width, prefilled } = instance;
  if (prefilled === undefined) return {};
  const cells: string[] = [];
  for (let cell = 0; cell < prefilled.length; cell++) {
    const [row, column] = move(Math.floor(cell / width), cell % width);
    cells[row * newWidth + column] = prefilled[cell];
  }
  return { prefilled: cells.join("") };
}

/** Eight images of a square, four of any other rectangle; the instance itself comes first. */
export function patternImages(instance: PatternInstance): readonly PatternInstance[] {
  const across = mirroredLeftRight(instance);
  const four = [instance, across, mirroredTopBottom(instance), mirroredTopBottom(across)];
  return instance.width === instance.height ? [...four, ...four.map(transposed)] : four;
}
