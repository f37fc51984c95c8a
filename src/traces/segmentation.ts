// A trace cut into spans, as the paper's appendix does it: at paragraphs, within paragraphs at discourse markers, short
// fragments merged, long ones split at sentences. One pass over the characters, no backtracking.

import { reasoningPart } from "../grading/reasoning.ts";
import { discourseMarkerAt, type MarkerAt, markersOf } from "./discourse-markers.ts";

export type Segmentation = {
  /** Fragments wait in a buffer until it holds this many tokens. */
  readonly mergeBelow: number;
  /** Fragments longer than this are split at sentence ends. */
  readonly splitAbove: number;
  /** What is left in the buffer at the end joins the span before it if it is shorter than this. */
  readonly joinTrailingBelow: number;
  /** Tokens are estimated from characters while spans are made. */
  readonly charactersPerToken: number;
  /** What a fragment is: a piece of a paragraph up to the next discourse marker, a whole paragraph, or a line. */
  readonly fragments: "discourse" | "paragraphs" | "lines";
  /** Discourse markers of another taxonomy, as regular expressions; the paper's where absent. */
  readonly markers?: readonly string[];
};

/** The paper's thresholds. */
export const paperSegmentation: Segmentation = {
  mergeBelow: 80,
  splitAbove: 250,
  joinTrailingBelow: 40,
  charactersPerToken: 4,
  fragments: "discourse",
};

/** For the traces of small models, which write one short step a line: every step is a span. */
export const terseSegmentation: Segmentation = {
  mergeBelow: 0,
  splitAbove: 250,
  joinTrailingBelow: 0,
  charactersPerToken: 4,
  fragments: "lines",
};

/** One paragraph a step, as the teacher writes in sentences: every paragraph is a span. */
export const stepSegmentation: Segmentation = { ...terseSegmentation, splitAbove: 2000, fragments: "paragraphs" };

export const segmentations = { paper: paperSegmentation, steps: stepSegmentation, terse: terseSegmentation } as const;

export type Span = {
  /** Its fragments, with a blank line between them. */
  readonly text: string;
  /** Estimated from its characters. */
  readonly tokens: number;
  /** Where it lies in the response. */
  readonly start: number;
  readonly end: number;
};

const joint = "\n\n";

/** The spans of a response's reasoning. */
export function segment(response: string, segmentation: Segmentation = paperSegmentation): Span[] {
  const { start, end } = reasoningPart(response);
  const spans = new SpanBuilder(response, segmentation);
  if (segmentation.fragments === "lines") cutAtLines(response, start, end, spans);
  else {
    const markerAt = segmentation.markers === undefined ? discourseMarkerAt : markersOf(segmentation.markers);
    cutText(response, start, end, spans, segmentation.fragments === "discourse" ? markerAt : undefined);
  }
  return spans.finish();
}

const newline = 10;

/** ASCII white space and the no-break space; what trimming removes from the edges of fragments. */
export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 160;
}

function cutAtLines(text: string, start: number, end: number, spans: SpanBuilder): void {
  for (let from = start; from < end; ) {
    const found = text.indexOf("\n", from);
    const to = found === -1 || found > end ? end : found;
    spans.add(from, to);
    from = to + 1;
  }
}

/** At blank lines, and at discourse markers if they count. */
function cutText(text: string, start: number, end: number, spans: SpanBuilder, markerAt: MarkerAt | undefined): void {
  let from = start;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    // Letters, the bulk of any text, end no line and no sentence.
    if (code > 63) continue;
    const endsSentence = code === 46 || code === 33 || code === 63 || code === 58;
    if (code !== newline && !endsSentence) continue;
    if (endsSentence && !isSpace(text.charCodeAt(i + 1))) continue;

    let next = i + 1;
    let newlines = code === newline ? 1 : 0;
    for (let following = text.charCodeAt(next); next < end && isSpace(following); following = text.charCodeAt(++next)) {
      if (following === newline) newlines += 1;
    }
    // After a colon the sentence goes on unless a capital starts a new one.
    const startsSentence = newlines > 0 || code !== 58 || isCapital(text.charCodeAt(next));
    if (next < end && (newlines > 1 || (startsSentence && markerAt?.(text, next)))) {
      spans.add(from, next);
      from = next;
    }
    i = next - 1;
  }
  spans.add(from, end);
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}

const sentenceEnd = /[.!?]\s+/g;

/** Gathers fragments into spans. Offsets only, until a span is complete. */
class SpanBuilder {
  readonly #text: string;
  readonly #options: Segmentation;
  readonly #spans: { text: string; tokens: number; start: number; end: number }[] = [];
  #buffer = "";
  #start = 0;
  #end = 0;

  constructor(text: string, options: Segmentation) {
    this.#text = text;
    this.#options = options;
  }

  #tokens(characters: number): number {
    return Math.ceil(characters / this.#options.charactersPerToken);
  }

  add(start: number, end: number): void {
    while (start < end && isSpace(this.#text.charCodeAt(start))) start += 1;
    while (end > start && isSpace(this.#text.charCodeAt(end - 1))) end -= 1;
    if (start === end) return;
    if (this.#tokens(end - start) > this.#options.splitAbove) {
      this.#flush();
      this.#addSentences(start, end);
      return;
    }
    const merged = this.#buffer.length + joint.length + (end - start);
    if (this.#buffer !== "" && this.#tokens(merged) > this.#options.splitAbove) this.#flush();
    this.#push(start, end);
    if (this.#tokens(this.#buffer.length) >= this.#options.mergeBelow) this.#flush();
  }

  #push(start: number, end: number): void {
    const piece = this.#text.slice(start, end);
    if (this.#buffer === "") {
      this.#buffer = piece;
      this.#start = start;
    } else {
      this.#buffer += joint + piece;
    }
    this.#end = end;
  }

  #addSentences(start: number, end: number): void {
    let from = start;
    let last = start;
    sentenceEnd.lastIndex = start;
    for (let match = sentenceEnd.exec(this.#text); match !== null; match = sentenceEnd.exec(this.#text)) {
      const stop = match.index + 1;
      if (stop >= end) break;
      if (last > from && this.#tokens(stop - from) > this.#options.splitAbove) {
        this.#emit(from, last);
        from = last;
      }
      last = match.index + match[0].length;
    }
    if (last > from && this.#tokens(end - from) > this.#options.splitAbove) {
      this.#emit(from, last);
      from = last;
    }
    this.#emit(from, end);
  }

  #emit(start: number, end: number): void {
    while (end > start && isSpace(this.#text.charCodeAt(end - 1))) end -= 1;
    this.#spans.push({ text: this.#text.slice(start, end), tokens: this.#tokens(end - start), start, end });
  }

  #flush(): void {
    if (this.#buffer === "") return;
    this.#spans.push({
      text: this.#buffer,
      tokens: this.#tokens(this.#buffer.length),
      start: this.#start,
      end: this.#end,
    });
    this.#buffer = "";
  }

  finish(): Span[] {
    const last = this.#spans.at(-1);
    if (
      this.#buffer !== "" &&
      last !== undefined &&
      this.#tokens(this.#buffer.length) < this.#options.joinTrailingBelow
    ) {
      last.text += joint + this.#buffer;
      last.tokens = this.#tokens(last.text.length);
      last.end = this.#end;
      this.#buffer = "";
    }
    this.#flush();
    return this.#spans;
  }
}
