// The final answer of a response: every place where it may stand, best first. "The final answer is …" before boxes before
// "answer: …" before any mathematics before any number; within a rank the one that ends last, then the longest.

import type { ExtractionOptions } from "../options.ts";
import { type Boxes, boxesIn, environmentsIn, type Span } from "./environments.ts";
import { looksLikeProse, plainMatches, plainMatchesFromEnd } from "./prose.ts";

export type Candidate = {
  readonly text: string;
  readonly source: "final answer" | "box" | "answer" | "whole text" | "mathematics" | "plain" | "string";
  /** Not set as mathematics, so that a comma may be a decimal one. */
  readonly bare: boolean;
};

export type Candidates = { readonly found: Iterable<Candidate> } | { readonly none: string };

type Ranked = Candidate & { readonly priority: number; readonly start: number; readonly end: number };

const longestWhole = 1_500;
const reasoningEnd = /<\/think>|◁\/think▷|<\/reasoning>|<\|end_of_thought\|>/gi;
const answerTag = /<answer>([\s\S]*?)<\/answer>/gi;

/** The candidates of a response; of a text that is nothing but the answer when `whole` is said. */
export function candidatesOf(response: string, options: ExtractionOptions): Candidates {
  const tagged = lastTagged(response);
  if (tagged !== undefined) {
    const inner = candidatesIn(tagged, options);
    if ("found" in inner) {
      const found = [...inner.found];
      if (found.length > 0) return { found };
    }
  }
  let cut = 0;
  for (const found of response.matchAll(reasoningEnd)) cut = found.index + found[0].length;
  if (cut > 0 && response.slice(cut).trim() !== "") {
    const after = candidatesIn(response.slice(cut), options);
    if ("none" in after) return after;
    const found = [...after.found];
    if (found.length > 0) return { found };
  }
  return candidatesIn(response, options);
}

function lastTagged(response: string): string | undefined {
  let last: string | undefined;
  if (/<answer>/i.test(response)) for (const found of response.matchAll(answerTag)) last = found[1];
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
  return { found: ranked(text, options, boxes) };
}

/** Lazily, because the later ranks read the whole text again and are seldom asked for. */
function* ranked(text: string, options: ExtractionOptions, boxes: Boxes): Generator<Candidate> {
  const environments = options.latex ? environmentsIn(text) : [];
  const early: Ranked[] = [];
  const wholeText = wholeCandidate(text, environments, boxes);
  if (wholeText !== undefined) early.push(wholeText);
  const boxed = options.boxPriority < 0 ? undefined : boxCandidate(text, boxes.closed, options.boxPriority);
  if (boxed !== undefined) early.push(boxed);
  for (const anchor of anchorsIn(text)) early.push(...anchored(text, anchor, environments, options));
  early.sort((a, b) => a.priority - b.priority || b.end - a.end || a.start - b.start);
  yield* early;
  if (options.unanchored) yield* unanchored(text, environments, options);
}

/** A short text that is one formula from end to end. */
function wholeCandidate(text: string, environments: readonly Span[], boxes: Boxes): Ranked | undefined {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.length > longestWhole || environments.length > 0 || boxes.closed.length > 0)
    return undefined;
  if (looksLikeProse(trimmed)) return undefined;
  return { text: trimmed, source: "whole text", bare: true, priority: 40, start: 0, end: text.length };
}

const withPercent = (span: Span): string => (span.percent ? `${span.content}\\%` : span.content);

// A gap between two boxes that holds one of these is a change of mind, not a list.
const correction =
  /\b(?:wait|no|not|actually|instead|but|check|correct|incorrect|rather|oops|hmm|mistake|wrong|however|simplif\w*|alternatively|earlier)\b|[!?]/i;
const connective = /\b(?:and|or)\b|[,;、]|或|和/i;

/** The last box, together with those close before it that list further answers. */
function boxCandidate(text: string, boxes: readonly Span[], priority: number): Ranked | undefined {
  const last = boxes[boxes.length - 1];
  if (last === undefined) return undefined;
  const kept = [last];
  for (let i = boxes.length - 2; i >= 0; i--) {
    // Boxes are listed as they close, so one that begins inside the next is part of it.
    if (boxes[i].start > kept[0].start) continue;
    const gap = text.slice(boxes[i].end, kept[0].start);
    const words = gap.replace(/\*\*\s*final answer\s*\*\*/gi, " ");
    const close =
      gap.length < 10 ||
      (gap.length < 70 && connective.test(words) && !/\.\s|\.$/.test(words.trimEnd().replace(/\$/g, "")));
    if (!close || correction.test(words)) break;
    kept.unshift(boxes[i]);
  }
  const contents = kept
    .map(withPercent)
    .filter((content, index, all) => all.findIndex((other) => sameText(other, content)) === index);
  return { text: contents.join(", "), source: "box", bare: false, priority, start: kept[0].start, end: last.end };
}

