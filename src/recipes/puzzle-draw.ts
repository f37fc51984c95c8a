// Puzzles for training and teaching, by `bridges=7x7d0`: every kind in turn, none twice, and as many as there are where a
// world is smaller than what is asked of it.
import { ConfigurationError } from "../base/errors.ts";
import type { Random } from "../base/random.ts";
import type { PuzzleProblem } from "../problems/problem.ts";
import { puzzleProblemId } from "../problems/problem-id.ts";
import { puzzleNamed } from "../puzzles/catalog.ts";
import { puzzlePrompt } from "../puzzles/prompt.ts";
import { GenerationError } from "../puzzles/puzzle.ts";
import { type SplitName, splitPuzzles } from "../puzzles/splits.ts";

/** As many as there are, up to `count`: a world may be smaller than what is asked of it. */
export function drawnPuzzles(world: string, split: SplitName, count: number, random: Random): PuzzleProblem[] {
  const [name, params] = world.split("=");
  const puzzle = puzzleNamed(name);
  const problems: PuzzleProblem[] = [];
  try {
    for (const made of splitPuzzles({ puzzle, params: puzzle.readParams(params), split, random })) {
      problems.push({
        kind: "puzzle",
        id: puzzleProblemId(puzzle.name, made.id),
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
 * Galaxies 3x3 has 31 train puzzles up to symmetry, and no problem is used twice.
 */
export function balancedPuzzles(worlds: readonly string[], count: number, random: Random): PuzzleProblem[] {
  let wanted = Math.ceil(count / worlds.length);
  for (;;) {
    const lists = worlds.map((world) => drawnPuzzles(world, "train", wanted, random.child(world)));
    const found = lists.reduce((sum, list) => sum + list.length, 0);
    if (found >= count) return inTurn(lists).slice(0, count);
    const open = lists.filter((list) => list.length === wanted).length;
    if (open === 0) {
      throw new ConfigurationError(
        `${worlds.join(", ")} hold ${found} different train puzzles and ${count} are needed; add puzzles or larger boards, or ask for fewer`,
      );
    }
    wanted += Math.ceil((count - found) / open);
  }
}

/** One of each in turn, so that every step sees every kind. */
export function inTurn<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = lists.reduce((most, list) => Math.max(most, list.length), 0);
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
}
