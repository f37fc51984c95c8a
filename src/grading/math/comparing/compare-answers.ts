// The gold answer against the answer that was found, each with all its readings: one pair that agrees is enough, unless both
// carry the letter of a choice, which then decides.
import type { Value } from "../expressions/value.ts";
import { choiceLetter } from "../extracting/choices.ts";
import { namesOnly } from "../extracting/covered.ts";
import type { Answer, ReadAnswer } from "../extracting/final-answer.ts";
import type { MathOptions } from "../options.ts";
import { sameMixed } from "./compare-mixed.ts";
import { plainWords } from "./compare-texts.ts";
import { compareValues } from "./compare-values.ts";
import { anyOf, different, type Equivalence, equal, undecided } from "./comparison.ts";
import { Effort } from "./effort.ts";
import { contradicts } from "./resolve.ts";

export function compareAnswers(expected: Answer, given: Answer, options: MathOptions): Equivalence {
  const result = compareRead(expected, given, options);
  if (result.outcome === "equal" || given.said === undefined || !isMixed(expected)) return result;
  if (options.mode === "reward" && ("withdrawn" in given || !given.stated)) return result;
  const terms = { options, effort: new Effort() };
  return sameMixed(expected.text, given.said, terms) ? equal("the same words and formulas") : result;
}

/** A gold answer in words, with formulas among them or without. */
const isMixed = (answer: Answer): boolean => !("values" in answer) || answer.values.some(isText);

function compareRead(expected: Answer, given: Answer, options: MathOptions): Equivalence {
  if (!("values" in given) && given.text === "") return different(given.missing);
  if ("withdrawn" in given) return undecided(given.missing);
  if (expected.text !== "" && expected.text === given.text) return equal("the same text");
  const open = options.mode === "reward" && "values" in given ? saidWithDoubt(expected, given) : undefined;
  if (open !== undefined) return undecided(open);
  if ("values" in expected && "values" in given) {
    const letters = compareLetters(expected, given);
    if (letters !== undefined) return letters;
    const terms = { options, effort: new Effort() };
    const compared = (gold: readonly Value[], prediction: readonly Value[]): Equivalence =>
      options.mode === "reward" && gold.filter(isMathematics).length === 1
        ? inEvery(prediction, (b) => anyOf(gold.map((a) => () => compareValues(a, b, terms))))
        : anyOf(gold.flatMap((a) => prediction.map((b) => () => compareValues(a, b, terms))));
    const first = compared(expected.values, given.values);
    const result =
      expected.doubt === undefined && given.doubt === undefined
        ? first
        : inBoth(first, compared(expected.doubt ?? expected.values, given.doubt ?? given.values));
    return result.outcome !== "equal" && sameText(expected, given) ? equal("the same text") : result;
  }
  if (sameText(expected, given)) return equal("the same text");
  if (!("values" in expected)) return undecided(`the gold answer could not be read: ${expected.missing}`);
  return undecided(`the answer could not be read: ${"missing" in given ? given.missing : "words"}`);
}

const remark =
  /\b(?:if|when|assuming|provided|unless|otherwise|since|because|given|such|as|is|are|at|with|for(?!\s+(?:all|any|every|each|integers?|real|positive)\b)|where(?!\W+(?:[a-z]\b|\\|$)))\b|\(\s*\p{L}{4}/iu;
const approximate = /^[\s$]*~|≈|\\approx|\\sim(?:eq)?(?![a-z])|\b(?:about|approximately|around|roughly)\b/i;
const congruent = /\bmod\b|\\equiv|[≡]/;
const led = /^\s*\\(?:text|textbf|mathrm)\s*\{([^{}]*)\}\s*\S/;

/** What a reward is not paid for though it reads as the value: x = 6 = 7, and what the gold answer does not say: "7 when n is odd", 7 (mod 10). */
function saidWithDoubt(expected: Answer, given: ReadAnswer): string | undefined {
  if (given.values.some(contradicts)) return "the sides of the equation are different numbers";
  if (expected.text.includes(given.text)) return undefined;
  if (/[?？]/.test(given.text)) return "a question";
  const words = given.text.replace(/\\(?:text|textbf|textrm|mathrm|mbox)\b|\\[a-zA-Z]+(?<!mod)/g, " ");
  const added = (pattern: RegExp, text = given.text) => pattern.test(text) && !pattern.test(expected.text);
  if (added(remark, words)) return "the answer comes with a remark that the gold answer does not have";
  if (added(approximate) && !/\d\.\d/.test(given.text)) return "a reward is paid for an exact answer";
  if (added(congruent, given.text.replace(/[pb]mod/, "mod")) && /^(?:residue|relation)$/.test(given.values[0].kind))
    return "a residue class where the gold answer is one number";
  const lead = led.exec(given.text)?.[1];
  return lead === undefined || namesOnly(lead) || expected.text.includes(lead.trim())
    ? undefined
    : `"${lead}" before the answer may make another of it`;
}

/** For a reward a text that can be read in two ways must be right in both, unless the gold answer is written like that, too. */
function inEvery(prediction: readonly Value[], compare: (value: Value) => Equivalence): Equivalence {
  const readings = prediction.map(compare);
  const right = readings.find(({ outcome }) => outcome === "equal");
  const open = readings.some(({ outcome }, index) => outcome !== "equal" && isMathematics(prediction[index]));
  if (right === undefined) return anyOf(readings.map((reading) => () => reading));
  return open && prediction.filter(isMathematics).length > 1
    ? undecided("the answer can be read in two ways, and only one of them is right")
    : right;
}

/** Two readings of which either may be meant: a verdict is what both come to. */
const inBoth = (digits: Equivalence, whole: Equivalence): Equivalence =>
  digits.outcome === whole.outcome ? digits : undecided("several digits without braces may be one number or two");

/** Where both say which choice is meant, nothing else counts: "(A) 5" is not "(B) 5". */
function compareLetters(expected: ReadAnswer, given: ReadAnswer): Equivalence | undefined {
  const label = expected.label;
  const letter = given.label ?? given.values.map(choiceLetter).find((found) => found !== undefined);
  if (label === undefined || letter === undefined) return undefined;
  return label === letter ? equal("the same choice") : different(`choice ${letter} instead of ${label}`);
}

const longestWords = 200;

/** Letter for letter but for spaces; word for word where either is words. */
function sameText(expected: Answer, given: Answer): boolean {
  // A space between two digits keeps them apart, also behind a comma: 1, 234 is no thousand.
  const [left, right] = [expected, given].map(({ text }) =>
    text.replace(/(?<=\d),\s+(?=\d)/g, ";").replace(/(?<!\d)\s+|\s+(?!\d)/g, ""),
  );
  if (left === "") return false;
  if (left === right) return true;
  const words = [expected, given].some((answer) => !("values" in answer) || isText(answer.values[0]));
  if (!words || Math.max(left.length, right.length) > longestWords) return false;
  const [x, y] = [expected, given].map(({ text }) => plainWords(text));
  return x === y && /^[\p{L}\d\s.:,'-]*\p{L}[\p{L}\d\s.:,'-]*$/u.test(x);
}

const isText = (value: Value): boolean => value.kind === "text";
const isMathematics = (value: Value): boolean => !isText(value);
