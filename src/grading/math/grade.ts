// The mathematics grader: a gold answer and a response in, a verdict with its reason out. A pure function; how long it may
// take is bounded by the limits of its parts, and math-grader.ts adds a hard deadline where that is not enough.

import { plainWords, wordsOf } from "./comparing/compare-texts.ts";
import { compareValues } from "./comparing/compare-values.ts";
import { anyOf, type Comparison, different, equal, type Outcome, undecided } from "./comparing/comparison.ts";
import { Effort } from "./comparing/effort.ts";
import { renderedValue } from "./expressions/render.ts";
import { textValue, type Value } from "./expressions/value.ts";
import { type Candidate, candidatesOf } from "./extracting/candidates.ts";
import { boxesIn, formulasIn } from "./extracting/environments.ts";
import { looksLikeProse } from "./extracting/prose.ts";
import { type MathOptions, type MathOptionsInput, mathOptions } from "./options.ts";
import { readAnswer, readProse } from "./reading/read-answer.ts";

export type MathVerdict = {
  readonly verdict: Outcome;
  readonly because: string;
  /** What the gold answer was read as. */
  readonly gold: string;
  /** What the response's answer was read as; empty when there is none. */
  readonly prediction: string;
  /** The answer as it was written, and where it stood. */
  readonly answer: string;
  readonly source: Candidate["source"] | "none";
};

type Read = { readonly values: readonly Value[]; readonly text: string; readonly source: Candidate["source"] };
type Missing = { readonly missing: string; readonly text: string };

/** Whether the response's final answer is the gold answer. Never throws on any text. */
export function gradeMath(gold: string, response: string, options: MathOptionsInput = {}): MathVerdict {
  const chosen = mathOptions(options);
  const expected = goldAnswer(gold, chosen);
  const given = finalAnswer(response, withLetters(chosen, expected));
  const letterForLetter = gold.trim() !== "" && gold.trim() === response.trim();
  const comparison = letterForLetter ? equal("the same text") : compared(expected, given, chosen);
  return {
    verdict: comparison.outcome,
    because: comparison.because,
    gold: shown(expected),
    prediction: shown(given),
    answer: given.text,
    source: "values" in given ? given.source : "none",
  };
}

function compared(expected: Read | Missing, given: Read | Missing, options: MathOptions): Comparison {
  if ("values" in expected && "values" in given) {
    const terms = { options, effort: new Effort() };
    const pairs = expected.values.flatMap((a) => given.values.map((b) => () => compareValues(a, b, terms)));
    const result = anyOf(pairs);
    if (result.outcome === "equal" || !sameText(expected, given)) return result;
    return equal("the same text");
  }
  if (sameText(expected, given)) return equal("the same text");
  if (!("values" in expected)) return undecided(`the gold answer could not be read: ${expected.missing}`);
  if (given.text === "") return different((given as Missing).missing);
  return undecided(`the answer could not be read: ${(given as Missing).missing}`);
}

/** Letter for letter but for spaces; word for word where either is words. */
function sameText(expected: Read | Missing, given: Read | Missing): boolean {
  const [left, right] = [expected, given].map(({ text }) => text.replace(/\s+/g, ""));
  if (left === "") return false;
  if (left === right) return true;
  const words = [expected, given].some((answer) => !("values" in answer) || answer.values[0].kind === "text");
  if (!words || Math.max(left.length, right.length) > longestWords) return false;
  const [x, y] = [expected, given].map(({ text }) => plainWords(text));
  return x === y && /^[\p{L}\d\s.:,'-]*\p{L}[\p{L}\d\s.:,'-]*$/u.test(x);
}

const shown = (answer: Read | Missing): string =>
  "values" in answer ? renderedValue(answer.values[0]) : answer.text.slice(0, 400);

export type ExtractedAnswer = {
  /** As it was read: a plain form of the value, or the words. */
  readonly value: string;
  readonly text: string;
  readonly source: Candidate["source"];
};

/** The final answer of a response, without a gold answer to compare it with. */
export function extractAnswer(response: string, options: MathOptionsInput = {}): ExtractedAnswer | undefined {
  const chosen = mathOptions(options);
  const found = finalAnswer(response, chosen);
  if (!("values" in found)) return undefined;
  const { text, source } = found;
  const word = chosen.extraction.stringsInLowerCase ? text.toLowerCase() : text;
  return { value: source === "string" ? word : renderedValue(found.values[0]), text, source };
}

