// What `train` asks: puzzles as the recipe draws them, questions of anybody's, or a mix of both, and what answers are worth.
import { z } from "zod";
import { ConfigurationError, unknownName } from "../base/errors.ts";
import type { PolicyCard } from "../engine/policy-card.ts";
import { paperReward, type RewardName, type RewardWeights, rewardNames, rewardsByName } from "../grading/reward.ts";
import { noPuzzles, type PaperSetsRequest, paperPuzzles } from "../problems/paper-sets.ts";
import type { Problem, PuzzleProblem } from "../problems/problem.ts";
import { loadQuestions, puzzlesSource, type QuestionSet, readSources, trainingMix } from "../problems/question-sets.ts";
import { subset } from "../problems/subset.ts";
import { inPromptStyle } from "../recipes/policy-asking.ts";
import { readJsonFlag } from "./arguments.ts";
import { namedPuzzleSets } from "./puzzle-sets.ts";
import { printQuestions, questionReading } from "./question-flags.ts";
import type { SharedFlags } from "./train-options.ts";

/** The recipe's: RL's problems by `steps`, or those that choose the SFT epoch. */
export function puzzlesOf(
  { puzzle }: { readonly puzzle?: string[] },
  { promptStyle }: PolicyCard,
  wanted: { readonly rl: PaperSetsRequest["rl"] } | { readonly sft: PaperSetsRequest["sft"] },
  seed: number,
): PuzzleProblem[] {
  const training = namedPuzzleSets(puzzle).map(({ text }) => text);
  const sets = paperPuzzles({ seed, puzzles: { training, larger: [] }, ...noPuzzles, ...wanted });
  return ("rl" in wanted ? sets.training : sets.validation).map((problem) => inPromptStyle(problem, promptStyle));
}

/** Which questions, and how they are read: what `train` and `export` are told alike. */
export type ProblemFlags = Pick<
  SharedFlags,
  "problems" | "puzzle" | "heldOutShare" | "columns" | "prompt" | "grader" | "data"
>;

type Places = { readonly seed: number; readonly steps: number; readonly problemsPerStep: number };

/** In the order of the steps: puzzles as the recipe draws them, questions, or a mix that is the same in every step. */
export async function trainingProblems(options: ProblemFlags, card: PolicyCard, places: Places): Promise<Problem[]> {
  const { seed, steps, problemsPerStep } = places;
  const puzzles = (count: number) => puzzlesOf(options, card, { rl: { steps: 1, problemsPerStep: count } }, seed);
  if (options.problems === undefined) return puzzles(steps * problemsPerStep);
  const { sources, questions } = await questionsOf(options, card, places, options.puzzle !== undefined);
  return trainingMix({ sources, questions, puzzles, count: steps * problemsPerStep, seed });
}

export async function questionsOf(
  options: ProblemFlags,
  card: PolicyCard,
  { seed, steps, problemsPerStep }: Places,
  withPuzzles: boolean,
) {
  const given = readSources(options.problems ?? []);
  const named = given.some(({ source }) => source === puzzlesSource);
  const sources = !withPuzzles || named ? given : [...given, { source: puzzlesSource, weight: 1 }];
  const sets = await loadedQuestions(options, card, { sources, count: steps * problemsPerStep, seed });
  return { sources, questions: sets };
}

async function loadedQuestions(
  options: ProblemFlags,
  card: PolicyCard,
  wanted: { readonly sources: ReturnType<typeof readSources>; readonly count: number; readonly seed: number },
): Promise<Pick<QuestionSet, "source" | "training" | "heldOut">[]> {
  const reading = questionReading(options);
  const { heldOutShare } = options;
  const { count, seed } = wanted;
  const inStyle = (problems: readonly Problem[]) => problems.map((problem) => inPromptStyle(problem, card.promptStyle));
  const sets = [];
  for (const { source } of wanted.sources) {
    if (source === puzzlesSource) continue;
    const set = await loadQuestions(source, {
      ...reading,
      grader: reading.graderOf(source),
      count,
      seed,
      heldOutShare,
    });
    printQuestions(set);
    sets.push({ source, training: inStyle(set.training), heldOut: inStyle(set.heldOut) });
  }
  return sets;
}

/** What chooses the SFT epoch: held-out puzzles, or so many held-out questions of each source; `puzzles` stands for those. */
export async function validationProblems(
  options: SharedFlags & { readonly validation: number },
  card: PolicyCard,
  seed: number,
): Promise<Problem[]> {
  const { problems = [puzzlesSource], validation: count } = options;
  const sources = readSources(problems);
  const puzzles = sources.some(({ source }) => source === puzzlesSource)
    ? puzzlesOf(options, card, { sft: { validationPerPuzzle: count } }, seed)
    : [];
  const sets = await loadedQuestions(options, card, { sources, count, seed });
  for (const { source, heldOut } of sets)
    if (heldOut.length === 0)
      throw new ConfigurationError(
        `${source} has no held-out question to choose the epoch by; raise --held-out-share, or give more questions`,
      );
  return [...puzzles, ...sets.flatMap(({ heldOut }) => subset(heldOut, Math.min(count, heldOut.length), seed))];
}

const rewardSchema = z.strictObject({
  exact: z.number().nonnegative().optional(),
  completion: z.number().nonnegative().optional(),
  format: z.number().nonnegative().optional(),
  changedCell: z.number().positive().optional(),
  completionPower: z.number().positive().optional(),
  completionBy: z.enum(["cells", "classes"]).optional(),
});

/** A name, or what differs from the paper's weights. */
export function readReward(text: string): RewardWeights {
  if (!text.startsWith("{")) {
    if (!rewardNames.includes(text as RewardName))
      throw unknownName("reward", text, [...rewardNames, "weights in JSON"]);
    return rewardsByName[text as RewardName];
  }
  return { ...paperReward, ...readJsonFlag(`--reward ${text}`, rewardSchema, () => JSON.parse(text)) };
}
