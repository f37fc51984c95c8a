// A trace's text cut into what is drawn: labeled spans, and the unlabeled text between them.
import { visibleText } from "../../../drawing/safe-text.ts";
import type { TraceSpan } from "../../api.ts";

export type Block = {
  /** Position among the blocks. */
  readonly index: number;
  /** Counts labeled spans from 0; absent for text between them. */
  readonly span?: number;
  readonly label?: string;
  readonly confidence?: number;
  readonly start: number;
  readonly end: number;
  /** Every character visible. */
  readonly text: string;
};

export function blocksOf(text: string, spans: readonly TraceSpan[]): Block[] {
  const blocks: Block[] = [];
  const add = (start: number, end: number, rest: Pick<Block, "span" | "label" | "confidence">) => {
    const piece = text.slice(start, end);
    if (rest.label === undefined && piece.trim() === "") return;
    blocks.push({ index: blocks.length, start, end, text: visibleText(piece).replace(/^\n+|\s+$/g, ""), ...rest });
  };
  let from = 0;
  spans.forEach(({ start, end, label, confidence }, span) => {
    if (start > from) add(from, start, {});
    add(start, end, { span, label, confidence });
    from = Math.max(from, end);
  });
  if (from < text.length) add(from, text.length, {});
  return blocks;
}

/** Numbers of the spans where these labels follow each other. */
export function occurrences(spans: readonly Pick<TraceSpan, "label">[], motif: readonly string[]): number[] {
  const isHere = (from: number) => motif.every((label, i) => spans[from + i]?.label === label);
  return [...new Set(spans.flatMap((_, from) => (isHere(from) ? motif.map((_, i) => from + i) : [])))];
}

/** A guess at how many lines a block takes, so that blocks not yet drawn have about their right height. */
export function guessedLines(text: string, charactersPerLine: number): number {
  let lines = 0;
  for (let from = 0; from <= text.length; ) {
    const found = text.indexOf("\n", from);
    const to = found === -1 ? text.length : found;
    lines += Math.max(1, Math.ceil((to - from) / charactersPerLine));
    from = to + 1;
  }
  return lines;
}
