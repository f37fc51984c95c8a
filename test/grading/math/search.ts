// A search for answers that are paid for though they are wrong, and for right ones that are not: golds changed in one place by
// every kind of slip, and golds rewritten in ways that change nothing. Deterministic; `size` says how far it looks.
import { Random } from "../../../src/base/random.ts";
import { gradeMath } from "../../../src/grading/math/index.ts";
import { secondOpinion } from "./second-opinion.ts";

type Change = (text: string, random: Random) => string | undefined;

/** One match of a pattern, chosen at random and replaced. */
function once(text: string, pattern: RegExp, random: Random, by: (found: string) => string): string | undefined {
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return undefined;
  const { 0: whole, index } = found[random.below(found.length)];
  return text.slice(0, index) + by(whole) + text.slice(index + whole.length);
}

const pick = <T>(items: readonly T[], random: Random): T => items[random.below(items.length)];

function swapped(text: string, random: Random): string | undefined {
  const inner = /^([([]|\\\{|)(.*?)([)\]]|\\\}|)$/s.exec(text);
  const items = inner === null || /[()[\]{}]/.test(inner[2]) ? [] : inner[2].split(",");
  if (items.length < 2) return undefined;
  const at = random.below(items.length - 1);
  [items[at], items[at + 1]] = [items[at + 1], items[at]];
  return `${inner![1]}${items.join(",")}${inner![3]}`;
}

const number = /(?<![\w.\\])(?!0(?!\d)|1(?!\d))\d+(?:\.\d+)?(?![\w.])/g;

/** What is written wrongly, one place at a time. */
export const slips: Readonly<Record<string, Change>> = {
  digit: (text, random) => once(text, /\d/g, random, (d) => `${(Number(d) + 1 + random.below(9)) % 10}`),
  "digit lost": (text, random) => once(text, /\d(?=\d)/g, random, () => ""),
  "digit more": (text, random) => once(text, /(?<!\\(?:sqrt|frac)\d?)\d/g, random, (d) => `${d}${random.below(10)}`),
  point: (text, random) => once(text, /(?<=\d)(?=\d)/g, random, () => "."),
  sign: (text, random) =>
    once(text, /(?<![\w}).])-|(?<![\w}).^-])(?=\d)/g, random, (found) => (found === "-" ? "" : "-")),
  "sign within": (text, random) => once(text, /(?<=[\w}) ])[-+](?=[\w\\( ])/g, random, (s) => (s === "-" ? "+" : "-")),
  exponent: (text, random) => once(text, /(?<=\^\{?)\d/g, random, (d) => `${(Number(d) + 1 + random.below(8)) % 10}`),
  "exponent more": (text, random) =>
    once(text, /(?<=[a-z2-8])(?=$|[ ,+)\]-])/g, random, () => `^{${2 + random.below(3)}}`),
  index: (text, random) => once(text, /(?<=_\{?)\w/g, random, (d) => (d === "1" ? "2" : "1")),
  letter: (text, random) => once(text, /(?<![a-zA-Z\\{])[a-z](?![a-zA-Z])/g, random, (c) => (c === "k" ? "p" : "k")),
  accent: (text, random) =>
    once(
      text,
      /(?<![a-zA-Z\\|])[a-df-hj-z](?![a-zA-Z|])/g,
      random,
      (c) => `\\${pick(["vec", "dot", "bar", "hat"], random)}{${c}}`,
    ),
  root: (text, random) => once(text, /\\sqrt/g, random, () => ""),
  "root more": (text, random) => once(text, number, random, (n) => `\\sqrt{${n}}`),
  fraction: (text, random) =>
    once(text, /\\frac\{([^{}]*)\}\{([^{}]*)\}/g, random, (f) => f.replace(/\\frac\{(.*)\}\{(.*)\}/, "\\frac{$2}{$1}")),
  "bracket of an end": (text, random) =>
    once(text, /^[[(]|[\])]$/g, random, (b) => ({ "[": "(", "(": "[", "]": ")", ")": "]" })[b] ?? b),
  relation: (text, random) =>
    once(text, /\\(?:le|ge|leq|geq|ne|neq)(?![a-zA-Z])|[<>=]/g, random, (r) => {
      const others = ["<", ">", "\\le ", "\\ge ", "=", "\\ne "].filter(
        (other) => other.trim() !== r.replace("eq", "e").replace("nee", "ne"),
      );
      return ` ${pick(others, random)} `;
    }),
  order: swapped,
  "item lost": (text, random) => once(text, /,[^,()[\]{}]*$/g, random, () => ""),
  "item more": (text, random) => (/[)\]}]$/.test(text) ? undefined : `${text}, ${random.below(50)}`),
  "item twice": (text) => {
    const items = text.split(",");
    return items.length > 1 && !/[()[\]{}]/.test(text) ? [...items, items[0]].join(",") : undefined;
  },
  "word before": (text, random) =>
    /^-?(?:[2-9]|\d\d)/.test(text)
      ? `\\text{${pick(["negative ", "minus ", "half of ", "twice ", "the square root of ", "at least ", "more than ", "not ", "the cube of ", "one third of ", "multiples of "], random)}}${text}`
      : undefined,
  "word behind": (text, random) =>
    /(?:^|[^\d.])(?:[2-9]|[1-9]\d+)$/.test(text)
      ? `${text}\\text{ ${pick(["million", "thousand", "squared", "cubed", "dozen", "factorial", "or more", "or less", "hundredths", "percent", "halves", "billion", "to the fourth"], random)}}`
      : undefined,
  "plain word before": (text, random) =>
    /^(?:[2-9]|[1-9]\d+)$/.test(text)
      ? `${pick(["negative", "minus", "twice", "the square root of", "fewer than", "except"], random)} ${text}`
      : undefined,
  "plain word behind": (text, random) =>
    /^(?:[2-9]|[1-9]\d+)$/.test(text)
      ? `${text} ${pick(["million", "squared", "dozen", "or fewer", "percent", "tenths"], random)}`
      : undefined,
  percent: (text) => (/[1-9]$/.test(text) ? `${text}\\%` : undefined),
  unit: (text, random) =>
    once(text, /\b(?:cm|km|mm|kg|hours|minutes|dollars|cents|meters|feet)\b/g, random, (u) =>
      u === "kg" ? "mg" : u === "km" ? "cm" : "km",
    ),
  "power of a unit": (text, random) =>
    once(text, /(?<=\b(?:cm|m|km|ft|\})\^\{?)[23]/g, random, (d) => (d === "2" ? "3" : "2")),
  quantifier: (text, random) =>
    once(text, /\\(?:cup|cap)(?![a-zA-Z])|\\text\{ ?(?:and|or) ?\}/g, random, (q) =>
      q === "\\cup" ? "\\cap" : "\\cup",
    ),
  function: (text, random) =>
    once(text, /\\(?:sin|cos|tan|ln)(?![a-zA-Z])/g, random, (f) =>
      pick(
        ["\\sin", "\\cos", "\\tan", "\\ln"].filter((g) => g !== f),
        random,
      ),
    ),
  conjugate: (text, random) => once(text, /(?<![a-zA-Z\\])i(?![a-zA-Z])/g, random, () => "(-i)"),
};

