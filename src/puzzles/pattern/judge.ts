// Whether an answer keeps the rules of Pattern, on the instance's own clues and given cells.
import { type Cell, type Judgment, type Violation, violationOf } from "../puzzle.ts";
import { columnRuns, type PatternBoard, type PatternInstance, rowRuns } from "./instance.ts";
import { clueText } from "./language.ts";

const wordFor = (symbol: string) => (symbol === "#" ? "full" : "empty");

/** Names the first broken rule; the cells are those of every changed given, else of every line with a broken clue. */
export function judgePattern(instance: PatternInstance, board: PatternBoard): Judgment {
  const { width, height, prefilled } = instance;
  const { cells } = board;
  if (cells.length !== width * height || /[^#.]/.test(cells)) {
    return { correct: false, because: `not a board of ${width}x${height} full and empty cells`, cells: [] };
  }
  if (prefilled !== undefined) {
    const changed = changedGivens(prefilled, cells, width);
    if (changed.length > 0) {
      const { row, column } = changed[0];
      const at = row * width + column;
      const because = `row ${row + 1}, column ${column + 1} is given as ${wordFor(prefilled[at])} and was changed to ${wordFor(cells[at])}`;
      return { correct: false, because, cells: changed };
    }
  }

  let because: string | undefined;
  const wrong = new Set<number>();
  for (let column = 0; column < width; column++) {
    if (hasRuns(cells, column, width, height, instance.columns[column])) continue;
    const found = columnRuns(cells, column, width, height);
    because ??= `column ${column + 1} has the clue ${clueText(instance.columns[column])}, but its runs are ${clueText(found)}`;
    for (let row = 0; row < height; row++) wrong.add(row * width + column);
  }
  for (let row = 0; row < height; row++) {
    if (hasRuns(cells, row * width, 1, width, instance.rows[row])) continue;
    const found = rowRuns(cells, row, width);
    because ??= `row ${row + 1} has the clue ${clueText(instance.rows[row])}, but its runs are ${clueText(found)}`;
    for (let column = 0; column < width; column++) wrong.add(row * width + column);
  }
  if (because === undefined) return { correct: true };
  const places = [...wrong].sort((a, b) => a - b);
  return {
    correct: false,
    because,
    cells: places.map((cell) => ({ row: Math.floor(cell / width), column: cell % width })),
  };
}

/** Each changed given together, and every line whose runs are not its clue. */
export function patternViolations(instance: PatternInstance, board: PatternBoard): Violation[] {
  const { width, height, prefilled } = instance;
  const { cells } = board;
  if (cells.length !== width * height || /[^#.]/.test(cells))
    return violationOf("given", judgePattern(instance, board));
  const found: Violation[] = [];
  if (prefilled !== undefined && changedGivens(prefilled, cells, width).length > 0) {
    found.push(...violationOf("given", judgePattern(instance, board)));
  }
  for (let column = 0; column < width; column++) {
    const runs = columnRuns(cells, column, width, height);
    if (sameRuns(runs, instance.columns[column])) continue;
    const because = `column ${column + 1} has the clue ${clueText(instance.columns[column])}, but its runs are ${clueText(runs)}`;
    found.push({ rule: "column", because, cells: Array.from({ length: height }, (_, row) => ({ row, column })) });
  }
  for (let row = 0; row < height; row++) {
    const runs = rowRuns(cells, row, width);
    if (sameRuns(runs, instance.rows[row])) continue;
    const because = `row ${row + 1} has the clue ${clueText(instance.rows[row])}, but its runs are ${clueText(runs)}`;
    found.push({ rule: "row", because, cells: Array.from({ length: width }, (_, column) => ({ row, column })) });
  }
  return found;
}

const sameRuns = (one: readonly number[], other: readonly number[]) =>
  one.length === other.length && one.every((run, index) => run === other[index]);

function changedGivens(prefilled: string, cells: string, width: number): Cell[] {
  const changed: Cell[] = [];
  for (let cell = 0; cell < prefilled.length; cell++) {
    if (prefilled[cell] !== "?" && prefilled[cell] !== cells[cell]) {
      changed.push({ row: Math.floor(cell / width), column: cell % width });
    }
  }
  return changed;
}

/** Compares a line with its clue without writing its runs down: most lines of most answers are right. */
function hasRuns(cells: string, start: number, step: number, length: number, clue: readonly number[]): boolean {
  let runs = 0;
  let run = 0;
  for (let cell = start, left = length; left > 0; left--, cell += step) {
    if (cells.charCodeAt(cell) === 35) run++;
    else if (run > 0) {
      if (run !== clue[runs++]) return false;
      run = 0;
    }
  }
  if (run > 0 && run !== clue[runs++]) return false;
  return runs === clue.length;
}
