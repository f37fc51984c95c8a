// A response with everything that the search for its answer asks about again and again: its formulas, found once.
import type { ExtractionOptions } from "../options.ts";
import { formulasIn, type Span } from "./environments.ts";

export type Candidate = {
  readonly text: string;
  readonly source: "box" | "answer" | "whole text" | "mathematics" | "plain" | "string";
  /** Not set as mathematics, so that a comma may be a decimal one. */
  readonly bare: boolean;
  readonly start: number;
  readonly end: number;
  /** Where the sentence begins that it was found in: candidates of one statement are readings of the same words. */
  readonly statement: number;
  /** Of a box that stands in a formula: the rest of that formula, before it and behind it. */
  readonly formula?: { readonly before: string; readonly behind: string };
};

/** A candidate with how early it is looked at. */
export type Ranked = Candidate & { readonly priority: number };

/** A stretch of the text, before anybody says what it is. */
export type Found = Pick<Ranked, "text" | "bare" | "start" | "end">;

const mostJoined = 6;
const between = /^[\s*]*(?:,|;|、|，|(?:,\s*)?(?:and|or)|和|或)[\s*]*$/i;
const longestGap = 40;
const longestWord = 40;
const denied =
  /^[)*"\s}$]*(?:(?:is|are|was|seems)\s+(?:\w+\s+)?(?:incorrect|wrong|false|not|impossible|excluded|eliminated|invalid|ruled\s+out)\b|cannot\b|can't\b|isn't\b|fails?\b|(?:选?项?是?)?(?:错误|不正确|不对|不成立|不符)|排除|外)/i;

export class Page {
  readonly text: string;
  readonly options: ExtractionOptions;
  readonly formulas: readonly Span[];
  readonly #occupied: readonly { readonly start: number; readonly end: number }[];

  constructor(text: string, options: ExtractionOptions) {
    this.text = text;
    this.options = options;
    const { spans, occupied } = formulasIn(text);
    this.formulas = spans;
    this.#occupied = occupied;
  }

  /** The index of the first formula that begins there or later. */
  formulaFrom(position: number): number {
    return firstFrom(this.formulas, position);
  }

  /** Whether a position lies inside mathematics. */
  isOccupied(position: number): boolean {
    const span = this.#occupied[firstFrom(this.#occupied, position + 1) - 1];
    return span !== undefined && position < span.end;
  }

  /** What the formulas hold in which two positions lie, up to the one and behind the other; nothing outside of formulas. */
  formulaAround(start: number, end: number): Candidate["formula"] {
    const [first, last] = [start, end - 1].map((position) => this.formulas[firstFrom(this.formulas, position + 1) - 1]);
    if (first === undefined || last === undefined || first.end <= start || last.end < end) return undefined;
    const contentOf = (span: Span): number => this.text.indexOf(span.content, span.start);
    return {
      before: this.text.slice(contentOf(first), start),
      behind: this.text.slice(end, contentOf(last) + last.content.length),
    };
  }

  #listed(before: Span, after: Span): boolean {
    return after.start - before.end <= longestGap && between.test(this.text.slice(before.end, after.start));
  }

  /** Formulas joined by "and", "or" or commas are one answer: $1$, $2$ and $3$. */
  joinedFrom(first: number): Found {
    let last = first;
    while (
      last + 1 < this.formulas.length &&
      last - first + 1 < mostJoined &&
      this.#listed(this.formulas[last], this.formulas[last + 1])
    )
      last++;
    return this.#spanning(first, last);
  }

  joinedUpTo(last: number): Found {
    let first = last;
    while (first > 0 && last - first + 1 < mostJoined && this.#listed(this.formulas[first - 1], this.formulas[first]))
      first--;
    return this.#spanning(first, last);
  }

  #spanning(first: number, last: number): Found {
    const spans = this.formulas.slice(first, last + 1);
    return {
      text: spans.map(withPercent).join(", "),
      bare: false,
      start: spans[0].start,
      end: spans[spans.length - 1].end,
    };
  }

  /** The wanted words between two positions, standing alone. */
  *words(from: number, to: number): Generator<Found> {
    if (this.options.strings.length === 0) return;
    const wanted = this.options.strings.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
    const pattern = new RegExp(
      `(?<=^|[\\s(*"{\\u4e00-\\u9fff：])(?:${wanted})(?=[\\s.,:;)*"}。，；\\u4e00-\\u9fff]|$)`,
      "g",
    );
    const offset = Math.max(0, from - 1);
    for (const found of this.text.slice(offset, to + longestWord).matchAll(pattern)) {
      const start = offset + found.index;
      // "A student" and "I think" are not answers.
      if (/^[AI]$/.test(found[0]) && /^\s+[a-z]/.test(this.text.slice(start + 1, start + 4))) continue;
      // "Not B", "it cannot be B", 不选B deny it.
      if (
        /(?:\bnot|n't|\bcannot|n't be|\bcannot be|\bnot be|\bnor|\bneither|\bexcept|\bbut|\bexcluding|\beliminat\w+|\bexclud\w+|\brul\w+ out|不是?选?|非|排除|除了?)[\s(*]*$/i.test(
          this.text.slice(Math.max(0, start - 16), start),
        )
      )
        continue;
      // "C is wrong", C错误 deny it too.
      if (denied.test(this.text.slice(start + found[0].length, start + found[0].length + 40))) continue;
      if (start >= from && start < to) yield { text: found[0], bare: false, start, end: start + found[0].length };
    }
  }
}

function firstFrom(spans: readonly { readonly start: number }[], position: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle].start < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const withPercent = (span: Span): string => (span.percent ? `${span.content}\\%` : span.content);