export type Finding = {
  readonly slip: string;
  readonly gold: string;
  readonly answer: string;
  readonly because: string;
};

/** Changed golds that are graded equal although the second method does not say so. */
export function wronglyPaid(
  golds: readonly string[],
  size: number,
  seed: string,
): { readonly tried: number; readonly confirmed: number; readonly findings: Finding[] } {
  const random = Random.from(seed);
  const names = Object.keys(slips);
  const seen = new Set<string>();
  const findings: Finding[] = [];
  let [tried, confirmed] = [0, 0];
  for (let attempt = 0; tried < size && attempt < size * 40; attempt++) {
    const gold = pick(golds, random);
    const slip = pick(names, random);
    const answer = slips[slip](gold, random);
    if (answer === undefined || answer.trim() === gold.trim() || seen.has(`${gold}\n${answer}`)) continue;
    seen.add(`${gold}\n${answer}`);
    tried++;
    const { verdict, because } = gradeMath(gold, `\\boxed{${answer}}`);
    if (verdict !== "equal") continue;
    if (secondOpinion(gold, answer) === true) confirmed++;
    else findings.push({ slip, gold, answer, because });
  }
  return { tried, confirmed, findings };
}

/** Ways to say the same thing. */
export const rewrites: Readonly<Record<string, Change>> = {
  boxed: (text) => `\\boxed{${text}}`,
  formula: (text) => `Therefore the answer is $${text}$.`,
  display: (text) => `We conclude that\n\\[ ${text} \\]`,
  "final answer": (text) => `The final answer is $${text}$. I hope it is correct.`,
  chinese: (text) => `所以答案是 $${text}$。`,
  "answer tag": (text) => `<think>perhaps \\boxed{0}</think><answer>$${text}$</answer>`,
  "boxed after drafts": (text) =>
    `First \\boxed{-999}. That was too small, so much more work was needed, and in the end \\boxed{${text}}`,
  "check behind": (text) => `The final answer is $${text}$. (Check: $1+1=2$.)`,
  spacing: (text) => `\\boxed{\\,${text.replace(/(?<=[\w})])([-+=])(?=[\w\\(])/g, " $1 ")}\\;}`,
  "other fractions": (text) =>
    text.includes("\\frac") ? `\\boxed{${text.replaceAll("\\frac", "\\dfrac")}}` : undefined,
  "sized brackets": (text) =>
    /^[([].*[)\]]$/s.test(text) ? `\\boxed{\\left${text.slice(0, -1)}\\right${text.slice(-1)}}` : undefined,
  "a full stop": (text) => `\\boxed{${text}.}`,
  bold: (text) => `**Answer:** $${text}$`,
  "times one": (text) => (/^-?\d+$/.test(text) ? `\\boxed{1 \\cdot (${text})}` : undefined),
  "plus nothing": (text) => (/^-?\d+$/.test(text) ? `\\boxed{${text}+0}` : undefined),
  "as a fraction": (text) => (/^-?\d+$/.test(text) ? `\\boxed{\\frac{${2n * BigInt(text)}}{2}}` : undefined),
  "as a power": (text) => (/^\d+$/.test(text) ? `\\boxed{${text}^1}` : undefined),
  "a name": (text) => (/^-?\d+$/.test(text) ? `\\boxed{x = ${text}}` : undefined),
  "a unit": (text) => (/^\d+$/.test(text) ? `\\boxed{${text} \\text{ cm}}` : undefined),
  "in words": (text) => (/^-\d+$/.test(text) ? `The answer is negative ${text.slice(1)}.` : undefined),
  unicode: (text) =>
    /\\le(?![a-z])|\\pi/.test(text)
      ? `\\boxed{${text.replace(/\\le(?![a-z])/g, "≤").replaceAll("\\pi", "π")}}`
      : undefined,
};

