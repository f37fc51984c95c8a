// Our puzzles as problems to evaluate on: any kind, any size, from the held-out side of the split.
import type { Random } from "../base/random.ts";
import { puzzleNamed } from "../puzzles/catalog.ts";
import { type PromptStyle, puzzlePrompt } from "../puzzles/prompt.ts";
import { type AnyPuzzle, canonicalId } from "../puzzles/puzzle.ts";
import { type SplitName, type SplitPuzzle, splitPuzzles } from "../puzzles/splits.ts";
import type { PuzzleProblem } from "./problem.ts";
import { puzzleProblemId } from "./problem-id.ts";

export type PuzzleSet = {
  readonly puzzle: string;
  /** In Simon Tatham's notation. */
  readonly params: string;
  readonly count: number;
  readonly random: Random;
  readonly split?: SplitName;
  readonly prompt?: PromptStyle;
};

/** A puzzle that was drawn, as a problem of a set. */
export function puzzleProblem(
  puzzle: AnyPuzzle,
  made: SplitPuzzle,
  set: string,
  prompt = puzzlePrompt(puzzle, made.instance),
): PuzzleProblem {
  const { id: instance, difficulty } = made;
  const id = puzzleProblemId(puzzle.name, instance);
  return { kind: "puzzle", id, set, prompt, puzzle: puzzle.name, instance, difficulty };
}

/** The same for a board and its mirror images. */
export function boardOf({ puzzle: name, instance }: { readonly puzzle: string; readonly instance: string }): string {
  const puzzle = puzzleNamed(name);
  return `${name} ${canonicalId(puzzle, puzzle.readId(instance))}`;
}

export function puzzleProblems({
  puzzle: name,
  params,
  count,
  random,
  split = "test",
  prompt,
}: PuzzleSet): PuzzleProblem[] {
  const puzzle = puzzleNamed(name);
  const problems: PuzzleProblem[] = [];
  if (count === 0) return problems;
  for (const made of splitPuzzles({ puzzle, params: puzzle.readParams(params), split, random })) {
    problems.push(
      puzzleProblem(puzzle, made, `${name} ${params} ${split}`, puzzlePrompt(puzzle, made.instance, prompt)),
    );
    if (problems.length === count) break;
  }
  return problems;
}
