// Problems by one line of text, as a command takes them: a benchmark's name, `puzzles:bridges=7x7d1`, `synthetic`,
// `hub:owner/name`, or a file.
import { ConfigurationError, DataError, messageOf, schemaProblems } from "../base/errors.ts";
import { Random } from "../base/random.ts";
import type { PromptStyle } from "../puzzles/prompt.ts";
import { benchmarks } from "./benchmarks/catalog.ts";
import type { Columns, Dropped } from "./benchmarks/columns.ts";
import type { HubOptions } from "./benchmarks/hub.ts";
import { loadBenchmark, loadDataFile, loadHubDataset } from "./benchmarks/load.ts";
import { dataFileEndings, readRows } from "./benchmarks/rows.ts";
import { type Problem, problemSchema } from "./problem.ts";
import { puzzleProblems } from "./puzzle-problems.ts";
import { syntheticTestSet } from "./synthetic/index.ts";
import { loadTopoBench, topoBenchSets } from "./topobench.ts";

export type SourceOptions = {
  readonly hub: HubOptions;
  /** Where benchmarks' files lie, instead of the hub. */
  readonly folder?: string;
  /** For files and data sets that are not benchmarks. */
  readonly columns?: Columns;
  readonly prompt?: string;
  /** Of the questions of a file or data set, instead of our mathematics grader. */
  readonly grader?: string;
  /** How many, of what is generated. */
  readonly count: number;
  readonly seed: number | string;
  readonly puzzlePrompt?: PromptStyle;
};

export type SourcedProblems = {
  readonly problems: readonly Problem[];
  readonly dropped: readonly Dropped[];
  /** By id: the question itself, where it came from a file or data set. */
  readonly texts?: ReadonlyMap<string, string>;
  /** In words: the file, the data set and its commit, or how they were made. */
  readonly from: string;
};

export async function loadProblems(source: string, options: SourceOptions): Promise<SourcedProblems> {
  const { hub, folder, columns, prompt, grader, count, seed } = options;
  if (benchmarks.some((benchmark) => benchmark.name === source)) return loadBenchmark(source, { folder, hub });
  if (source in topoBenchSets) return loadTopoBench(source, { hub, folder });
  const [kind, ...rest] = source.split(":");
  if (kind === "puzzles") {
    // Earlier versions wrote `bridges:7x7d1`.
    const [puzzle, params] = rest.join(":").split(/[=:]/);
    if (params === undefined) {
      throw new ConfigurationError(
        `problems ${JSON.stringify(source)}: expected puzzles:<name=params>, as in puzzles:bridges=7x7d1`,
      );
    }
    const random = Random.from(seed).child("evaluation", puzzle, params);
    const problems = puzzleProblems({ puzzle, params, count, random, prompt: options.puzzlePrompt });
    return { problems, dropped: [], from: `${count} test puzzles of ${puzzle} ${params}, seed ${seed}` };
  }
  if (source === "synthetic") {
    const problems = syntheticTestSet(count, Random.from(seed).child("evaluation", "synthetic"));
    return { problems, dropped: [], from: `${count} synthetic problems, seed ${seed}` };
  }
  if (kind === "hub") {
    const [dataset, ...pattern] = rest;
    return loadHubDataset(dataset, filePattern(pattern.join(":")), hub, { columns, prompt, grader });
  }
  if (dataFileEndings.some((ending) => source.toLowerCase().endsWith(ending))) {
    const given = { columns, prompt, grader };
    return (await recordedProblems(source, given)) ?? loadDataFile(source, given);
  }
  throw new ConfigurationError(
    `unknown problems ${JSON.stringify(source)}; expected a file (${dataFileEndings.join(", ")}), hub:<owner>/<name>, ` +
      `puzzles:<name=params>, synthetic, or one of: ${[...benchmarks.map((benchmark) => benchmark.name), ...Object.keys(topoBenchSets)].join(", ")}`,
  );
}

/** The `problems.jsonl` of an evaluation, or of an export, puzzles among them: asked again as they were. */
async function recordedProblems(
  path: string,
  given: Pick<SourceOptions, "columns" | "prompt" | "grader">,
): Promise<SourcedProblems | undefined> {
  if (!path.endsWith(".jsonl") || Object.values(given).some((option) => option !== undefined)) return undefined;
  const rows = await readRows(path);
  if (!problemSchema.safeParse(rows[0]).success) return undefined;
  const problems = rows.map((row, i) => {
    const problem = problemSchema.safeParse(row);
    if (!problem.success)
      throw new DataError(`${path} line ${i + 1} is no problem as line 1 is: ${schemaProblems(problem.error)}`);
    return problem.data;
  });
  return { problems, dropped: [], from: `${path}, as they were asked` };
}

function filePattern(text: string): RegExp {
  try {
    return new RegExp(text, "i");
  } catch (error) {
    throw new ConfigurationError(
      `the file pattern ${JSON.stringify(text)} is not a regular expression: ${messageOf(error)}`,
    );
  }
}
