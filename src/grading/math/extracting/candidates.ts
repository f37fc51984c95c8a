// The final answer of a response: every place where it may stand, best first. Boxes and sentences that state an answer before
// looser mentions of one before any mathematics before any number; within a rank the one that ends last, then the longest.

import type { ExtractionOptions } from "../options.ts";
import { spokenMathematics } from "../reading/spoken.ts";
import { anchorsIn, announced, byEnd } from "./anchors.ts";
import { choiceLetters } from "./choices.ts";
import { type Boxes, boxesIn, type Span } from "./environments.ts";
import { type Candidate, type Found, Page, type Ranked, withPercent } from "./page.ts";
import { closingFormula, looksLikeProse, type PlainMatch, plainMatchesFromEnd } from "./prose.ts";

export type { Candidate } from "./page.ts";

type Candidates = { readonly found: Iterable<Candidate> } | { readonly none: string };

const longestWhole = 1_500;

/** Every place in a text where its answer may stand, best first; or why there is none. */
export function candidatesIn(text: string, options: ExtractionOptions): Candidates {
  const boxes: Boxes = options.boxPriority >= 0 ? boxesIn(text) : { closed: [], unclosed: undefined };
  const lastBox = boxes.closed[boxes.closed.length - 1];
  if (options.unclosedBox === "no-answer") {
    if (boxes.unclosed !== undefined && boxes.unclosed.start > (lastBox?.end ?? -1))
      return { none: "the last box is not closed" };
    if (lastBox !== undefined && lastBox.content.trim() === "") return { none: "the last box is empty" };
  }
  return { found: ranked(new Page(text, options), boxes) };
}

/** Lazily: a response usually has its answer in the first place looked at, and a long one is not read twice for nothing. */
function* ranked(page: Page, boxes: Boxes): Generator<Candidate> {
  const anchors = anchorsIn(page);
  const ranks: readonly (readonly [number, () => Iterable<Ranked>])[] = [
    [40, () => wholeCandidate(page, boxes)],
    [50, () => announced(page, anchors, "statement")],
    [100, () => announced(page, anchors, "colon")],
    [200, () => announced(page, anchors, "plain")],
  ];
  let box = boxCandidate(page, boxes.closed);
  for (const [priority, candidates] of ranks) {
    for (const candidate of candidates()) {
      // In one rank with a box, whichever ends later goes first.
      const boxFirst =
        box !== undefined && (box.priority < priority || (box.priority === priority && byEnd(box, candidate) < 0));
      if (box !== undefined && boxFirst) {
        yield box;
        box = undefined;
      }
      yield candidate;
    }
    if (box !== undefined && box.priority <= priority) {
      yield box;
      box = undefined;
    }
  }
  if (box !== undefined) yield box;
  if (page.options.unanchored) yield* unanchored(page);
}

/** A short text that is one formula from end to end. */
function* wholeCandidate({ text, formulas }: Page, boxes: Boxes): Generator<Ranked> {
  const trimmed = text.trim();
  if (trimmed.includes("####") || /^选/.test(trimmed)) return;
  if (trimmed === "" || trimmed.length > longestWhole) return;
  if (formulas.length > 0 || boxes.closed.length > 0 || looksLikeProse(spokenMathematics(trimmed))) return;
  yield { text: trimmed, source: "whole text", bare: true, priority: 40, start: 0, end: text.length, statement: -1 };
}

// A gap between two boxes that holds one of these is a change of mind, not a list.
const correction =
  /\b(?:wait|no|not|actually|instead|but|check|correct|incorrect|rather|oops|hmm|mistake|wrong|however|simplif\w*|alternatively|equivalently|earlier)\b|[!?]/i;
