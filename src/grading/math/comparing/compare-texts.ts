// Answers in words: letters of a choice, names, "odd", "no solution".

import { spelledWord } from "../expressions/expression.ts";
import { renderedValue } from "../expressions/render.ts";
import type { NamedSet, Value } from "../expressions/value.ts";
import { different, type Equivalence, equal, undecided } from "./comparison.ts";

/** Words without case, punctuation at the ends, brackets around a letter, and spacing. */
export function plainWords(text: string): string {
  const words = text
    .normalize("NFKC")
    .replace(/\\(?:text|textbf|textit|textrm|mathrm|mbox|operatorname)\s*\{([^{}]*)\}/g, "$1")
    .replace(/\\[,;:! ]|\\(?:quad|qquad)|[$*"'`~_{}\\]/g, " ")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/^[\s.,;:!?()[\]]+|[\s.,;:!?()[\]]+$/g, "");
  return sayings.get(words) ?? words;
}

const sayings = new Map(
  [
    ["no solution", "no solutions", "no real solution", "no real solutions", "empty set", "∅", "the empty set", "无解"],
    ["does not exist", "dne", "doesn t exist", "it does not exist", "不存在"],
    ["infinitely many", "infinitely many solutions", "infinite", "infinite solutions"],
    ["all real numbers", "all reals", "ℝ", "the set of all real numbers"],
    ["all positive integers", "all natural numbers"],
    ["yes", "是"],
    ["no", "否"],
    ["true", "正确"],
    ["false", "错误"],
  ].flatMap(([first, ...same]) => same.map((words) => [words, first] as const)),
);

const known = new Set(sayings.values());
const sayingsOf = (...texts: readonly string[]): number => texts.filter((text) => known.has(text)).length;

const setWords: Readonly<Record<NamedSet, string>> = {
  empty: "no solution",
  reals: "all real numbers",
  integers: "all integers",
  naturals: "all positive integers",
  rationals: "all rational numbers",
  complexes: "all complex numbers",
};

/** The set that words name: "all real numbers" is the whole line. */
export function setNamed(value: Value): Value | undefined {
  if (value.kind !== "text" || plainWords(value.text) !== setWords.reals) return undefined;
  return { kind: "named-set", name: "reals" };
}

/** What a value says in words, if it does. */
export function wordsOf(value: Value): string | undefined {
  switch (value.kind) {
    case "text":
      return plainWords(value.text);
    case "expression": {
      if (value.expression.kind === "constant" && value.expression.name === "infinity") return "infinitely many";
      const word = spelledWord(value.expression);
      return word === undefined ? undefined : plainWords(word + (value.unit === undefined ? "" : ` ${value.unit}`));
    }
    case "named-set":
      return setWords[value.name];
    default:
      return undefined;
  }
}

export function compareTexts(gold: Value, prediction: Value): Equivalence {
  const [a, b] = [wordsOf(gold), wordsOf(prediction)];
  if (a === undefined || b === undefined)
    return different(`${a === undefined ? "the prediction" : "the gold answer"} is words, the other is not`);
  if (a === b) return equal("the same words");
  const because = `${renderedValue(gold)} and ${renderedValue(prediction)} are different words`;
  // "red" is not "blue"; what sentences have in common nobody can say by looking at their words.
  return [a, b].some((words) => words.includes(" ")) && sayingsOf(a, b) < 2 ? undecided(because) : different(because);
}