/** Rewritten golds that are not graded equal. */
export function wronglyRefused(
  golds: readonly string[],
  size: number,
  seed: string,
): { readonly tried: number; readonly findings: Finding[] } {
  const random = Random.from(seed);
  const names = Object.keys(rewrites);
  const seen = new Set<string>();
  const findings: Finding[] = [];
  let tried = 0;
  for (let attempt = 0; tried < size && attempt < size * 40; attempt++) {
    const gold = pick(golds, random);
    const slip = pick(names, random);
    const answer = rewrites[slip](gold, random);
    // Spaces inside 1e-5 and words set as formulas are changes.
    if (/\de-?\d/.test(gold) && slip === "spacing") continue;
    if (answer === undefined || seen.has(`${gold}\n${answer}`)) continue;
    seen.add(`${gold}\n${answer}`);
    tried++;
    const { verdict, because } = gradeMath(gold, answer);
    if (verdict !== "equal") findings.push({ slip, gold, answer, because });
  }
  return { tried, findings };
}

/** What the search has found and a person has found right, with the reason. The second method cannot read it. */
const reviewed: readonly (readonly [gold: RegExp, answer: RegExp, reason: string])[] = [
  [
    /^[a-z] ?(?:[<>]|\\[lg]eq?)|\\text\{ or \}/,
    /[a-z]\^\{[234]\} ?(?:[<>]|\\[lg]eq?) ?-?1$/,
    "x³ < 1 where x < 1, and a⁴ ≥ 1 where |a| ≥ 1",
  ],
  [/^\(-1\)\^n$/, /^\(-1\)\^n\^\{\d\}$/, "a power of n is odd where n is"],
  [/\\pmod/, /\\pmod/, "residues are the same modulo the modulus; what they are of is compared by name"],
  [/^9\\sqrt\{1\}$/, /^9\{1\}$/, "√1 is 1"],
  [/\\cos|\||\\left\||\\sinh 0/, /-|\||\\sinh/, "cosine and size are even, sinh 0 is 0"],
  [/^\(?D\) Alina|^\\text\{\(C\)\}/, /^\(?D\)|^\\text\{\(C\)\}/, "where both name a choice, the letter decides"],
  [/2$/, /2\\text\{ factorial\}$/, "2! is 2"],
  [/5.*2/, /binom\{5\}\{3\}|C\(5,3\)|C_3$/, "choosing two of five leaves three"],
  [/5\}?C_2$/, /5\}?C_21$/, "an index of one digit, times 1, as TeX reads it"],
  [/^\\(?:cos|sin|tan) \d+\^\\circ$/, /^\\(?:cos|sin|tan) \d+\^\\circ$/, "a whole number of turns more"],
  [/x\\ge0 /, /x\\ge00 /, "noughts that change nothing"],
  [/^\\\{1, 1, 2\\\}$/, /^\\\{2, 1, 2\\\}$/, "a set holds its elements once"],
  [/^12\.5\\%$|^0\.\\overline\{9\}$/, /^12\.50\\%$|^00\.\\overline\{9\}$/, "noughts that change nothing"],
  [/f\(x\)=0/, /f\(k\)=0|f\(x\)=x\^2, 0$/, "the function that is nought everywhere, whatever its variable"],
  [/^all real numbers except 3$/, /^all real numbers except 3, 3$/, "a set holds its elements once"],
];

export const trulyEqual = (gold: string, answer: string): boolean =>
  reviewed.some(([one, other]) => one.test(gold) && other.test(answer));
