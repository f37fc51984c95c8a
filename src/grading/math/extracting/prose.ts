// Numbers and short expressions in ordinary sentences, and the test that tells a sentence from a formula.
import { reachOfWords } from "../reading/spoken.ts";
import { isUnitWord } from "../reading/units.ts";
import { functionNamed, greekLetters } from "../reading/vocabulary.ts";

export type PlainMatch = { readonly start: number; readonly end: number; readonly content: string };

// What may stand before a number for it to be a value of its own: not the 2 of "AZYUK2A", not the exponent of x^2.
const before = String.raw`(?<=^|[\s=:*"'(（\[,，。：、；$€£¥₹\u3040-\u30ff\u4e00-\u9fff])`;
const digits = String.raw`\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?: \d{3})+(?!\d)(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+`;
const currency = "[$€£¥₹]?";
const operand = String.raw`\(?-?\(?(?:${digits})\)?!?\)?`;
const operator = String.raw`\s*(?:[-+*×/^÷·−]|\*\*)\s*`;
const mixed = String.raw`-?\d+ \d+/\d+`;
const bracketed = String.raw`[(\[]\s*[-+−]?[\d.π√∞][-+−*/^\d\s.,;π√∞()]{0,200}[)\]]`;
const percent = String.raw`(?:\s*(?:%|percent(?:age)?\b|pct\b))?`;

const plainPattern = new RegExp(
  `${before}(?:${bracketed}|${mixed}|-?${operand}(?:${operator}${operand}){1,40}|${currency}[-−]?(?:${digits}))${percent}`,
  "giu",
);

/** Plain values between two positions, outside the spans that are mathematics already. */
export function* plainMatches(text: string, from: number, to: number): Generator<PlainMatch> {
  // A little more on both sides, so that the neighbors of a number at the edge are seen.
  const start = Math.max(0, from - 1);
  const window = text.slice(start, Math.min(text.length, to + 40));
  plainPattern.lastIndex = from - start;
  for (let found = plainPattern.exec(window); found !== null; found = plainPattern.exec(window)) {
    const at = start + found.index;
    if (at >= to) return;
    const resume = plainPattern.lastIndex;
    if (!gluedToWord(text, at + found[0].length)) yield withItsWords(text, at, at + found[0].length);
    plainPattern.lastIndex = resume;
  }
}

/** "negative 3" and "3 million" are found whole: the word is part of the value. */
function withItsWords(text: string, from: number, to: number): PlainMatch {
  const { start, end } = reachOfWords(text, from, to);
  return { start, end, content: text.slice(start, end).trim() };
}

/** "3x" and "2nd" are not the numbers 3 and 2; "100m²" and "5cm" are quantities. */
function gluedToWord(text: string, end: number): boolean {
  const run = /^[a-zA-Z]+/.exec(text.slice(end, end + 24))?.[0];
  if (run === undefined)
    return /^[\\^_]/.test(text.slice(end, end + 1)) && !/^\\[,;: )\]n]/.test(text.slice(end, end + 2));
  return !(isUnitWord(run) || /^(?:[mgshlL]|[ckm]m|m)$/.test(run));
}

/** The last plain value of a text; looks at longer and longer tails, so that it reads little of a long one. */
export function* plainMatchesFromEnd(text: string, covered: (start: number) => boolean): Generator<PlainMatch> {
  let to = text.length;
  for (let width = 2_000; to > 0; width *= 4) {
    let from = Math.max(0, to - width);
    // Not in the middle of a number or word.
    while (from > 0 && !/\s/.test(text[from])) from--;
    const found = [...plainMatches(text, from, to)].filter((match) => !covered(match.start));
    yield* found.reverse();
    to = from;
  }
}

/** "The length is 2\\sqrt{3}.": what follows the verb of the last sentence, when it is a formula and more than a number. */
export function closingFormula(text: string): PlainMatch | undefined {
  const tail = text.slice(-300);
  const found = /(?:\b(?:is|are|equals|get|be)\b|[:：=是为])\s*([^\s.:：=][^:：\n]*?)\s*[.。]?\s*$/i.exec(tail);
  if (found === null) return undefined;
  const content = found[1].replace(/^.*\b(?:is|are|equals|get)\b\s*/i, "");
  const algebra =
    /\\[a-zA-Z]|[√π^²³]|(?<![a-zA-Z])[a-z]\s*[-+*/]\s*[\da-z(]|[\d)]\s*[-+*/]\s*[a-z](?![a-zA-Z])|^-?[\d./]+(?:\s*,\s*-?[\d./]+)*,?\s+and\s+-?[\d./]+$|(?<![a-zA-Z])[a-z]\s*=\s*-?\d[^a-z]*(?:,|and|or)\s*[a-z]\s*=/;
  if (content === "" || content.includes("$") || !algebra.test(content) || looksLikeProse(content)) return undefined;
  // A number with its unit is a plain number.
  if (/^[\d.,]+\s*[a-zA-Z]{1,2}[²³]?(?:\^\d)?$/.test(content)) return undefined;
  const start = text.length - tail.length + found.index + found[0].lastIndexOf(content);
  return { start, end: start + content.length, content };
}

const smallWords = /^(?:is|of|to|in|it|we|so|by|at|as|an|on|be|if|us|no|do|he|me|my|up)$/i;

/** Whether a text is a sentence rather than a formula: it has words that are neither functions nor units. */
export function looksLikeProse(text: string): boolean {
  const bare = text
    .replace(/\\(?:text|textbf|textit|textrm|mathrm|mbox|operatorname|begin|end)\s*\{[^{}]*\}/g, " ")
    .replace(/\\(?:color|textcolor|colorbox|[hv]space|[hv]?phantom)\s*\{[^{}]*\}/g, " ")
    .replace(/\\[a-zA-Z]+/g, " ")
    .replace(/_\{[^{}]*\}/g, " ")
    .replace(/(?<=[\d)}\]])(?:and|or)(?=[A-Za-z(]{1,2}\b)/g, " ");
  for (const [word] of bare.matchAll(/[\u4e00-\u9fff]{2,}/g)) if (!isUnitWord(word)) return true;
  if (/(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Han}])\p{L}{2,}/u.test(bare)) return true;
  for (const [word] of bare.matchAll(/[a-zA-Z]+/g)) {
    if (word.length < 2 || (word.length === 2 && !smallWords.test(word))) continue;
    if (word.length === 3 && !/[aeiouy]/i.test(word)) continue;
    if (/^(?:and|or|mod|infinity|inf|pi|sqrt|cbrt)$/i.test(word) || functionNamed(word) !== undefined) continue;
    if (isUnitWord(word) || greekLetters.has(word) || /^(?:percent(?:age)?|pct|degrees?|deg)$/i.test(word)) continue;
    if (/^[A-Z]{2,4}$/.test(word)) continue;
    if (word.length === 3 && /^(?:xyz|abc|sinx|cosx|tanx|lnx|bca|cab|acb|bac|cba)$/.test(word)) continue;
    return true;
  }
  return false;
}
