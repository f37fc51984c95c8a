// Where mathematics stands in a text: $ … $, $$ … $$, \( … \), \[ … \], and \boxed{ … }. One pass, no backtracking: a
// megabyte of braces or dollars costs a megabyte of reading.

import { matchAt } from "../reading/match-at.ts";

export type Span = {
  readonly start: number;
  readonly end: number;
  readonly content: string;
  /** A percent sign or word follows. */
  readonly percent: boolean;
};

export type Boxes = {
  readonly closed: readonly Span[];
  /** Where the last box opens that is never closed. */
  readonly unclosed: { readonly start: number; readonly content: string } | undefined;
};

const percentBehind = /\s*(?:\\?%|(?:per\s?cent(?:age)?|pct)\b)/iy;
// A dollar alone on its line opens what a dollar alone on another closes.
const brokenInline = /\$[ \t]*\n[^$\n]{0,200}\n[ \t]*\$/y;
const closersBehind = /(?:\$|\\\)|\\\]|\*\*)*/y;

/** Finds a closing mark from a position on; asks the text only once for every stretch without one. */
function closer(text: string, mark: string): (position: number) => number {
  let known = -1;
  return (position) => {
    if (known < position) {
      const found = text.indexOf(mark, position);
      known = found === -1 ? Number.POSITIVE_INFINITY : found;
    }
    return known;
  };
}

type Formulas = {
  readonly spans: readonly Span[];
  /** The spans and the inline formulas that run over several lines, which are no formulas but no prose either. */
  readonly occupied: readonly { readonly start: number; readonly end: number }[];
};

export function formulasIn(text: string): Formulas {
  const spans: Span[] = [];
  const occupied: { start: number; end: number }[] = [];
  const [dollars, brackets, parentheses, lines] = ["$$", "\\]", "\\)", "\n"].map((mark) => closer(text, mark));
  const add = (start: number, from: number, to: number, width: number): number => {
    const end = to + width;
    const percent = matchAt(percentBehind, text, end)?.[0];
    spans.push({
      start,
      end: end + (percent?.length ?? 0),
      content: text.slice(from, to),
      percent: percent !== undefined,
    });
    occupied.push({ start, end });
    return end;
  };
  const mark = /[$\\]/g;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const at = found.index;
    if (found[0] === "\\") {
      const next = text[at + 1];
      const closing = next === "[" ? brackets : next === "(" ? parentheses : undefined;
      if (closing === undefined) {
        mark.lastIndex = at + (next === "$" ? 2 : 1);
        continue;
      }
      const close = closing(at + 2);
      const sameLine = next === "[" || close < lines(at);
      if (close === Number.POSITIVE_INFINITY || close === at + 2) continue;
      if (sameLine) mark.lastIndex = add(at, at + 2, close, 2);
      else occupied.push({ start: at, end: close });
      continue;
    }
    if (text[at + 1] === "$") {
      const close = dollars(at + 2);
      mark.lastIndex = close !== Number.POSITIVE_INFINITY && close > at + 2 ? add(at, at + 2, close, 2) : at + 2;
      continue;
    }
    // A dollar right behind a digit is a currency sign.
    if (/[0-9]/.test(text[at - 1] ?? "")) continue;
    const close = inlineEnd(text, at + 1);
    if (close !== undefined && close > at + 1) mark.lastIndex = add(at, at + 1, close, 1);
    if (close === undefined) {
      const broken = matchAt(brokenInline, text, at)?.[0];
      if (broken !== undefined) occupied.push({ start: at, end: at + broken.length });
    }
  }
  return { spans, occupied };
}

/** The dollar that closes an inline formula, on the same line; \$ inside is a currency sign. */
function inlineEnd(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === "\n") return undefined;
    if (character === "$" && text[at - 1] !== "\\") return at;
  }
  return undefined;
}

const boxCommand = /\\(?:boxed|fbox|framebox)\s*(?=\{)/y;
const bareBox = /\\boxed\s+(-?[\w.,/]+)/y;

export function boxesIn(text: string): Boxes {
  const closed: Span[] = [];
  // For every open brace: where its box began, or -1 when it is not a box's.
  const open: { readonly start: number; readonly content: number }[] = [];
  const mark = /[\\{}]/g;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const at = found.index;
    if (found[0] === "\\") {
      const box = matchAt(boxCommand, text, at)?.[0];
      if (box !== undefined) {
        open.push({ start: at, content: at + box.length + 1 });
        mark.lastIndex = at + box.length + 1;
        continue;
      }
      const bare = matchAt(bareBox, text, at);
      if (bare !== null) {
        const end = at + bare[0].length;
        closed.push({ start: at, end, content: bare[1], percent: matchAt(percentBehind, text, end) !== null });
      }
      // \{ and \} are characters; in \\boxed the second backslash begins the command.
      mark.lastIndex = at + (/[{}]/.test(text[at + 1] ?? "") ? 2 : 1);
    } else if (found[0] === "{") open.push({ start: -1, content: at + 1 });
    else {
      const opened = open.pop();
      if (opened === undefined || opened.start === -1) continue;
      const end = at + 1;
      const behind = end + matchAt(closersBehind, text, end)![0].length;
      const percent = matchAt(percentBehind, text, behind)?.[0];
      closed.push({
        start: opened.start,
        end,
        content: text.slice(opened.content, at),
        percent: percent !== undefined,
      });
    }
  }
  const unclosed = open.findLast((brace) => brace.start !== -1);
  return {
    closed,
    unclosed: unclosed && { start: unclosed.start, content: text.slice(unclosed.content) },
  };
}
