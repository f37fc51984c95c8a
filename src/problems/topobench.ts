// TopoBench (Maniparambil et al. 2026, arXiv:2603.12133): six of our puzzles in three tiers, published in three forms of writing a board.
// Its boards come from its own data sets; they are asked with our rules in its form, and graded by our verifier.
import { z } from "zod";
import { messageOf, UserError } from "../base/errors.ts";
import { type BoardForm, rowsInForm } from "../puzzles/board-forms.ts";
import { puzzleNamed } from "../puzzles/catalog.ts";
import { drawingOf } from "../puzzles/drawn-boards.ts";
import { puzzlePrompt } from "../puzzles/prompt.ts";
import type { Dropped } from "./benchmarks/columns.ts";
import { type FileSource, filesOf } from "./benchmarks/load.ts";
import { type DataRow, readRows } from "./benchmarks/rows.ts";
import type { PuzzleProblem } from "./problem.ts";
import { puzzleProblemId } from "./problem-id.ts";

/** Each form is a data set of its own. */
export const topoBenchSets: Readonly<Record<string, { readonly dataset: string; readonly form: BoardForm }>> = {
  topobench: { dataset: "topobench/topobench", form: "drawn" },
  "topobench-intformat": { dataset: "topobench/topobench_intformat", form: "intformat" },
  "topobench-intformat-json": { dataset: "topobench/topobench_intformat_json", form: "intformat-json" },
};

const rowSchema = z.object({
  filename: z.string(),
  puzzlename: z.string(),
  difficulty: z.string(),
  problem: z.string(),
  include: z.boolean().nullish(),
});

type TopoBench = { readonly problems: PuzzleProblem[]; readonly dropped: Dropped[] };

export async function loadTopoBench(name: string, source: FileSource): Promise<TopoBench & { readonly from: string }> {
  const { dataset, form } = topoBenchSets[name];
  const file = /(^|[/_-])test[^/]*\.(jsonl|json|parquet)$/i;
  const localFile = new RegExp(
    `(^|[/\\\\])${dataset.split("/")[1]}(?!_intformat|_json)[^/\\\\]*\\.(jsonl|json|parquet)$`,
    "i",
  );
  const { files, from } = await filesOf({ name, dataset, file, localFile }, source);
  const rows = (await Promise.all(files.map(({ copy }) => readRows(copy)))).flat();
  return { ...topoBenchProblems(rows, name, form), from };
}

/** In the order in which its own evaluation asks them: by tier and file name. Rows that it leaves out are left out. */
export function topoBenchProblems(rows: readonly DataRow[], name: string, form: BoardForm): TopoBench {
  const problems: PuzzleProblem[] = [];
  const dropped: Dropped[] = [];
  for (const [at, given] of rows.entries()) {
    const read = rowSchema.safeParse(given);
    if (!read.success) {
      dropped.push({
        id: `${name}/row ${at}`,
        because: "not a row of TopoBench: filename, puzzlename, difficulty, problem",
      });
      continue;
    }
    const { filename, puzzlename, difficulty, problem, include } = read.data;
    if (include === false) continue;
    try {
      const puzzle = puzzleNamed(puzzlename.replaceAll("_", ""));
      const drawn = rowsInForm(puzzle, form, problem);
      if (drawn === undefined) throw new UserError(`its board is not written as ${form}`);
      const instance = drawingOf(puzzle)!.read(drawn);
      const prompt = puzzlePrompt(puzzle, puzzle.readId(instance), "full", [form]);
      const set = `${name} ${difficulty} ${puzzle.name}`;
      problems.push({
        kind: "puzzle",
        id: puzzleProblemId(puzzle.name, instance),
        set,
        prompt,
        puzzle: puzzle.name,
        instance,
        difficulty,
      });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      dropped.push({ id: `${name}/${filename}`, because: messageOf(error) });
    }
  }
  return {
    problems: problems.sort((one, other) => (one.set! < other.set! ? -1 : one.set! > other.set! ? 1 : 0)),
    dropped,
  };
}

/** Mean accuracy over the six families, in per cent, as digests of the paper quote its table of plain boards; pass@1, 100,000 tokens. */
const published = [
  ["GPT-5-mini-high", 71, 44, 24],
  ["Gemini-3-Flash", 60, 35, 9],
  ["DeepSeek V3.2", 58, 37, 10],
  ["Qwen3-235B", 31, 12, undefined],
] as const;

const tiers = ["easy", "medium", "hard"] as const;

/** Ours beside the published: the mean over families of each tier; nothing where no set is of TopoBench. */
export function besidePublished(
  sets: readonly { readonly set: string; readonly passAt1: number }[],
): string[][] | undefined {
  const own = tiers.map((tier) => {
    const of = sets.filter(({ set }) => new RegExp(`^topobench\\S* ${tier} `).test(set));
    return of.length === 0 ? undefined : (100 * of.reduce((sum, { passAt1 }) => sum + passAt1, 0)) / of.length;
  });
  if (own.every((value) => value === undefined)) return undefined;
  const shown = (value: number | undefined) => (value === undefined ? "" : value.toFixed(1));
  return [
    ["this evaluation", ...own.map(shown)],
    ...published.map(([model, ...values]) => [model, ...values.map((value) => String(value ?? ""))]),
  ];
}
