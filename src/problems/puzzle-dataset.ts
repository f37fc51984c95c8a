// Puzzle datasets as files: one record a puzzle, with the columns that verl and TRL read and those that we grade by.
// Writing is resumable: what is already in the file is kept, and the same seed goes on with what comes next.
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { DataError } from "../base/errors.ts";
import { readJsonLinesFile } from "../base/json-lines.ts";
import { jsonLinesToParquet } from "../base/parquet.ts";
import type { Random } from "../base/random.ts";
import { type PromptStyle, puzzlePrompt } from "../puzzles/prompt.ts";
import type { AnyPuzzle, PuzzleParams } from "../puzzles/puzzle.ts";
import { type SplitName, type SplitPuzzle, splitOf, splitPuzzles } from "../puzzles/splits.ts";

export type DatasetRow = {
  readonly data_source: string;
  readonly prompt: readonly [{ readonly role: "user"; readonly content: string }];
  readonly ability: "puzzle";
  readonly reward_model: { readonly style: "rule"; readonly ground_truth: string };
  readonly extra_info: {
    readonly split: SplitName;
    readonly index: number;
    readonly puzzle: string;
    readonly id: string;
  };
  readonly puzzle: string;
  readonly id: string;
  readonly canonical: string;
  readonly difficulty: string;
  readonly split: SplitName;
  readonly solution: string;
};

export type DatasetRequest = {
  readonly puzzle: AnyPuzzle;
  readonly params: PuzzleParams;
  readonly count: number;
  readonly random: Random;
  readonly split?: SplitName;
  readonly testShare?: number;
  readonly promptStyle?: PromptStyle;
};

export function datasetRow(request: DatasetRequest, made: SplitPuzzle, index: number): DatasetRow {
  const { puzzle } = request;
  const split = splitOf(made.canonical, request.testShare);
  return {
    data_source: `repertoire/${puzzle.name}`,
    prompt: [{ role: "user", content: puzzlePrompt(puzzle, made.instance, request.promptStyle) }],
    ability: "puzzle",
    reward_model: { style: "rule", ground_truth: JSON.stringify({ puzzle: puzzle.name, id: made.id }) },
    extra_info: { split, index, puzzle: puzzle.name, id: made.id },
    puzzle: puzzle.name,
    id: made.id,
    canonical: made.canonical,
    difficulty: made.difficulty,
    split,
    solution: puzzle.renderAnswer(made.instance, made.solution),
  };
}

/** Rows from nothing; a generator so that a command can show progress and stop where it likes. */
export function* datasetRows(request: DatasetRequest): Generator<DatasetRow> {
  let index = 0;
  if (request.count === 0) return;
  for (const made of splitPuzzles(request)) {
    yield datasetRow(request, made, index);
    if (++index === request.count) return;
  }
}

/**
 * Checks that a file written by an earlier, interrupted call is the beginning of this dataset and says how far it got.
 * The rows are made again and compared, so that a different seed or setting is noticed and never mixed in.
 */
export async function writtenRows(path: string, rows: Iterator<DatasetRow>): Promise<number> {
  if (!existsSync(path)) return 0;
  let count = 0;
  for await (const read of readJsonLinesFile(path)) {
    if ("error" in read)
      throw new DataError(`${path} line ${read.line}: ${read.error}; remove the file to start again`);
    const expected = rows.next();
    const found = (read.value as { id?: unknown }).id;
    if (expected.done || found !== expected.value.id) {
      throw new DataError(
        `${path} line ${read.line} belongs to another dataset (${found}); choose another --out or remove it`,
      );
    }
    count += 1;
  }
  return count;
}

/** Turns the finished JSON lines into the Parquet file that was asked for. */
export async function finishParquet(jsonLines: string, parquet: string): Promise<void> {
  await jsonLinesToParquet(jsonLines, parquet);
  await rm(jsonLines);
}
