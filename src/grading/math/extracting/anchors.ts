// Answers that announce themselves: "The final answer is …", "Answer: …", 答案是 …, 故选 …, "#### …". Every anchor looks at a
// bounded stretch of text behind it, so that a text full of anchors still costs time in proportion to its length.

import { spokenMathematics } from "../reading/spoken.ts";
import type { Found, Page, Ranked } from "./page.ts";
import { looksLikeProse, plainMatches } from "./prose.ts";

/**
 * A `statement` says that a value is the answer: "the final answer is", "Answer:" with the value right behind it.
 * `colon` and `plain` only mention an answer somewhere near a value.
 */
type Anchor = {
  readonly start: number;
  readonly end: number;
  readonly kind: AnchorKind;
};

type AnchorKind = "statement" | "colon" | "plain";

const anchorWord =
  /(?:final\s+)?answer|(?:correct|right|best)\s+(?:option|choice)|最终答案|【答案】|答案|答え|정답|답은|réponse|respuesta|antwort|risposta|resposta|ответ|(?:故|应|所以|因此|综上|^|(?<=[。，,\n]))[，,]?\s*选(?:项|择)?(?=\s*[:：]?\s*[A-J(（])|正确选项|####/gi;
const colonBehind = /^(?:\*\*|["'）)\s])*[:：]/;
/** Between the anchor and a value that is the answer: a verb or a colon, and words that change nothing. */
const directly =
  /^(?:s\b)?(?:\*\*|["'）)\s])*(?:(?:\s*(?:is|are|est|es|ist|è|é|should be|must be)(?![\p{L}])|\s*=|\s*[是为选は]|은)\s*[:：]?|[:：])(?:\s|\*\*|["“(]|(?:the|therefore|thus|hence|then|simply|just|indeed|exactly|approximately|about|now|option|choice|letter|equal to|equals|is)\b|选项?|应为|[:：])*/iu;
const farthest = 100;
const nearest = 50;
const fewWords = 6;
const mostAnchors = 1_000;
const anchorsAtOnce = 16;

/** Where the words that announce an answer end, when they begin there. */
export function anchorEnd(text: string, start: number): number | undefined {
  const [found] = text.slice(start, start + 40).matchAll(anchorWord);
  return found?.index === 0 ? start + found[0].length : undefined;
}

/** The anchors of a text; of very many only the last, where an answer stands. */
export function anchorsIn(page: Page): Anchor[] {
  const anchors: Anchor[] = [];
  for (const found of page.text.matchAll(anchorWord)) {
    const start = found.index;
    const end = start + found[0].length;
    const behind = page.text.slice(end, end + 60);
    if (/^####|选(?:项|择)?$/.test(found[0]) || directly.test(behind)) anchors.push({ start, end, kind: "statement" });
    anchors.push({ start, end, kind: colonBehind.test(behind) ? "colon" : "plain" });
  }
  return anchors.slice(-2 * mostAnchors);
}

/** What the anchors of one rank announce, the last ones first; anchors are looked at only as far as asked. */
export function* announced(page: Page, anchors: readonly Anchor[], rank: AnchorKind): Generator<Ranked> {
  const wanted = anchors.filter(({ kind }) => kind === rank);
  for (let end = wanted.length; end > 0; end -= anchorsAtOnce) {
    const some = wanted.slice(Math.max(0, end - anchorsAtOnce), end);
    yield* some.flatMap((anchor) => [...behindAnchor(page, anchor)]).sort(byStatement);
  }
}

/** Later ends first, then earlier starts. */
export const byEnd = (a: Ranked, b: Ranked): number => b.end - a.end || a.start - b.start;

/** The last statement first; of one statement, what reaches farthest. */
const byStatement = (a: Ranked, b: Ranked): number => b.statement - a.statement || byEnd(a, b);

function* behindAnchor(page: Page, anchor: Anchor): Generator<Ranked> {
  const { text } = page;
  if (anchor.kind === "statement") {
    yield* directAnswer(page, anchor);
    return;
  }
  const line = text.slice(anchor.end, anchor.end + farthest + 60).split("\n", 1)[0];
  const colon =
    anchor.kind === "colon" ? (colonBehind.exec(text.slice(anchor.end, anchor.end + 8))?.[0].length ?? 0) : 0;
  const base: Base = { source: "answer", priority: anchor.kind === "colon" ? 100 : 200, statement: anchor.start };
  const from = anchor.end + colon;
  const lineEnd = anchor.end + line.length;
  // White space straight behind the anchor may hold a line break: "Answer:\n42".
  const start = from + (/^[\s*]*/.exec(text.slice(from, from + 20))?.[0].length ?? 0);
  const reach = Math.max(Math.min(from + nearest, lineEnd), start + 1);
  const index = page.formulaFrom(from);
  const near = index < page.formulas.length && page.formulas[index].start <= reach;
  // A formula of the next sentence is not what was announced in this one.
  if (near && !sentenceEnd.test(text.slice(from, page.formulas[index].start)))
    yield { ...base, ...page.joinedFrom(index) };
  yield* restOfSentence(page, start, base);
  yield* numberBehind(page, from, lineEnd, reach, base);
  for (const found of firstWords(page, from, reach)) yield { ...base, ...found, source: "string" };
}

type Base = Pick<Ranked, "source" | "priority" | "statement">;

const sentenceEnd = /[.!?](?:\s|$)|。/;

/** "The answer is X", "Answer: X", 故选 X, "#### X": the value stands right there, or this is no statement. */
function* directAnswer(page: Page, anchor: Anchor): Generator<Ranked> {
  const { text } = page;
  const behind = text.slice(anchor.end, anchor.end + 80);
  const start = anchor.end + (directly.exec(behind)?.[0].length ?? /^[\s:：*]*/.exec(behind)![0].length);
  const base: Base = { source: "answer", priority: 50, statement: anchor.start };
  const index = page.formulaFrom(anchor.end);
  const formula = page.formulas[index];
  // The way to the value may have passed the bracket that opens it.
  const nearby = (at: number) => at >= start - 1 && /^[\s*("“]*$/.test(text.slice(start - 1, at).slice(1));
  if (formula !== undefined && (formula.start === start - 1 || nearby(formula.start)))
    yield { ...base, ...page.joinedFrom(index) };
  const opened = /[(（]\s*$/.exec(text.slice(anchor.end, start))?.[0].length ?? 0;
  yield* restOfSentence(page, start - opened, base);
  for (const { start: at, end, content } of plainMatches(text, start - opened, start + 24))
    if (!page.isOccupied(at) && onlyWordsOfValue.test(text.slice(start - opened, at))) {
      yield { ...base, text: content, bare: true, start: at, end };
      break;
    }
  for (const found of firstWords(page, start - 1, start + 3)) yield { ...base, ...found, source: "string" };
}

/** What may stand between "the answer is" and its number: a sign of money, "negative", "minus", a name with an equals sign. */
const onlyWordsOfValue = /^[\s*"“(]*(?:[a-zA-Z]\s*=\s*)?[$€£¥₹]?$/;

/** The first wanted word, with those listed right behind it: "D, because A fails" is D, "A and C" is both. */
function* firstWords(page: Page, from: number, to: number): Generator<Found> {
  const words = [...page.words(from, to + nearest)];
  let [last] = words;
  if (last === undefined || last.start >= to || /\bnot\s*$|n't\s*$|不是?\s*$/i.test(page.text.slice(from, last.start)))
    return;
  const listed = [last.text];
  for (const word of words.slice(1)) {
    if (!/^[)*\s]*(?:,|、|and|or|和|或|&|,\s*(?:and|or))[(*\s]*$/i.test(page.text.slice(last.end, word.start))) break;
    listed.push(word.text);
    last = word;
  }
  yield { text: listed.join(", "), bare: false, start: words[0].start, end: last.end };
}

/** The rest of the sentence, when it is a formula ("the answer is x^2 + 1.") or, if wanted, a few words. */
function* restOfSentence(page: Page, from: number, base: Base): Generator<Ranked> {
  const rest = /^(?:\s*(?:is\b|are\b|=|是|为)\s*[:：]?)?\s*([^\n]{0,240})/.exec(page.text.slice(from, from + 260));
  if (rest === null) return;
  const [sentence] = rest[1].split(/,?\s*\b(?:i\.e\.|e\.g\.|because|since|so that)|(?<!\.\.)\.(?:\s|$)|。|<\|/, 1);
  const content = sentence.replace(/\*\*/g, "").trim();
  const start = from + rest[0].length - rest[1].length;
  const end = start + sentence.length;
  if (content === "" || content.includes("$") || content.includes("\\boxed")) return;
  const next = page.formulas[page.formulaFrom(start)];
  if (page.isOccupied(start) || (next !== undefined && next.start < end)) return;
  const found = { ...base, text: content, bare: true, start, end };
  if (!looksLikeProse(spokenMathematics(content))) yield found;
  else if (page.options.words && content.split(/\s+/).length <= fewWords) yield { ...found, source: "string" };
}

/** The number behind the last equals sign near the anchor, else the first number. */
function* numberBehind(page: Page, from: number, lineEnd: number, reach: number, base: Base): Generator<Ranked> {
  const { text } = page;
  const equals = text.slice(from, Math.min(lineEnd, from + farthest)).lastIndexOf("=");
  const places = equals === -1 ? [] : [[from + equals + 1, from + equals + 3] as const];
  for (const [low, high] of [...places, [from, reach] as const]) {
    for (const { start, end, content } of plainMatches(text, low, high)) {
      // The first number decides; when it belongs to a formula, the formula is the candidate.
      if (page.isOccupied(start)) return;
      if (/^\s*=/.test(text.slice(end, end + 4))) continue;
      yield { ...base, text: content, bare: true, start, end };
      return;
    }
  }
}
