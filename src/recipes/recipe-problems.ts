// What the paper's experiment trains on and is judged by: its puzzles (`problems/paper-sets.ts`), the benchmarks of
// mathematics, and files of anybody's questions beside or instead of them.
import { ConfigurationError } from "../base/errors.ts";
import { Random } from "../base/random.ts";
import { benchmarks } from "../problems/benchmarks/catalog.ts";
import type { Columns } from "../problems/benchmarks/columns.ts";
import type { HubOptions } from "../problems/benchmarks/hub.ts";
import { loadBenchmark } from "../problems/benchmarks/load.ts";
import { type PaperSets, paperPuzzles } from "../problems/paper-sets.ts";
import type { Problem } from "../problems/problem.ts";
import { sameQuestion } from "../problems/problem-facts.ts";
import {
  loadQuestions,
  puzzlesSource,
  type QuestionSet,
  readSources,
  sharesOf,
  trainingMix,
} from "../problems/question-sets.ts";
import { loadProblems, type SourceOptions } from "../problems/sources.ts";
import { subset } from "../problems/subset.ts";
import { puzzleNamed } from "../puzzles/catalog.ts";
import { sharedPuzzles } from "./mini/shared-puzzles.ts";
import { needsSearch } from "./mini/world.ts";
import { problemCount, type RecipeSettings } from "./settings.ts";

export type EvaluationSet = {
  readonly set: string;
  /** What settings call it, where that is not its name: a file. */
  readonly source?: string;
  readonly problems: readonly Problem[];
};

/** Where questions come from and how they are read. */
export type QuestionsFrom = {
  readonly hub: HubOptions;
  /** Of the benchmarks' files, instead of the hub. */
  readonly folder?: string;
  readonly columns?: Columns;
  readonly prompt?: string;
  /** By source: who decides instead of our mathematics grader. */
  readonly graderOf: (source: string) => string | undefined;
};

const sourceOptions = ({ seed, evaluation }: RecipeSettings, from: QuestionsFrom, source: string): SourceOptions => ({
  ...{ hub: from.hub, folder: from.folder, columns: from.columns, prompt: from.prompt, seed },
  grader: from.graderOf(source),
  count: source === "synthetic" ? evaluation.syntheticProblems : evaluation.largerPerPuzzle,
});

/** The questions that RL trains on, each set split by its own text. */
export async function recipeQuestions(settings: RecipeSettings, from: QuestionsFrom): Promise<QuestionSet[]> {
  const sets = [];
  for (const { source } of readSources(settings.rl.problems)) {
    if (source === puzzlesSource) continue;
    const { heldOutShare } = settings.rl;
    sets.push(await loadQuestions(source, { ...sourceOptions(settings, from, source), heldOutShare }));
  }
  return sets;
}

/** Benchmarks in the order of the settings, then what is held out of the questions that RL trains on. */
export async function recipeBenchmarks(
  settings: RecipeSettings,
  from: QuestionsFrom,
  questions: readonly QuestionSet[] = [],
): Promise<readonly EvaluationSet[]> {
  const { seed, evaluation } = settings;
  const sets: EvaluationSet[] = [];
  for (const name of evaluation.benchmarks) {
    if (questions.some(({ source }) => source === name)) continue;
    const problems = await judgedBy(name, settings, from);
    const most = problemCount(name, evaluation) ?? problems.length;
    const chosen = problems.length > most ? subset(problems, most, seed) : problems;
    for (const [set, own] of bySet(chosen, name)) sets.push({ set, source: name, problems: own });
  }
  for (const { set, source, heldOut } of questions) {
    const most = Math.min(heldOut.length, evaluation.heldOutPerPuzzle);
    if (most > 0) sets.push({ set, source, problems: subset(heldOut, most, seed) });
  }
  const names = sets.map(({ set }) => set);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new ConfigurationError(`two sets of problems are called ${twice}; rename a file`);
  return sets;
}

function bySet(problems: readonly Problem[], name: string): ReadonlyMap<string, Problem[]> {
  const sets = new Map<string, Problem[]>();
  for (const problem of problems) {
    const { set = name } = problem;
    sets.set(set, [...(sets.get(set) ?? []), { ...problem, set }]);
  }
  return sets;
}

async function judgedBy(name: string, settings: RecipeSettings, from: QuestionsFrom): Promise<readonly Problem[]> {
  const known = (one: string) => benchmarks.some((benchmark) => benchmark.name === one);
  if (name !== "hmmt" && !known(name)) {
    return (await loadProblems(name, sourceOptions(settings, from, name))).problems;
  }
  const problems = [];
  for (const part of name === "hmmt" ? settings.evaluation.hmmt : [name])
    problems.push(...(await loadBenchmark(part, from)).problems);
  return problems.map((problem) => ({ ...problem, set: name }));
}

/** Where RL begins from a checkpoint that was given, nobody is taught; the other sets are the same. */
export const withoutTeaching = (settings: RecipeSettings): RecipeSettings => ({
  ...settings,
  corpus: { ...settings.corpus, puzzles: 0, traces: undefined },
});

/** RL's problems by step, mixed as the settings say, beside the puzzles of the other sets. */
export type RecipeProblems = Omit<PaperSets, "training"> & { readonly training: readonly Problem[] };

export function recipeProblems(
  settings: RecipeSettings,
  questions: readonly QuestionSet[],
  onPuzzle?: () => void,
): RecipeProblems {
  const sources = readSources(settings.rl.problems);
  if (sources.length === 0) return puzzlesOf(settings, onPuzzle);
  const count = settings.rl.steps * settings.rl.problemsPerStep;
  const shares = sharesOf(sources, count);
  const puzzles = shares[sources.findIndex(({ source }) => source === puzzlesSource)] ?? 0;
  const rl = { ...settings.rl, steps: 1, problemsPerStep: puzzles };
  const sets = puzzlesOf({ ...settings, rl }, onPuzzle);
  const training = trainingMix({ sources, questions, puzzles: () => sets.training, count, seed: settings.seed });
  return { ...sets, training };
}

/** Where traces are narrated until enough are kept, teaching draws its own puzzles. */
function puzzlesOf(settings: RecipeSettings, onPuzzle?: () => void): PaperSets {
  if (settings.puzzles.stages === "shared") return sharedPuzzles(settings);
  const corpus = settings.corpus.traces === undefined ? settings.corpus : { puzzles: 0 };
  return paperPuzzles({ ...settings, corpus }, onPuzzle, ({ puzzle, instance }) => {
    const known = puzzleNamed(puzzle);
    return needsSearch(known, known.readId(instance), Random.from(settings.seed).child("needs search"));
  });
}

/** Problems that are both trained on and judged by, by their text: nothing is left out, but it is said. */
export function sharedQuestions(training: readonly Problem[], judged: readonly EvaluationSet[]): string[] {
  const trained = new Set(training.map(({ prompt }) => sameQuestion(prompt)));
  return judged.flatMap(({ set, problems }) => {
    const shared = problems.filter(({ prompt }) => trained.has(sameQuestion(prompt))).length;
    return shared === 0 ? [] : [`${shared} of ${problems.length} problems of ${set} are among those that RL trains on`];
  });
}
