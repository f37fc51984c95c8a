// `--curriculum <file>`: the levels of a run, and the train puzzles of each kind as the run asks for them.
import { readFileSync } from "node:fs";
import type { Random } from "../base/random.ts";
import type { PuzzleProblem } from "../problems/problem.ts";
import { puzzleProblem } from "../problems/puzzle-problems.ts";
import { readWeightedKind } from "../puzzles/mix.ts";
import { GenerationError } from "../puzzles/puzzle.ts";
import { type SplitPuzzle, splitPuzzles } from "../puzzles/splits.ts";
import type { PromptedProblem } from "../rollouts/collect.ts";
import { type Curriculum, curriculumSchema } from "../training/curriculum.ts";
import type { CurriculumSource } from "../training/curriculum-sampler.ts";
import { readJsonFlag } from "./arguments.ts";

export function readCurriculum(file: string): Curriculum {
  const read = () => JSON.parse(readFileSync(file, "utf8"));
  const curriculum = readJsonFlag(`--curriculum ${file}`, curriculumSchema, read);
  for (const kind of curriculum.levels.flat()) readWeightedKind(kind);
  return curriculum;
}

export function curriculumSource(
  curriculum: Curriculum,
  random: Random,
  prompted: (problem: PuzzleProblem) => PromptedProblem,
): CurriculumSource {
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
      return prompted(puzzleProblem(puzzle, made, kind.text));
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
