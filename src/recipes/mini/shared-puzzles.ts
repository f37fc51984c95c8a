// Puzzles where SFT and RL share the train side, as small worlds must: every kind in turn, small worlds listed whole so that
// each board is as likely as any other.
import { ConfigurationError } from "../../base/errors.ts";
import { Random } from "../../base/random.ts";
import type { PaperSets } from "../../problems/paper-sets.ts";
import type { PuzzleProblem } from "../../problems/problem.ts";
import { boardOf } from "../../problems/puzzle-problems.ts";
import type { RecipeSettings } from "../settings.ts";
import { type MiniatureSizes, miniaturePuzzles, needsSearch, puzzleSet } from "./world.ts";

/** Teaching draws for itself, until it has kept enough. */
export function sharedPuzzles(settings: RecipeSettings): PaperSets {
  const { seed, puzzles, sft, evaluation } = settings;
  const random = Random.from(seed).child("mini sets");
  const training = sizesOf("puzzles.training", puzzles.training);
  // Held-out problems that choose the SFT endpoint are not the ones that judge it.
  const perPuzzle = sft.validationPerPuzzle + evaluation.heldOutPerPuzzle;
  const heldOut = puzzleSet({ set: "held-out puzzles", sizes: training, split: "test", perPuzzle, random });
  const validation = Object.keys(training).length * sft.validationPerPuzzle;
  // Levels of one size overlap.
  const taken = new Set(heldOut.map(boardOf));
  return {
    teaching: [],
    validation: heldOut.slice(0, validation),
    heldOut: heldOut.slice(validation),
    training: trainingPuzzles(settings, random),
    search: puzzleSet({
      set: "puzzles that need search",
      sizes: sizesOf("puzzles.search", puzzles.search),
      split: "test",
      perPuzzle: evaluation.searchPerPuzzle,
      random,
      accept: (puzzle, instance) =>
        needsSearch(puzzle, instance, random.child("needs search")) &&
        !taken.has(boardOf({ puzzle: puzzle.name, instance: puzzle.writeId(instance) })),
      patience: 1_500,
    }),
    larger: puzzleSet({
      set: "larger puzzles",
      sizes: sizesOf("puzzles.larger", puzzles.larger),
      split: "test",
      perPuzzle: evaluation.largerPerPuzzle,
      random,
    }),
  };
}

/** All as they come; or, of those that deduction solves, with a share evenly among them that it does not solve. */
function trainingPuzzles({ puzzles, rl }: RecipeSettings, random: Random): PuzzleProblem[] {
  const { searchShare } = puzzles;
  const wanted = rl.steps * rl.problemsPerStep;
  const drawn = (set: string, sizes: MiniatureSizes, count: number, hard?: boolean) =>
    puzzleSet({
      ...{ set, sizes, split: "train", perPuzzle: Math.ceil(count / Object.keys(sizes).length), random },
      accept:
        hard === undefined
          ? undefined
          : (puzzle, instance) => needsSearch(puzzle, instance, random.child("needs search")) === hard,
    });
  const sizes = sizesOf("puzzles.training", puzzles.training);
  if (searchShare === undefined) return drawn("training", sizes, wanted);
  const hard = Math.round(wanted * searchShare);
  const searching = hard === 0 ? [] : drawn("training, search", sizesOf("puzzles.search", puzzles.search), hard, true);
  const share = Math.min(hard, searching.length) / wanted;
  const deduced = drawn("training", sizes, wanted, false);
  const due = (place: number) => Math.floor(place * share + 1e-9);
  return Array.from({ length: wanted }, (_, i) =>
    due(i + 1) > due(i) ? searching[due(i)] : deduced[i - due(i)],
  ).filter((problem) => problem !== undefined);
}

function sizesOf(setting: string, worlds: readonly string[]): MiniatureSizes {
  const sizes: Record<string, string> = {};
  for (const world of worlds) {
    const [name, params] = world.split("=");
    const known: readonly string[] = miniaturePuzzles.map((puzzle) => puzzle.name);
    if (!known.includes(name) || name in sizes)
      throw new ConfigurationError(
        `${setting}: ${world}: with puzzles.stages=shared each of ${known.join(", ")} may have one size; set puzzles.stages=apart for others`,
      );
    sizes[name] = params;
  }
  return sizes;
}
