// What the miniature's base model reads before any post-training. It has two modes: with a tag in front of the prompt it
// reads problems reasoned aloud, without it bare answers. Besides, drills: one operation on one line of a board.
import type { Random } from "../base/random.ts";
import type { SyntheticProblem } from "../problems/synthetic/index.ts";
import { isDecided, only, optionsOf, type Possible, unionOf, valuesOf } from "../puzzles/constraint-model.ts";
import type { AnyPuzzle } from "../puzzles/puzzle.ts";
import { type NarrationOptions, narrate, tersePrompt, terseResponse } from "./narrator.ts";
import { type MathematicsStyle, reasonedMathematics } from "./reasoned-mathematics.ts";
import { openings, spaced } from "./terse-language.ts";

export type Lesson = { readonly prompt: string; readonly response: string };

/** The word in front of a prompt that asks for reasoning. Post-training and evaluation never use it. */
export const thinkTag = "think";

export const tagged = ({ prompt, response }: Lesson): Lesson => ({ prompt: `${thinkTag} ${prompt}`, response });

const responseOf = (lines: readonly string[], answer: string) =>
  spaced(`<reasoning>\n${lines.map((line) => `${line}\n`).join("")}</reasoning>\n<answer>\n${answer}\n</answer>`);

export const mathematicsPrompt = (question: string): string => spaced(`${question}\n`);

export function reasonedMathematicsLesson(problem: SyntheticProblem, style: MathematicsStyle, random: Random): Lesson {
  const { lines, answer } = reasonedMathematics(problem, style, random);
  return { prompt: mathematicsPrompt(problem.question), response: responseOf(lines, answer) };
}

export const bareMathematicsLesson = ({ question, answer }: SyntheticProblem): Lesson => ({
  prompt: mathematicsPrompt(question),
  response: responseOf([], answer),
});

/** A puzzle thought through, or nothing where the teacher gives up. */
export function reasonedPuzzleLesson(
  puzzle: AnyPuzzle,
  instance: unknown,
  options: Pick<NarrationOptions, "guessing" | "errorRate" | "repertoire" | "random">,
): Lesson | undefined {
  const trace = narrate(puzzle.name, instance, { style: "terse", maxSteps: 80, ...options });
  if (trace.answer === undefined) return undefined;
  return { prompt: tersePrompt(puzzle.name, instance), response: terseResponse(trace) };
}

/** A puzzle with an answer and no reasoning; the answer may be that of another board. */
export const barePuzzleLesson = (puzzle: AnyPuzzle, instance: unknown, answer: string): Lesson => ({
  prompt: tersePrompt(puzzle.name, instance),
  response: responseOf([], answer),
});

/**
 * One operation on one constraint of a puzzle in a random state: what the line forces, or whether it can still hold. The
 * state is drawn by deciding unknowns at random, so that impossible lines occur and are called bad.
 */
export function drillFor(puzzle: AnyPuzzle, instance: unknown, random: Random): Lesson | undefined {
  const model = puzzle.constraints(instance);
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
