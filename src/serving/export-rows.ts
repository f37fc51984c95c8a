// Puzzles as the rows that each trainer reads. Ground truths are what the reward server reads back.

import type { Random } from "../base/random.ts";
import { type DatasetRow, datasetRow } from "../problems/puzzle-dataset.ts";
import { puzzleNamed } from "../puzzles/catalog.ts";
import { GenerationError } from "../puzzles/puzzle.ts";
import { type SplitName, splitPuzzles } from "../puzzles/splits.ts";
import type { Trainer } from "./paper-settings.ts";

/** `bridges:7x7`: a puzzle and Simon Tatham's parameters. */
export type PuzzleKind = { readonly puzzle: string; readonly params: string };

/** The sizes that the paper trains on. */
export const paperPuzzles: readonly PuzzleKind[] = [
  { puzzle: "bridges", params: "7x7" },
  { puzzle: "pattern", params: "4x4" },
  { puzzle: "undead", params: "4x4" },
  { puzzle: "galaxies", params: "3x3" },
];

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

export function trainerRow(trainer: Trainer, row: DatasetRow): object {
  const { prompt, data_source, reward_model } = row;
  switch (trainer) {
    case "verl": {
      const { ability, extra_info } = row;
      return { data_source, prompt, ability, reward_model, extra_info };
    }
    case "trl":
      return { prompt, ground_truth: reward_model.ground_truth, data_source };
    case "openrlhf":
    case "slime":
      return { prompt, label: reward_model.ground_truth };
  }
}
