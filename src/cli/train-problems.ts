// What `train` asks: puzzles as the recipe draws them, questions of anybody's, or a mix of both, and what answers are worth.
import { z } from "zod";
import { ConfigurationError, messageOf, unknownName } from "../base/errors.ts";
import type { PolicyCard } from "../engine/policy-card.ts";
import { paperReward, type RewardName, type RewardWeights, rewardNames, rewardsByName } from "../grading/reward.ts";
import { noPuzzles, type PaperSetsRequest, paperPuzzles } from "../problems/paper-sets.ts";
import type { Problem, PuzzleProblem } from "../problems/problem.ts";
import { loadQuestions, puzzlesSource, type QuestionSet, readSources, trainingMix } from "../problems/question-sets.ts";
import { askedInStyle } from "../recipes/policy-asking.ts";
import { puzzleSets } from "./puzzle-sets.ts";
import { type QuestionFlags, questionReading, sayQuestions } from "./question-flags.ts";

/** The recipe's: RL's problems by `steps`, or those that choose the SFT epoch. */
export function puzzlesOf(
  { puzzle }: { readonly puzzle?: string[] },
  { promptStyle }: PolicyCard,
  wanted: { readonly rl: PaperSetsRequest["rl"] } | { readonly sft: PaperSetsRequest["sft"] },
  seed: number,
): PuzzleProblem[] {
  const training = puzzleSets(puzzle).map(({ text }) => text);
  const sets = paperPuzzles({ seed, puzzles: { training, larger: [] }, ...noPuzzles, ...wanted });
  return ("rl" in wanted ? sets.training : sets.validation).map((problem) => askedInStyle(problem, promptStyle));
}

export type TrainedOn = QuestionFlags & {
  readonly puzzle?: string[];
  readonly problems?: string[];
  readonly heldOutShare: number;
};

/** In the order of the steps: puzzles as the recipe draws them, questions, or a mix that is the same in every step. */
export async function trainingProblems(
  options: TrainedOn,
  card: PolicyCard,
  { seed, steps, problemsPerStep }: { readonly seed: number; readonly steps: number; readonly problemsPerStep: number },
): Promise<Problem[]> {
  const puzzles = (count: number) => puzzlesOf(options, card, { rl: { steps: 1, problemsPerStep: count } }, seed);
  const count = steps * problemsPerStep;
  const given = readSources(options.problems ?? []);
  if (given.length === 0) return puzzles(count);
  const named = given.some(({ source }) => source === puzzlesSource);
  const sources = options.puzzle === undefined || named ? given : [...given, { source: puzzlesSource, weight: 1 }];
  const reading = questionReading(options);
  const questions: Pick<QuestionSet, "source" | "training">[] = [];
  for (const { source } of sources) {
    if (source === puzzlesSource) continue;
    const { heldOutShare } = options;
    const set = await loadQuestions(source, {
      ...reading,
      grader: reading.graderOf(source),
      count,
      seed,
      heldOutShare,
    });
    sayQuestions(set);
    questions.push({ source, training: set.training.map((problem) => askedInStyle(problem, card.promptStyle)) });
  }
  return trainingMix({ sources, questions, puzzles, count, seed });
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
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw new ConfigurationError(`--reward ${text}: ${messageOf(error)}`);
  }
  const parsed = rewardSchema.safeParse(given);
  if (!parsed.success) throw new ConfigurationError(`--reward ${text}: ${z.prettifyError(parsed.error)}`);
  return { ...paperReward, ...parsed.data };
}
