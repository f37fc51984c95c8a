// The final answer of a response: every place where it may stand, best first. "The final answer is …" before boxes before
// "answer: …" before any mathematics before any number; within a rank the one that ends last, then the longest.

import type { ExtractionOptions } from "../options.ts";
import { anchorsIn, announced, byEnd, hopedFor } from "./anchors.ts";
import { type Boxes, boxesIn, type Span } from "./environments.ts";
import { type Candidate, Page, type Ranked, withPercent } from "./page.ts";
import { closingFormula, looksLikeProse, type PlainMatch, plainMatchesFromEnd } from "./prose.ts";

export type { Candidate } from "./page.ts";

export type Candidates = { readonly found: Iterable<Candidate> } | { readonly none: string };

const longestWhole = 1_500;
const reasoningEnd = /<\/think>|◁\/think▷|<\/reasoning>|<\|end_of_thought\|>/gi;

/** What stands in the last <answer> tags comes first, then what follows the reasoning, then everything. */
export function candidatesOf(response: string, options: ExtractionOptions): Candidates {
  const tagged = lastTagged(response);
  if (tagged !== undefined) {
    const inner = begun(candidatesIn(tagged, options));
    if (inner !== undefined && "found" in inner) return inner;
  }
  let cut = 0;
  for (const found of response.matchAll(reasoningEnd)) cut = found.index + found[0].length;
  if (cut > 0 && response.slice(cut).trim() !== "") {
    const after = begun(candidatesIn(response.slice(cut), options));
    if (after !== undefined) return after;
  }
  return candidatesIn(response, options);
}

/** The same candidates when there is at least one, found without computing the others. */
function begun(candidates: Candidates): Candidates | undefined {
  if ("none" in candidates) return candidates;
  const iterator = candidates.found[Symbol.iterator]();
  const first = iterator.next();
  if (first.done === true) return undefined;
  function* all(): Generator<Candidate> {
    yield first.value;
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) yield next.value;
  }
  return { found: all() };
}

function lastTagged(response: string): string | undefined {
  let open: number | undefined;
  let last: string | undefined;
  for (const found of response.matchAll(/<(\/?)answer>/gi)) {
    if (found[1] === "") open = found.index + found[0].length;
    else if (open !== undefined) {
      last = response.slice(open, found.index);
      open = undefined;
    }
  }
  return last;
}

function candidatesIn(text: string, options: ExtractionOptions): Candidates {
  const boxes: Boxes = options.latex && options.boxPriority >= 0 ? boxesIn(text) : { closed: [], unclosed: undefined };
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
    [0, () => hopedFor(page, anchors)],
    [40, () => wholeCandidate(page, boxes)],
    [50, () => announced(page, anchors, "final")],
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
function* wholeCandidate({ text, formulas, options }: Page, boxes: Boxes): Generator<Ranked> {
  const trimmed = text.trim();
  if (!options.plain || trimmed === "" || trimmed.length > longestWhole) return;
  if (formulas.length > 0 || boxes.closed.length > 0 || looksLikeProse(trimmed)) return;
  yield { text: trimmed, source: "whole text", bare: true, priority: 40, start: 0, end: text.length };
}

// A gap between two boxes that holds one of these is a change of mind, not a list.
const correction =
  /\b(?:wait|no|not|actually|instead|but|check|correct|incorrect|rather|oops|hmm|mistake|wrong|however|simplif\w*|alternatively|earlier)\b|[!?]/i;
const connective = /\b(?:and|or)\b|[,;、]|或|和/i;
const sentenceEnd = /\.\s|\.$/;

/** The last box, together with those close before it that list further answers. */
function boxCandidate({ text, options }: Page, boxes: readonly Span[]): Ranked | undefined {
  const last = boxes[boxes.length - 1];
  if (last === undefined) return undefined;
  const kept = [last];
  for (let i = boxes.length - 2; i >= 0; i--) {
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
  };
}

const sameText = (a: string, b: string): boolean => a.replace(/\s+/g, "") === b.replace(/\s+/g, "");

const mentioning =
  /\b(?:for (?:all|any|every|each|some)|where|integers?|numbers?|variables?|in terms of|all)\b[^.$]*$/i;

/** "… for all real $x$": a lone letter that says what the formula before it is about. */
function isMention(text: string, { text: content, start }: Ranked): boolean {
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
  if (opening !== undefined) yield { ...opening, source: "string", priority: 250 };
  const plain = page.options.plain ? valuesFromEnd(page) : undefined;
  let number = plain?.next();
  let formula = page.formulas.length - 1;
  const mentions: Ranked[] = [];
  for (;;) {
    const span = page.formulas[formula];
    const value = number?.done === false ? number.value : undefined;
    if (span === undefined && value === undefined) break;
    if (value === undefined || (span !== undefined && span.end >= value.end)) {
      const candidate: Ranked = { ...page.joinedUpTo(formula), source: "mathematics", priority: 300 };
      if (isMention(page.text, candidate)) mentions.push(candidate);
      else yield candidate;
      formula--;
    } else {
      yield { text: value.content, bare: true, source: "plain", priority: 300, start: value.start, end: value.end };
      number = plain!.next();
    }
  }
  yield* mentions;
  for (const word of words.reverse()) yield { ...word, source: "string", priority: 300 };
}
