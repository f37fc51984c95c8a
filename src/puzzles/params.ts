// What kind of puzzle is wanted, as people say it: a size and a level by name, the same words for every puzzle.
import { ConfigurationError } from "../base/errors.ts";
import type { AnyPuzzle, PuzzleParams } from "./puzzle.ts";

/** Words that mean the same level where a puzzle calls it otherwise; and what is meant where it has no such level. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  easy: ["easy", "normal"],
  medium: ["medium", "normal"],
  normal: ["normal", "medium"],
  hard: ["hard", "tricky", "unreasonable"],
  tricky: ["tricky", "hard", "unreasonable"],
  unreasonable: ["unreasonable"],
};

const anyDifficulty = "any";

/** `7x7` and `easy`. The size may be full parameters too, which a named level overrides. */
export function paramsFor(puzzle: AnyPuzzle, size: string, difficulty?: string): PuzzleParams {
  const params: PuzzleParams = puzzle.readParams(size);
  if (difficulty === undefined) return params;
  const { difficulty: _, ...rest } = params;
  if (difficulty === anyDifficulty) return rest;
  const named = [difficulty, ...(synonyms[difficulty] ?? [])].find((name) => puzzle.difficulties.includes(name));
  if (named === undefined) {
    throw new ConfigurationError(
      `${puzzle.name} has no difficulty ${JSON.stringify(difficulty)}; expected one of: ${puzzle.difficulties.join(", ")}, ${anyDifficulty}`,
    );
  }
  return { ...rest, difficulty: named };
}
