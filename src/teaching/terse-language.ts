// The terse language that small models learn: words separated by single spaces, one step a line, each step opened by a
// word that no other place uses. Reading the labels of a trace back is then exact.
import type { Primitive } from "../rollouts/primitives.ts";

/** The opening word of each kind of step. */
export const openings: Readonly<Record<Primitive, string>> = {
  plan: "plan",
  setup: "setup",
  enumerate: "enum",
  hypothesize: "hyp",
  compute: "comp",
  check: "check",
  backtrack: "back",
  summarize: "sum",
  other: "so",
};

const primitiveOf: ReadonlyMap<string, Primitive> = new Map(
  Object.entries(openings).map(([primitive, word]) => [word, primitive as Primitive]),
);

/** Line ends are words too, so that a word-level tokenizer gives a text back exactly. */
export function spaced(text: string): string {
  return text
    .replaceAll("\n", " \n ")
    .split(" ")
    .filter((word) => word !== "")
    .join(" ");
}

type TerseSpan = { readonly start: number; readonly end: number; readonly label: Primitive };

/** The steps of a terse trace with their places: every opening word starts one; text before the first belongs to none. */
export function terseSpans(text: string, from = 0, to = text.length): TerseSpan[] {
  const spans: { start: number; end: number; label: Primitive }[] = [];
  const word = /[^ \n]+/g;
  word.lastIndex = from;
  for (let match = word.exec(text); match !== null && match.index < to; match = word.exec(text)) {
    // The tag that ends the block may touch its last word.
    const end = Math.min(match.index + match[0].length, to);
    const label = primitiveOf.get(text.slice(match.index, end));
    if (label !== undefined) spans.push({ start: match.index, end, label });
    else if (spans.length > 0) spans[spans.length - 1].end = end;
  }
  return spans;
}

export const terseLabels = (text: string): Primitive[] => terseSpans(text).map(({ label }) => label);

const meanings: ReadonlyMap<string, string> = new Map([
  ["plan scan", "plan: deduce line after line, guess only when stuck"],
  ["plan guess", "plan: try one of two ways as soon as a line leaves two"],
  ["comp", "compute: what a line or a calculation forces; before > is what was known, after it what follows"],
  ["check", "check: a finished line, board or result held against what it should be; ok or bad"],
  ["enum", "enumerate: the ways that are left, separated by |"],
  ["hyp", "hypothesize: one of the ways is tried"],
  ["back", "backtrack: the guess failed; back to before it"],
  ["sum", "summarize: the board as far as it is known; ? is unknown"],
  ["setup", "setup: a line as it stands"],
]);

/** What a line of the terse language says, for readers who have not learned it; nothing for other text. */
export function terseMeaning(line: string): string | undefined {
  const [first, second] = line.trim().split(/\s+/);
  return meanings.get(`${first} ${second}`) ?? (second === undefined ? undefined : meanings.get(first));
}