const turnedDown = /\b(?:not|nor|rather than|instead of|than|unlike|earlier(?: I (?:wrote|had|got))?)[\s:$\\(]*$/i;
const connective = /\b(?:and|or)\b|[,;、]|或|和/i;
const mostListed = 60;
const sentenceEnd = /\.\s|\.$/;

/** The last box, together with those close before it that list further answers. */
function boxCandidate(page: Page, boxes: readonly Span[]): Ranked | undefined {
  const { text, options } = page;
  // "\\boxed{9} (rather than \\boxed{11})": a box that is turned down is none, where another is left.
  const meant = boxes.findLastIndex(({ start }) => !turnedDown.test(text.slice(Math.max(0, start - 40), start)));
  const last = boxes[meant === -1 ? boxes.length - 1 : meant];
  if (last === undefined) return undefined;
  const kept = [last];
  for (let i = meant - 1; i >= 0 && kept.length < mostListed; i--) {
    // Boxes are listed as they close, so one that begins inside the next is part of it.
    if (boxes[i].start > kept[0].start) continue;
    const gap = text.slice(boxes[i].end, kept[0].start);
    const words = gap.replace(/\*\*\s*final answer\s*\*\*/gi, " ");
    const listed = connective.test(words) && !sentenceEnd.test(words.trimEnd().replace(/\$/g, ""));
    if (!(gap.length < 10 || (gap.length < 70 && listed)) || correction.test(words)) break;
    kept.unshift(boxes[i]);
  }
  const contents = kept
    .map(withPercent)
    .filter((content, index, all) => all.findIndex((other) => sameText(other, content)) === index);
  return {
    text: contents.join(", "),
    source: "box",
    bare: false,
    priority: options.boxPriority,
    start: kept[0].start,
    end: last.end,
    statement: kept[0].start,
    formula: page.formulaAround(kept[0].start, last.end),
  };
}

const sameText = (a: string, b: string): boolean => a.replace(/\s+/g, "") === b.replace(/\s+/g, "");

const mentioning =
  /\b(?:for (?:all|any|every|each|some)|where|integers?|numbers?|variables?|in terms of|all)\b[^.$]*$/i;

/** "The minimum is $-4$, attained at $x = 2$": where it is so, behind what is so. */
const condition = /\d[^.\n]*[\s(](?:at|when|where|for)\s+\(?\$?\s*(?:[a-zA-Z]\s*=\s*)?$/i;
/** "… for all $n \\ge 1$". */
const sideCondition =
  /\b(?:for|where|when(?:ever)?|with|if)\s+(?:(?:all|any|every|each|some)\s+)?(?:(?:integers?|real|numbers?|positive)\s+)*\(?\$?\s*$/i;
/** "Check: 4 · 5 = 20", behind the answer. */
const check =
  /(?:^|[.\n(])[\s(*]*(?:(?:we|let us|let's|to)\s+(?:can\s+)?)?(?:check|verify|verification|indeed)\b[^.\n]*$/i;
const approximation = /\$[\s,]*(?:\(|or|i\.e\.,?|that is,?|which is)?\s*(?:about|approximately|roughly|≈)\s*$/i;

/** "… for all real $x$": a lone letter that says what the formula before it is about; "$\\frac37$, about $0.43$". */
function isMention(text: string, { text: content, start }: Ranked): boolean {
  const before = text.slice(Math.max(0, start - 80), start);
  if (approximation.test(before) || condition.test(before)) return true;
  if (
    sideCondition.test(before) &&
    /^\s*[a-zA-Z]\s*(?:[<>≤≥∈]|\\(?:geq?|leq?|in|gt|lt|neq?)(?![a-zA-Z]))/.test(content)
  )
    return true;
  if (check.test(text.slice(Math.max(0, start - 200), start))) return true;
  return /^\s*\\?[a-zA-Z]+\s*$/.test(content) && mentioning.test(text.slice(Math.max(0, start - 40), start));
}

/** Plain values from the end on; the last sentence may end in a formula that nobody set as one. */
function* valuesFromEnd(page: Page): Generator<PlainMatch> {
  const last = closingFormula(page.text);
  if (last !== undefined && !page.isOccupied(last.start)) yield last;
  yield* plainMatchesFromEnd(page.text, (at) => page.isOccupied(at));
}

/** Formulas and plain numbers from the end of the text on, whichever ends later first; then wanted words. */
function* unanchored(page: Page): Generator<Ranked> {
  const words = [...page.words(0, page.text.length)];
  const opening = words.find((word) => /^[\s*(]*$/.test(page.text.slice(0, word.start)));
  const chosen = chosenLetter(page, words) ?? opening;
  if (chosen !== undefined) yield { ...chosen, source: "string", priority: 250, statement: chosen.start };
  const plain = valuesFromEnd(page);
  let number = plain.next();
  let formula = page.formulas.length - 1;
  const mentions: Ranked[] = [];
  for (;;) {
    const span = page.formulas[formula];
    const value = number.done === true ? undefined : number.value;
    if (span === undefined && value === undefined) break;
    if (value === undefined || (span !== undefined && span.end >= value.end)) {
      const joined = page.joinedUpTo(formula);
      const candidate: Ranked = { ...joined, source: "mathematics", priority: 300, statement: joined.start };
      if (isMention(page.text, candidate)) mentions.push(candidate);
      else yield candidate;
      formula--;
    } else {
      const { content, start, end } = value;
      const candidate: Ranked = {
        text: content,
        bare: true,
        source: "plain",
        priority: 300,
        start,
        end,
        statement: start,
      };
      if (isMention(page.text, candidate)) mentions.push(candidate);
      else yield candidate;
      number = plain.next();
    }
  }
  yield* mentions;
  const asked = page.options.strings === choiceLetters;
  for (const word of words.reverse())
    if (!asked || concludes(page.text, word)) yield { ...word, source: "string", priority: 300, statement: word.start };
}

/** "So it must be B.": a letter that ends the text, and that its sentence leads up to. */
const concludes = (text: string, { start, end }: Found): boolean =>
  /^[\s).*"}$。]*$/.test(text.slice(end)) &&
  /(?:^|[,:：(*\n]|[\u4e00-\u9fff]|\b(?:is|be|it's|so|thus|hence|therefore|choose|pick|select|option|choice|answer)\b)[\s(*"{$]*$/i.test(
    text.slice(Math.max(0, start - 40), start),
  );

/** "Option C is correct": the last letter that is called right. */
function chosenLetter(page: Page, words: readonly Found[]): Found | undefined {
  return words.findLast(({ end }) =>
    /^[)*"\s}$]*(?:is|are)\s+(?:the\s+)?(?:only\s+)?(?:correct|right|true|best|answer)\b|^[)*\s]*(?:是|为)?正确/i.test(
      page.text.slice(end, end + 40),
    ),
  );
}
