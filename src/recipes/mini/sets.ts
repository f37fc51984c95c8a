// Everything the miniature asks its model, made once per run and written down before anything is trained.
import { Random } from "../../base/random.ts";
import type { Tokenizer } from "../../engine/engine.ts";
import type { Problem, PuzzleProblem } from "../../problems/problem.ts";
import { syntheticTestSet } from "../../problems/synthetic/index.ts";
import type { PromptedProblem } from "../../rollouts/collect.ts";
import { ProblemGraders } from "../../rollouts/problem-grading.ts";
import { promptedProblem } from "../../rollouts/prompted-problem.ts";
import { noRejections, type RejectionCounts, type TeacherTrace } from "../../teaching/corpus.ts";
import { narratedTraces } from "../../teaching/narrated-corpus.ts";
import { mathematicsPrompt } from "../../teaching/pretraining.ts";
import type { MiniConfig } from "./config.ts";
import { miniaturePuzzles, needsSearch, puzzleSet, worldOf, worlds } from "./world.ts";

export type MiniSets = {
  readonly training: readonly PuzzleProblem[];
  /** On these the best SFT epoch is chosen. */
  readonly validation: readonly PuzzleProblem[];
  readonly heldOut: readonly PuzzleProblem[];
  readonly search: readonly PuzzleProblem[];
  readonly larger: readonly PuzzleProblem[];
  readonly mathematics: readonly Problem[];
};

export function miniSets(config: MiniConfig): MiniSets {
  const random = Random.from(config.seed).child("mini sets");
  const { evaluation, rl, sft } = config;
  const { training, larger, search } = worlds[config.size];
  // Held-out problems that choose the SFT endpoint are not the ones that judge it.
  const perPuzzle = sft.validationPerPuzzle + evaluation.heldOutPerPuzzle;
  const heldOut = puzzleSet({ set: "held-out puzzles", sizes: training, split: "test", perPuzzle, random });
  const validation = miniaturePuzzles.length * sft.validationPerPuzzle;
  return {
    validation: heldOut.slice(0, validation),
    heldOut: heldOut.slice(validation),
    training: puzzleSet({
      set: "training",
      sizes: training,
      split: "train",
      perPuzzle: Math.ceil((rl.steps * rl.problemsPerStep) / miniaturePuzzles.length),
      random,
    }),
    search: puzzleSet({
      set: "puzzles that need search",
      sizes: search,
      split: "test",
      perPuzzle: evaluation.searchPerPuzzle,
      random,
      accept: (puzzle, instance) => needsSearch(puzzle, instance, random.child("needs search")),
      patience: 1_500,
    }),
    larger: puzzleSet({
      set: "larger puzzles",
      sizes: larger,
      split: "test",
      perPuzzle: evaluation.largerPerPuzzle,
      random,
    }),
    mathematics: syntheticTestSet(evaluation.mathematics, random.child("mathematics")).map((problem) => ({
      ...problem,
      prompt: mathematicsPrompt(problem.prompt),
    })),
  };
}

/** The SFT corpus: narrated, verified, and what was rejected on the way. */
export function miniCorpus(
  { seed, size, corpus }: MiniConfig,
  tokenizer: Tokenizer,
  onTrace: () => void,
): { readonly traces: TeacherTrace[]; readonly counts: RejectionCounts } {
  const traces: TeacherTrace[] = [];
  const counts = noRejections();
  const { training, maxTokens } = worlds[size];
  const attempts = narratedTraces({
    sets: Object.entries(training).map(([name, params]) => ({ ...worldOf(name, params), weight: 1 })),
    narration: {
      style: "terse",
      guessing: corpus.guessing,
      errorRate: corpus.errorRate,
      repertoire: "full",
      maxSteps: 120,
    },
    maxTokens,
    countTokens: (text) => tokenizer.encode(text).length,
    random: Random.from(seed).child("corpus"),
    tracesPerPuzzle: 2,
  });
  for (const attempt of attempts) {
    if ("rejected" in attempt) counts[attempt.rejected] += 1;
    else {
      traces.push(attempt.kept);
      counts.kept += 1;
      onTrace();
    }
    if (traces.length === corpus.traces) break;
  }
  return { traces, counts };
}

/** Puzzles need nothing that would have to be closed. */
const graders = new ProblemGraders();

export const prompted = (tokenizer: Tokenizer, problem: PuzzleProblem): PromptedProblem =>
  promptedProblem(problem, tokenizer.encode(problem.prompt), graders);
