// Puzzle datasets as files: one record a puzzle, with the columns that verl and TRL read and those that we grade by.
// Writing is resumable: what is already in the file is kept, and the same seed goes on with what comes next.
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { DataError } from "../base/errors.ts";
import { readJsonLinesFile } from "../base/json-lines.ts";
import { jsonLinesToParquet } from "../base/parquet.ts";
import { type MixRequest, mixedSteps } from "../puzzles/mix.ts";
import { type PromptStyle, type PromptVariant, puzzlePrompt } from "../puzzles/prompt.ts";
import type { AnyPuzzle } from "../puzzles/puzzle.ts";
import { levelOf, rated } from "../puzzles/rating.ts";
import { drawn, type SplitName, type SplitPuzzle, splitOf } from "../puzzles/splits.ts";
import type { PuzzleThread } from "./puzzle-thread.ts";

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
  /** How difficult, as a number: see docs/puzzles.md. Null where the puzzle does not measure it. */
  readonly rating: number | null;
  readonly deduction_steps: number | null;
  readonly chain: number | null;
  readonly guesses: number | null;
  readonly search_steps: number | null;
  readonly split: SplitName;
  readonly solution: string;
};

/** What a row needs to know besides the puzzle. */
type RowRequest = {
  readonly puzzle: AnyPuzzle;
  readonly testShare?: number;
  readonly promptStyle?: PromptStyle;
  readonly promptVariants?: readonly PromptVariant[];
};

export type DatasetRequest = MixRequest & Omit<RowRequest, "puzzle"> & { readonly count: number };

export function datasetRow(request: RowRequest, made: SplitPuzzle, index: number): DatasetRow {
  const { puzzle, promptStyle, promptVariants } = request;
  const split = splitOf(made.canonical, request.testShare);
  const rating = made.rating ?? rated(puzzle, made.instance, made.canonical);
  return {
    data_source: `repertoire/${puzzle.name}`,
    prompt: [{ role: "user", content: puzzlePrompt(puzzle, made.instance, promptStyle, promptVariants) }],
    ability: "puzzle",
    reward_model: { style: "rule", ground_truth: JSON.stringify({ puzzle: puzzle.name, id: made.id }) },
    extra_info: { split, index, puzzle: puzzle.name, id: made.id },
    puzzle: puzzle.name,
    id: made.id,
    canonical: made.canonical,
    difficulty: levelOf(made, rating),
    rating: rating?.rating ?? null,
    deduction_steps: rating?.steps ?? null,
    chain: rating?.chain ?? null,
    guesses: rating?.guesses ?? null,
    search_steps: rating?.searchSteps ?? null,
    split,
    solution: puzzle.renderAnswer(made.instance, made.solution),
  };
}

/** Rows from nothing, one at a time. Draws are made in the thread where there is one, each with its limit on time. */
export async function* datasetRows(request: DatasetRequest, thread?: PuzzleThread): AsyncGenerator<DatasetRow> {
  const steps = mixedSteps(request);
  let index = 0;
  for (let step = steps.next(); !step.done && index < request.count; ) {
    if ("found" in step.value) {
      const { found } = step.value;
      yield datasetRow({ ...request, puzzle: found.kind.puzzle }, found, index++);
      if (index === request.count) return;
      step = steps.next();
      continue;
    }
    const { draw, kind } = step.value;
    const { puzzle, params } = kind;
    step = steps.next(
      thread === undefined
        ? drawn(puzzle, params, draw)
        : await thread.draw({ puzzle: puzzle.name, params, random: draw.save() }),
    );
  }
}

/**
 * Checks that a file written by an earlier, interrupted call is the beginning of this dataset and says how far it got.
 * The rows are made again and compared, so that a different seed or setting is noticed and never mixed in.
 */
export async function writtenRows(path: string, rows: AsyncIterator<DatasetRow>): Promise<number> {
  if (!existsSync(path)) return 0;
  let count = 0;
  for await (const read of readJsonLinesFile(path)) {
    if ("error" in read)
      throw new DataError(`${path} line ${read.line}: ${read.error}; remove the file to start again`);
    const expected = await rows.next();
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
