// The records of Pattern, and the clues that a picture has.
import type { PuzzleParams } from "../puzzle.ts";

/** Easiest first; what each level asks of a solver is said in difficulty.ts. */
export const patternDifficulties = ["easy", "normal", "tricky", "unreasonable"] as const;
export type PatternDifficulty = (typeof patternDifficulties)[number];

export type PatternParams = PuzzleParams & {
  readonly difficulty?: PatternDifficulty;
  /** Per cent of the cells that are full; half when absent, as Tatham makes them. */
  readonly fullPercent?: number;
};

/** Lengths of the runs of full cells in each line, in order; a blank line has none. */
export type Clues = {
  readonly columns: readonly (readonly number[])[];
  readonly rows: readonly (readonly number[])[];
};

export type PatternInstance = Clues & {
  readonly width: number;
  readonly height: number;
  /** Cells given besides the clues, row by row: `#` full, `.` empty, `?` not given. Absent when there are none. */
  readonly prefilled?: string;
};

/** An answer, row by row: `#` full, `.` empty. */
export type PatternBoard = { readonly cells: string };

/** The runs of a line of `cells` that starts at `start` and goes on every `step`. */
export function runsOf(cells: string, start: number, step: number, length: number): number[] {
  const runs: number[] = [];
  let run = 0;
  for (let cell = start, left = length; left > 0; left--, cell += step) {
    if (cells.charCodeAt(cell) === 35) run++;
    else if (run > 0) {
      runs.push(run);
      run = 0;
    }
  }
  if (run > 0) runs.push(run);
  return runs;
}

export const columnRuns = (cells: string, column: number, width: number, height: number) =>
  runsOf(cells, column, width, height);
export const rowRuns = (cells: string, row: number, width: number) => runsOf(cells, row * width, 1, width);

/** The instance of which a picture is a solution. */
export function instanceOf(cells: string, width: number, height: number): PatternInstance {
  return {
    width,
    height,
    columns: Array.from({ length: width }, (_, column) => columnRuns(cells, column, width, height)),
    rows: Array.from({ length: height }, (_, row) => rowRuns(cells, row, width)),
  };
}
