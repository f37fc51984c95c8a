// Puzzle datasets as files: one record a puzzle, with the columns that verl and TRL read and those that we grade by.
// Writing is resumable: what is already in the file is kept, and the same seed goes on with what comes next.
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { z } from "zod";
import { DataError, schemaProblems } from "../base/errors.ts";
import { readJsonLinesFile } from "../base/json-lines.ts";
import { jsonLinesToParquet } from "../base/parquet.ts";
import { type MixedPuzzle, type MixRequest, mixedSteps } from "../puzzles/mix.ts";
import { type PromptStyle, type PromptVariant, puzzlePrompt } from "../puzzles/prompt.ts";
import type { AnyPuzzle } from "../puzzles/puzzle.ts";
import { levelOf, rated } from "../puzzles/rating.ts";
import { type Drawn, drawn, type SplitName, type SplitPuzzle, splitOf } from "../puzzles/splits.ts";
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
    /** As in `bridges=7x7i30e10m2d0`, and which draw of it, where it was drawn. */
    readonly kind?: string;
    readonly draw?: number;
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
  readonly kind?: string;
  readonly testShare?: number;
  readonly promptStyle?: PromptStyle;
  readonly promptVariants?: readonly PromptVariant[];
};

export type DatasetRequest = MixRequest & Omit<RowRequest, "puzzle" | "kind"> & { readonly count: number };

export function datasetRow(request: RowRequest, made: SplitPuzzle, index: number): DatasetRow {
  const { puzzle, promptStyle, promptVariants } = request;
  const split = splitOf(made.canonical, request.testShare);
  const rating = made.rating ?? rated(puzzle, made.instance, made.canonical);
  return {
    data_source: `repertoire/${puzzle.name}`,
    prompt: [{ role: "user", content: puzzlePrompt(puzzle, made.instance, promptStyle, promptVariants) }],
    ability: "puzzle",
    reward_model: { style: "rule", ground_truth: JSON.stringify({ puzzle: puzzle.name, id: made.id }) },
    extra_info: { split, index, puzzle: puzzle.name, id: made.id, kind: request.kind, draw: made.draw },
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

/** What a row tells of itself to whoever resumes; rows of earlier versions do not say their draws. */
const writtenRow = z.object({
  id: z.string(),
  difficulty: z.string(),
  split: z.string(),
  prompt: z.tuple([z.object({ content: z.string() })]),
  extra_info: z.object({ kind: z.string().nullish(), draw: z.number().nullish() }),
});
type WrittenRow = z.infer<typeof writtenRow> & { readonly place: string };

/** The rows that an earlier, interrupted call has written. */
export async function* writtenRows(path?: string): AsyncGenerator<WrittenRow> {
  if (path === undefined || !existsSync(path)) return;
  for await (const read of readJsonLinesFile(path)) {
    const place = `${path} line ${read.line}`;
    const row = "error" in read ? undefined : writtenRow.safeParse(read.value);
    if (!row?.success) {
      const problem = row === undefined ? (read as { error: string }).error : schemaProblems(row.error);
      throw new DataError(`${place}: ${problem}; remove the file to start again`);
    }
    yield { ...row.data, place };
  }
}

/**
 * Rows, one at a time, after those that are written. Draws are made in the thread where there is one, each with its limit on
 * time. A draw may have run out of time once and not again, so a written row is believed which draw it was; the first of each
 * kind is drawn anew, so that another seed is noticed and never mixed in.
 */
export async function* datasetRows(
  request: DatasetRequest,
  thread?: PuzzleThread,
  writtenBefore: AsyncIterator<WrittenRow> = writtenRows(),
): AsyncGenerator<DatasetRow> {
  const steps = mixedSteps(request);
  const confirmed = new Set<string>();
  let written: WrittenRow | undefined = (await writtenBefore.next()).value;
  let index = 0;
  for (let step = steps.next(); !step.done && index < request.count; ) {
    if ("found" in step.value) {
      const { found } = step.value;
      const { puzzle, text: kind } = found.kind;
      if (written === undefined) yield datasetRow({ ...request, puzzle, kind }, found, index);
      else {
        if (!isRow(written, found, request)) throw strange(written);
        confirmed.add(kind);
        written = (await writtenBefore.next()).value;
      }
      index++;
      if (index === request.count) break;
      step = steps.next();
      continue;
    }
    const { draw, number, kind } = step.value;
    const { puzzle, params, text } = kind;
    const told = written?.extra_info.kind === text ? (written.extra_info.draw ?? undefined) : undefined;
    if (written !== undefined && told !== undefined && number < told) step = steps.next(undefined);
    else if (written !== undefined && told === number)
      step = steps.next(confirmed.has(text) ? believed(puzzle, written) : drawn(puzzle, params, draw));
    else if (thread === undefined) step = steps.next(drawn(puzzle, params, draw));
    else step = steps.next(await thread.draw({ puzzle: puzzle.name, params, random: draw.save() }));
  }
  if (written !== undefined) throw strange(written);
}

function isRow(
  written: WrittenRow,
  { id, canonical, instance, kind }: MixedPuzzle,
  { testShare, promptStyle, promptVariants }: DatasetRequest,
): boolean {
  const prompt = puzzlePrompt(kind.puzzle, instance, promptStyle, promptVariants);
  return written.id === id && written.split === splitOf(canonical, testShare) && written.prompt[0].content === prompt;
}

const strange = ({ place, id }: WrittenRow) =>
  new DataError(`${place} belongs to another dataset (${id}); choose another --out or remove it`);

/** Its solution is in its row already. */
const believed = (puzzle: AnyPuzzle, { id, difficulty }: WrittenRow): Drawn => ({
  instance: puzzle.readId(id),
  solution: undefined,
  difficulty,
});

/** Turns the finished JSON lines into the Parquet file that was asked for. */
export async function finishParquet(jsonLines: string, parquet: string): Promise<void> {
  await jsonLinesToParquet(jsonLines, parquet);
  await rm(jsonLines);
}
