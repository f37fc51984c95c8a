// Puzzles as rows of a dataset, as many as asked for.
import type { Random } from "../base/random.ts";
import type { PuzzleKind } from "../problems/paper.ts";
import { type DatasetRow, datasetRow } from "../problems/puzzle-dataset.ts";
import { puzzleNamed } from "../puzzles/catalog.ts";
import { GenerationError } from "../puzzles/puzzle.ts";
import { type SplitName, splitPuzzles } from "../puzzles/splits.ts";

export type MadePuzzles = {
  readonly rows: readonly DatasetRow[];
  /** How many different puzzles are among the rows; fewer than rows where no more exist. */
  readonly distinct: number;
};

/** Distinct puzzles; where the world of such puzzles is smaller than `count`, all of them again and again. */
export function madePuzzles(kind: PuzzleKind, split: SplitName, count: number, random: Random): MadePuzzles {
  const puzzle = puzzleNamed(kind.puzzle);
  const request = { puzzle, params: puzzle.readParams(kind.params), split, count, random };
  const rows: DatasetRow[] = [];
  try {
    for (const made of count === 0 ? [] : splitPuzzles(request)) {
      rows.push(datasetRow(request, made, rows.length));
      if (rows.length === count) break;
    }
  } catch (error) {
    if (!(error instanceof GenerationError) || rows.length === 0) throw error;
  }
  const distinct = rows.length;
  for (let i = 0; rows.length < count; i++) {
    const again = rows[i];
    rows.push({ ...again, extra_info: { ...again.extra_info, index: rows.length } });
  }
  return { rows, distinct };
}
