// The mathematics grader: a gold answer and a response in, a verdict with its reason out. A pure function that never throws on
// any text and ends in time: every part of it has bounds of its own; math-grader.ts adds a deadline that kills.

import { compareAnswers } from "./comparing/compare-answers.ts";
import { wordsOf } from "./comparing/compare-texts.ts";
import { equal, type Outcome } from "./comparing/comparison.ts";
import { renderedValue } from "./expressions/render.ts";
import type { Value } from "./expressions/value.ts";
import { choiceLetter, choiceLetters } from "./extracting/choices.ts";
import { type Answer, type AnswerSource, finalAnswer, goldAnswer } from "./extracting/final-answer.ts";
import { type MathOptions, type MathOptionsInput, mathOptions } from "./options.ts";

export type MathVerdict = {
  readonly verdict: Outcome;
  readonly because: string;
  /** What the gold answer was read as. */
  readonly gold: string;
  /** What the response's answer was read as; empty when there is none. */
  readonly prediction: string;
  /** The answer as it was written, which kind of place it stood in, and where: offsets into the response. */
  readonly answer: string;
  readonly source: AnswerSource | "none";
  readonly at: readonly [start: number, end: number] | undefined;
};

/** Beyond this nobody has written an answer, and looking for one would take its time. */
export const longestResponse = 1_000_000;

/** Whether the response's final answer is the gold answer. Never throws, whatever the two are; an option that does not exist is an error. */
export function gradeMath(gold: string, response: string, options: MathOptionsInput = {}): MathVerdict {
  const chosen = mathOptions(options);
  for (const [name, text] of [
    ["gold answer", gold],
    ["response", response],
  ] as const) {
    // Callers without types hand over what they read: a number, or nothing.
    if (typeof text !== "string") return refused(`a ${name} that is no text`);
    if (text.length > longestResponse) return refused(`a ${name} of ${text.length} characters`);
  }
  return guarded(() => graded(gold, response, chosen)) ?? refused("nested deeper than can be followed");
}

function graded(gold: string, response: string, options: MathOptions): MathVerdict {
  const expected = goldAnswer(gold, options);
  const given = finalAnswer(response, withLetters(options, expected));
  const same = options.mode === "evaluation" && gold.trim() !== "" && gold.trim() === response.trim();
  const comparison = same ? equal("the same text") : compareAnswers(expected, given, options);
  return {
    verdict: comparison.outcome,
    because: comparison.because,
    gold: shown(expected),
    prediction: shown(given),
    answer: given.text,
    source: given.source ?? "none",
    at: given.at,
  };
}

/** The stack and the size of whole numbers are bounds of the machine; what passes them is no answer of ours. */
function guarded<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** No verdict, and nothing that was read. */
export const refused = (because: string): MathVerdict => ({
  verdict: "undecided",
  because,
  gold: "",
  prediction: "",
  answer: "",
  source: "none",
  at: undefined,
});

const shown = (answer: Answer): string =>
  "values" in answer ? renderedValue(answer.values[0]) : answer.text.slice(0, 400);

export type ExtractedAnswer = {
  /** As it was read: a plain form of the value, or the words. */
  readonly value: string;
  readonly text: string;
  readonly source: AnswerSource;
  readonly at: readonly [start: number, end: number] | undefined;
};

/** The final answer of a response, without a gold answer to compare it with. */
export function extractAnswer(response: string, options: MathOptionsInput = {}): ExtractedAnswer | undefined {
  const chosen = mathOptions(options);
  if (typeof response !== "string" || response.length > longestResponse) return undefined;
  const found = guarded(() => finalAnswer(response, chosen));
  if (found === undefined || !("values" in found)) return undefined;
  const { text, source, at } = found;
  return { value: source === "string" ? text : renderedValue(found.values[0]), text, source, at };
}

/** When the gold answer is a letter of a choice, letters in the prose are answers too; when it is words, words are. */
function withLetters(options: MathOptions, expected: Answer): MathOptions {
  const wanted = options.extraction.strings;
  if (wanted.length > 0 || !("values" in expected)) return options;
  const letters =
    options.choices !== undefined ||
    expected.label !== undefined ||
    expected.values.some((value: Value) => choiceLetter(value) !== undefined);
  if (letters) return { ...options, extraction: { ...options.extraction, strings: choiceLetters } };
  const words = expected.values.some((value: Value) => (wordsOf(value)?.length ?? 0) > 1);
  return words ? { ...options, extraction: { ...options.extraction, words: true } } : options;
}
