// Everything the paper's experiment asks: puzzles to teach and to train on, held-out ones that choose the SFT epoch, and
// what every policy is judged by.
import { ConfigurationError } from "../../base/errors.ts";
import { Random } from "../../base/random.ts";
import type { HubOptions } from "../../problems/benchmarks/hub.ts";
import { loadBenchmark } from "../../problems/benchmarks/load.ts";
import type { Problem, PuzzleProblem } from "../../problems/problem.ts";
import { subset } from "../../problems/subset.ts";
import { puzzleNamed } from "../../puzzles/catalog.ts";
import { puzzlePrompt } from "../../puzzles/prompt.ts";
import { GenerationError } from "../../puzzles/puzzle.ts";
import { type SplitName, splitPuzzles } from "../../puzzles/splits.ts";
import { combinedBenchmarks, type PaperSettings } from "./settings.ts";

export type PaperSets = {
  readonly teaching: readonly PuzzleProblem[];
  readonly training: readonly PuzzleProblem[];
  /** On these the best SFT epoch is chosen. */
  readonly choosing: readonly PuzzleProblem[];
  readonly heldOut: readonly PuzzleProblem[];
  readonly larger: readonly PuzzleProblem[];
};

export function paperPuzzles({ seed, puzzles, corpus, rl, sft, evaluation }: PaperSettings): PaperSets {
  const random = Random.from(seed).child("paper sets");
  // Held-out puzzles that choose the SFT endpoint are not the ones that judge it.
  const heldOut = puzzles.training.map((world) => {
    const own = drawn(
      world,
      "test",
      sft.heldOutPerPuzzle + evaluation.heldOutPerPuzzle,
      random.child("held out", world),
    );
    // A small world gives half of its few to each.
    const first = Math.min(sft.heldOutPerPuzzle, Math.floor(own.length / 2));
    return { choosing: own.slice(0, first), judging: own.slice(first, first + evaluation.heldOutPerPuzzle) };
  });
  return {
    teaching: balanced(puzzles.training, corpus.puzzles, random.child("teaching")),
    training: balanced(puzzles.training, rl.steps * rl.problemsPerStep, random.child("training")),
    choosing: inTurn(heldOut.map(({ choosing }) => choosing)),
    heldOut: heldOut.flatMap(({ judging }) => judging),
    larger: puzzles.larger.flatMap((world) =>
      drawn(world, "test", evaluation.largerPerPuzzle, random.child("larger", world)),
    ),
  };
}

/** Benchmarks in the order of the settings; files of a folder, or the hub. */
export async function paperBenchmarks(
  { seed, evaluation }: PaperSettings,
  from: { readonly hub: HubOptions; readonly folder?: string },
): Promise<readonly { readonly set: string; readonly problems: readonly Problem[] }[]> {
  const sets = [];
  for (const set of evaluation.benchmarks) {
    const parts = [];
    for (const name of combinedBenchmarks[set] ?? [set]) parts.push(...(await loadBenchmark(name, from)).problems);
    const chosen =
      set.startsWith("omega-") && parts.length > evaluation.omegaProblems
        ? subset(parts, evaluation.omegaProblems, seed)
        : parts;
    sets.push({ set, problems: chosen.map((problem) => ({ ...problem, set })) });
  }
  return sets;
}

/** As many as there are, up to `count`: a world may be smaller than what is asked of it. */
function drawn(world: string, split: SplitName, count: number, random: Random): PuzzleProblem[] {
  const [name, params] = world.split("=");
  const puzzle = puzzleNamed(name);
  const problems: PuzzleProblem[] = [];
  try {
    for (const made of splitPuzzles({ puzzle, params: puzzle.readParams(params), split, random })) {
      problems.push({
        kind: "puzzle",
        id: `${name}/${made.id}`,
        set: `${name} ${params}`,
        prompt: puzzlePrompt(puzzle, made.instance),
        puzzle: puzzle.name,
        instance: made.id,
        difficulty: made.difficulty,
      });
      if (problems.length === count) break;
    }
  } catch (error) {
    // The world is used up; with nothing at all the reason is worth hearing.
    if (!(error instanceof GenerationError) || problems.length === 0) throw error;
  }
  return problems;
}

/**
 * `count` train puzzles, every kind in turn. A kind whose world is used up gives what it has and the others the rest:
 * Galaxies 3x3 has 52 train puzzles up to symmetry, and no problem is used twice.
 */
function balanced(worlds: readonly string[], count: number, random: Random): PuzzleProblem[] {
  let wanted = Math.ceil(count / worlds.length);
  for (;;) {
    const lists = worlds.map((world) => drawn(world, "train", wanted, random.child(world)));
    const found = lists.reduce((sum, list) => sum + list.length, 0);
    if (found >= count) return inTurn(lists).slice(0, count);
    const open = lists.filter((list) => list.length === wanted).length;
    if (open === 0) {
      throw new ConfigurationError(
        `${worlds.join(", ")} hold ${found} different train puzzles and ${count} are needed; add puzzles or larger boards ` +
          "(puzzles.training), or take fewer steps",
      );
    }
    wanted += Math.ceil((count - found) / open);
  }
}

/** One of each in turn, so that every step sees every kind. */
function inTurn<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = lists.reduce((most, list) => Math.max(most, list.length), 0);
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
}
