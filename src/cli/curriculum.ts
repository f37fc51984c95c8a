// `--curriculum <file>`: the levels of a run, and the train puzzles of each kind as the run asks for them.
import { readFileSync } from "node:fs";
import { z } from "zod";
import { ConfigurationError, messageOf } from "../base/errors.ts";
import type { Random } from "../base/random.ts";
import type { PuzzleProblem } from "../problems/problem.ts";
import { puzzleProblemId } from "../problems/problem-id.ts";
import { readWeightedKind } from "../puzzles/mix.ts";
import { puzzlePrompt } from "../puzzles/prompt.ts";
import { GenerationError } from "../puzzles/puzzle.ts";
import { type SplitPuzzle, splitPuzzles } from "../puzzles/splits.ts";
import type { PromptedProblem } from "../rollouts/collect.ts";
import { type Curriculum, curriculumSchema } from "../training/curriculum.ts";
import type { Lessons } from "../training/lessons.ts";

export function readCurriculum(file: string): Curriculum {
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new ConfigurationError(`--curriculum ${file}: ${messageOf(error)}`);
  }
  const parsed = curriculumSchema.safeParse(given);
  if (!parsed.success) throw new ConfigurationError(`--curriculum ${file}: ${z.prettifyError(parsed.error)}`);
  for (const kind of parsed.data.levels.flat()) readWeightedKind(kind);
  return parsed.data;
}

export function lessonsOf(
  curriculum: Curriculum,
  random: Random,
  prompted: (problem: PuzzleProblem) => PromptedProblem,
): Lessons {
  const kept = new Map<string, { readonly found: SplitPuzzle[]; readonly more: Generator<SplitPuzzle> }>();
  return {
    curriculum,
    problem: (text, place) => {
      const kind = readWeightedKind(text);
      let puzzles = kept.get(kind.text);
      if (puzzles === undefined) {
        puzzles = { found: [], more: splitPuzzles({ ...kind, split: "train", random: random.child(kind.text) }) };
        kept.set(kind.text, puzzles);
      }
      const { puzzle } = kind;
      const made = upTo(puzzles, place);
      return prompted({
        kind: "puzzle",
        id: puzzleProblemId(puzzle.name, made.id),
        set: kind.text,
        prompt: puzzlePrompt(puzzle, made.instance),
        puzzle: puzzle.name,
        instance: made.id,
        difficulty: made.difficulty,
      });
    },
  };
}

/** A world that is smaller than the run begins again: a level may last longer than its puzzles. */
function upTo(
  { found, more }: { readonly found: SplitPuzzle[]; readonly more: Generator<SplitPuzzle> },
  place: number,
): SplitPuzzle {
  try {
    while (found.length <= place) {
      const next = more.next();
      if (next.done) break;
      found.push(next.value);
    }
  } catch (error) {
    if (!(error instanceof GenerationError) || found.length === 0) throw error;
  }
  return found[place % found.length];
}
