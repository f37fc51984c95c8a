// What the miniature's base model is made of before any puzzle post-training: synthetic mathematics solved in direct
// style, elementary operations on boards (copy a line and fill what it forces, hold a line against its clue), and, where
// asked for, puzzles solved by deduction alone. It never plans, enumerates, guesses or goes back.
import type { Random } from "../base/random.ts";
import { syntheticProblems } from "../problems/synthetic/index.ts";
import {
  type ConstraintModel,
  isDecided,
  only,
  optionsOf,
  type Possible,
  unionOf,
  valuesOf,
} from "../puzzles/constraint-model.ts";
import type { AnyPuzzle } from "../puzzles/puzzle.ts";
import { narrate, tersePrompt, terseResponse } from "./narrator.ts";
import { openings, spaced } from "./terse-language.ts";

export type Lesson = { readonly prompt: string; readonly response: string };

const responseOf = (lines: readonly string[], answer: string) =>
  spaced(`<reasoning>\n${lines.join("\n")}\n</reasoning>\n<answer>\n${answer}\n</answer>`);

/** Mathematics, worked forwards, with a check of the last line half of the time. */
export function* mathematicsLessons(random: Random): Generator<Lesson> {
  for (const { question, work, answer } of syntheticProblems("train", random.child("problems"))) {
    yield {
      prompt: spaced(`${question}\n`),
      response: responseOf(
        work.map((line) => `${openings.compute} ${line}`),
        answer,
      ),
    };
  }
}

/**
 * One operation on one constraint of a puzzle in a random state: what the line forces, or whether it can still hold. The
 * state is drawn by deciding unknowns at random, so that impossible lines occur and are called bad.
 */
export function lineDrill(model: ConstraintModel, random: Random): Lesson | undefined {
  const listed = model.constraints.filter((candidate) => candidate.narrow === undefined);
  if (listed.length === 0) return undefined;
  const constraint = random.pick(listed);
  const possible = [...model.start];
  const decided = random.uniform();
  for (const unknown of constraint.scope) {
    if (random.chance(decided)) possible[unknown] = only(random.pick(valuesOf(possible[unknown])));
  }
  const before = constraint.scope.map((unknown) => possible[unknown]);
  const options = optionsOf(constraint, possible, [], 5_000);
  const called = `${constraint.name} ${constraint.clue} :`;
  const shown = constraint.show(before);
  const checking = before.every(isDecided) || options.length === 0;
  const after: Possible[] = options.length === 0 ? before : unionOf(constraint.scope, options);
  const line = checking
    ? `${openings.check} ${called} ${shown} ${options.length > 0 ? "ok" : "bad"}`
    : `${openings.compute} ${called} ${shown} > ${constraint.show(after)}`;
  return {
    prompt: spaced(`drill ${model.puzzle}\n${called} ${shown}\n`),
    response: spaced(`<reasoning>\n${line}\n</reasoning>`),
  };
}

/** A puzzle solved by deduction alone, or nothing where that does not reach the end. */
export function directLesson(puzzle: AnyPuzzle, instance: unknown, random: Random): Lesson | undefined {
  const told = narrate(puzzle.name, instance, {
    style: "terse",
    guessing: 0,
    slips: 0,
    repertoire: "direct",
    maxSteps: 80,
    random,
  });
  if (told.answer === undefined) return undefined;
  return { prompt: tersePrompt(puzzle.name, instance), response: terseResponse(told) };
}

export const drillFor = (puzzle: AnyPuzzle, instance: unknown, random: Random): Lesson | undefined =>
  lineDrill(puzzle.constraints(instance), random);