/** A gold answer is all answer unless it has boxes or formulas in it: then it is read like a response. */
function goldAnswer(gold: string, options: MathOptions): Read | Missing {
  const boxes = boxesIn(gold);
  const lastClosed = boxes.closed[boxes.closed.length - 1];
  if (boxes.unclosed !== undefined && boxes.unclosed.start > (lastClosed?.end ?? -1))
    return (
      readText(boxes.unclosed.content, "box", false, options) ?? { missing: "unreadable", text: boxes.unclosed.content }
    );
  if (boxes.closed.length === 0 && formulasIn(gold).spans.length === 0) {
    const text = gold.trim();
    if (text === "") return { missing: "it is empty", text };
    const read = readText(text, "whole text", true, options);
    return read ?? { missing: "it is not mathematics", text };
  }
  const relaxed = {
    ...options,
    extraction: {
      ...options.extraction,
      latex: true,
      plain: true,
      boxPriority: Math.max(0, options.extraction.boxPriority),
      unclosedBox: "earlier-box" as const,
    },
  };
  const found = finalAnswer(gold, relaxed);
  return "values" in found || found.text !== "" ? found : { ...found, text: gold.trim().slice(0, 1_000) };
}

/** The first candidate that can be read; else the first there is, as text. */
function finalAnswer(response: string, options: MathOptions): Read | Missing {
  const candidates = candidatesOf(response, options.extraction);
  if ("none" in candidates) return { missing: candidates.none, text: "" };
  let first: Candidate | undefined;
  let tried = 0;
  let unreadableBox: Candidate | undefined;
  for (const candidate of candidates.found) {
    first ??= candidate;
    // A box that makes no sense is not replaced by a number from inside it.
    if (unreadableBox !== undefined && candidate.start < unreadableBox.end && candidate.end > unreadableBox.start)
      continue;
    const read = readText(candidate.text, candidate.source, candidate.bare, options);
    if (read !== undefined) return read;
    if (candidate.source === "box") unreadableBox = candidate;
    if (++tried >= mostCandidates) break;
  }
  if (first === undefined) {
    const words = response.trim();
    // A short response without any mathematics is its own answer: "Saturday", "No solution."
    const { plain, unanchored } = options.extraction;
    if (words !== "" && words.length <= longestWords && plain && unanchored)
      return { values: [textValue(words), textValue(behindCopula(words))], text: words, source: "whole text" };
    return { missing: "the response holds no answer", text: "" };
  }
  return { missing: reasonUnreadable(first, options), text: first.text };
}

/** "It is Saturday." says Saturday. */
const behindCopula = (words: string): string => words.replace(/^.*\b(?:is|are|was|be)\b:?/s, "");

const mostCandidates = 40;
const longestWords = 200;

function reasonUnreadable(candidate: Candidate, options: MathOptions): string {
  const reading = readAnswer(candidate.text, { normalisation: options.normalisation, decimalComma: candidate.bare });
  return "unreadable" in reading ? reading.unreadable : "words";
}

function readText(written: string, source: Candidate["source"], bare: boolean, options: MathOptions): Read | undefined {
  const text = withoutBox(written.trim());
  const context = { normalisation: options.normalisation, decimalComma: bare };
  if (source === "string") return { values: [{ kind: "text", text }], text, source };
  const prose = looksLikeProse(text);
  // Words in a box are the answer; words between dollars are a price that opened a formula.
  if (prose && (source === "mathematics" || source === "answer" || source === "final answer")) return undefined;
  const reading = prose ? readProse(text, context) : readAnswer(text, context);
  return "values" in reading ? { values: reading.values, text, source } : undefined;
}

/** A formula that is nothing but a box is what the box holds. */
function withoutBox(text: string): string {
  if (!/^\\(?:boxed|fbox)\b/.test(text)) return text;
  const { closed } = boxesIn(text);
  const outer = closed[closed.length - 1];
  return outer !== undefined && outer.start === 0 && /^[\s.,]*$/.test(text.slice(outer.end))
    ? outer.content.trim()
    : text;
}

/** When the gold answer is a letter of a choice, letters in the prose are answers too; when it is words, words are. */
function withLetters(options: MathOptions, expected: Read | Missing): MathOptions {
  if (options.extraction.strings.length > 0 || !("values" in expected)) return options;
  if (expected.values.some((value) => choiceLetter(value) !== undefined))
    return { ...options, extraction: { ...options.extraction, strings: [..."ABCDEFGHIJ"] } };
  const words = expected.values.some((value) => (wordsOf(value)?.length ?? 0) > 1);
  return words ? { ...options, extraction: { ...options.extraction, words: true } } : options;
}

function choiceLetter(value: Value): string | undefined {
  const text =
    value.kind === "text"
      ? value.text
      : value.kind === "expression" && value.expression.kind === "symbol"
        ? value.expression.name
        : "";
  return /^\(?([A-J])\)?\.?$/.exec(text.trim())?.[1];
}