const sameText = (a: string, b: string): boolean => a.replace(/\s+/g, "") === b.replace(/\s+/g, "");

type Anchor = { readonly at: number; readonly end: number; readonly final: boolean };

const anchorWord = /(?:final\s+)?answer|最终答案|答案/gi;

function* anchorsIn(text: string): Generator<Anchor> {
  for (const found of text.matchAll(anchorWord)) {
    yield { at: found.index, end: found.index + found[0].length, final: /^final|^最终/i.test(found[0]) };
  }
}

const copula = /\s(?:is|are|=)\b:?|\s=|[是为]\s*[:：]?/gi;
const farthest = 100;
const nearest = 50;

function* anchored(
  text: string,
  anchor: Anchor,
  environments: readonly Span[],
  options: ExtractionOptions,
): Generator<Ranked> {
  const line = text.slice(anchor.end, anchor.end + farthest + 60).split("\n", 1)[0];
  if (anchor.final) yield* finalAnswer(text, anchor, line, environments, options);
  const colon = /^(?:\*\*|["'）)\s])*[:：]/.exec(text.slice(anchor.end, anchor.end + 8))?.[0];
  const priority = colon === undefined ? 200 : 100;
  const from = anchor.end + (colon?.length ?? 0);
  const windowEnd = Math.min(from + nearest, anchor.end + line.length);
  const base = { source: "answer", priority } as const;
  // White space straight behind the anchor may hold a line break: "Answer:\n42".
  const start = from + (/^[\s*]*/.exec(text.slice(from, from + 20))?.[0].length ?? 0);
  const reach = Math.max(windowEnd, start + 1);
  if (options.latex) {
    const index = firstAtOrAfter(environments, from);
    const first = environments[index];
    if (first !== undefined && first.start <= reach) yield { ...base, ...joined(text, environments, index) };
  }
  if (options.plain) {
    yield* sentenceAfter(text, start, base, environments, options.words);
    yield* equalsOrFirst(text, from, anchor.end + line.length, reach, base, environments);
  }
  for (const found of stringMatches(text, from, reach, options)) yield { ...base, ...found };
}

/** "The final answer is X. I hope …" ranks first, "final answer … is X" next. */
function* finalAnswer(
  text: string,
  anchor: Anchor,
  line: string,
  environments: readonly Span[],
  options: ExtractionOptions,
): Generator<Ranked> {
  const window = line.slice(0, farthest);
  for (const found of window.matchAll(copula)) {
    const behind = anchor.end + found.index + found[0].length;
    const start = behind + (/^(?:\s|\*\*|\\?["“])*/.exec(text.slice(behind, behind + 20))?.[0].length ?? 0);
    const direct = found.index === 0;
    const rank = (candidate: Omit<Ranked, "priority" | "source">): Ranked => {
      const hope = direct && /^(?:\\?["”])?\.?\s?I hope/.test(text.slice(candidate.end, candidate.end + 12));
      return { ...candidate, source: "final answer", priority: hope ? 0 : 50 };
    };
    if (options.latex) {
      const index = firstAtOrAfter(environments, start);
      if (environments[index]?.start === start) yield rank(joined(text, environments, index));
    }
    if (options.plain) {
      for (const candidate of sentenceAfter(
        text,
        start,
        { source: "final answer", priority: 50 },
        environments,
        options.words,
      ))
        yield rank(candidate);
      for (const match of plainMatches(text, start, start + 1)) {
        if (!inside(environments, match.start)) yield rank({ ...match, text: match.content, bare: true });
      }
    }
    for (const candidate of stringMatches(text, behind, behind + 3, options)) yield rank(candidate);
  }
}

const fewWords = 6;

type Base = Pick<Ranked, "source" | "priority">;

/** The rest of the sentence, when it is a formula: "the answer is x^2 + 1." */
function* sentenceAfter(
  text: string,
  from: number,
  base: Base,
  environments: readonly Span[],
  words: boolean,
): Generator<Ranked> {
  const rest = /^(?:\s*(?:is\b|are\b|=|是|为)\s*[:：]?)?\s*([^\n]{0,240})/.exec(text.slice(from, from + 260));
  if (rest === null) return;
  const [sentence] = rest[1].split(/\.(?:\s|$)|。|<\|/, 1);
  const content = sentence.replace(/\*\*/g, "").trim();
  const start = from + rest[0].length - rest[1].length;
  const end = start + sentence.length;
  if (content === "" || content.includes("$") || content.includes("\\boxed")) return;
  const next = environments[firstAtOrAfter(environments, start)];
  if (inside(environments, start) || (next !== undefined && next.start < end)) return;
  if (!looksLikeProse(content)) yield { ...base, text: content, bare: true, start, end };
  else if (words && content.split(/\s+/).length <= fewWords)
    yield { ...base, source: "string", text: content, bare: true, start, end };
}

/** The number behind the last equals sign near the anchor, else the first number. */
function* equalsOrFirst(
  text: string,
  from: number,
  lineEnd: number,
  reach: number,
  base: Base,
  environments: readonly Span[],
): Generator<Ranked> {
  const window = text.slice(from, Math.min(lineEnd, from + farthest));
  const equals = window.lastIndexOf("=");
  const starts = equals === -1 ? [] : [[from + equals + 1, from + equals + 3] as const];
  for (const [low, high] of [...starts, [from, reach] as const]) {
    for (const match of plainMatches(text, low, high)) {
      // The first number decides; when it belongs to a formula, the formula is the candidate.
      if (inside(environments, match.start)) return;
      if (/^\s*=/.test(text.slice(match.end, match.end + 4))) continue;
      yield { ...base, text: match.content, bare: true, start: match.start, end: match.end };
      return;
    }
  }
}

function firstAtOrAfter(spans: readonly Span[], position: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle].start < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function inside(spans: readonly Span[], position: number): boolean {
  const span = spans[firstAtOrAfter(spans, position + 1) - 1];
  return span !== undefined && position < span.end;
}

const mostJoined = 6;
const between = /^[\s*]*(?:,|;|、|，|(?:,\s*)?(?:and|or)|和|或)[\s*]*$/i;

/** Formulas joined by "and", "or" or commas are one answer: $1$, $2$ and $3$. */
function joined(text: string, spans: readonly Span[], first: number): Pick<Ranked, "text" | "bare" | "start" | "end"> {
  let last = first;
  while (
    last + 1 < spans.length &&
    last - first + 1 < mostJoined &&
    between.test(text.slice(spans[last].end, spans[last + 1].start))
  )
    last++;
  return {
    text: spans
      .slice(first, last + 1)
      .map(withPercent)
      .join(", "),
    bare: false,
    start: spans[first].start,
    end: spans[last].end,
  };
}

function* unanchored(text: string, environments: readonly Span[], options: ExtractionOptions): Generator<Ranked> {
  const covered = (start: number) => inside(environments, start);
  const plain = options.plain ? plainMatchesFromEnd(text, covered) : undefined;
  const strings = [...stringMatches(text, 0, text.length, options)];
  const opening = strings.find((match) => /^[\s*(]*$/.test(text.slice(0, match.start)));
  if (opening !== undefined) yield { ...opening, source: "string", priority: 250 };
  let nextPlain = plain?.next();
  let environment = environments.length - 1;
  // Both run from the end; whichever ends later comes first.
  for (;;) {
    const span = environments[environment];
    const value = nextPlain?.done === false ? nextPlain.value : undefined;
    if (span === undefined && value === undefined) break;
    if (span !== undefined && (value === undefined || span.end >= value.end)) {
      let first = environment;
      while (
        first > 0 &&
        environment - first + 1 < mostJoined &&
        between.test(text.slice(environments[first - 1].end, environments[first].start))
      )
        first--;
      yield { ...joined(text, environments.slice(first, environment + 1), 0), source: "mathematics", priority: 300 };
      environment--;
    } else if (value !== undefined) {
      yield { text: value.content, bare: true, source: "plain", priority: 300, start: value.start, end: value.end };
      nextPlain = plain!.next();
    }
  }
  for (const match of strings.reverse()) yield { ...match, source: "string", priority: 300 };
}

const longestWord = 40;

/** The wanted words between two positions, standing alone. */
function* stringMatches(
  text: string,
  from: number,
  to: number,
  options: ExtractionOptions,
): Generator<Omit<Ranked, "priority">> {
  if (options.strings.length === 0) return;
  const words = options.strings.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  const pattern = new RegExp(`(?<=^|[\\s(*"{])(?:${words})(?=[\\s.,:;)*"}]|$)`, "g");
  const offset = Math.max(0, from - 1);
  for (const found of text.slice(offset, to + longestWord).matchAll(pattern)) {
    const start = offset + found.index;
    if (start >= from && start < to)
      yield { text: found[0], source: "string", bare: false, start, end: start + found[0].length };
  }
}
