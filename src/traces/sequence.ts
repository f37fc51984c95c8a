// A trace as a sequence of labels, one per span, in a byte each. An alphabet is a taxonomy ready for counting: labels as
// codes and letters, groups of labels as bit masks. The break's code is the last, so the reasoning labels are all below it.
import { DataError } from "../base/errors.ts";
import { paperTaxonomy } from "../rollouts/paper-taxonomy.ts";
import type { Taxonomy } from "../rollouts/taxonomy.ts";

/** Positions in an alphabet's labels, so that a hundred thousand traces cost a byte a span. */
export type PrimitiveSequence = Uint8Array;

export type CompiledCategory = {
  readonly name: string;
  readonly length: number;
  /** By place; absent where the window must hold every one of `holds` somewhere. */
  readonly pattern?: readonly number[];
  readonly holds?: number;
};

export type Alphabet = {
  readonly taxonomy: Taxonomy;
  /** The break is the last. */
  readonly labels: readonly string[];
  /** In the order of the labels and then of what is unsure, so that a code finds its letter. */
  readonly letters: string;
  readonly breakCode: number;
  /** Of spans whose labeler was not sure: no label, no break, and in no motif or run. Behind the labels, written `?`. */
  readonly unsureCode: number;
  readonly exploit: number;
  readonly exploitStrict: number;
  readonly recover: number;
  readonly motifs: readonly { readonly name: string; readonly labels: readonly string[]; readonly codes: Uint8Array }[];
  readonly categories: readonly CompiledCategory[];
  readonly codeOf: (label: string) => number;
};

/** What stands in place of a label where the labeler was not sure. */
export const unsureLabel = "unsure";

const compiled = new WeakMap<Taxonomy, Alphabet>();

export function alphabetOf(taxonomy: Taxonomy): Alphabet {
  let found = compiled.get(taxonomy);
  if (found === undefined) {
    found = compile(taxonomy);
    compiled.set(taxonomy, found);
  }
  return found;
}

function compile(taxonomy: Taxonomy): Alphabet {
  const breaksLast = (a: { name: string }, b: { name: string }) =>
    Number(a.name === taxonomy.break) - Number(b.name === taxonomy.break);
  const ordered = [...taxonomy.labels].sort(breaksLast);
  const codes = new Map([[unsureLabel, ordered.length], ...ordered.map(({ name }, code) => [name, code] as const)]);
  const codeOf = (label: string) => {
    const code = codes.get(label);
    if (code === undefined)
      throw new DataError(`unknown label ${JSON.stringify(label)}; expected one of: ${[...codes.keys()].join(", ")}`);
    return code;
  };
  const mask = (labels: readonly string[]) => labels.reduce((bits, label) => bits | (1 << codeOf(label)), 0);
  return {
    taxonomy,
    labels: ordered.map(({ name }) => name),
    letters: `${ordered.map(({ letter }) => letter).join("")}?`,
    breakCode: ordered.length - 1,
    unsureCode: ordered.length,
    exploit: mask(taxonomy.exploit),
    exploitStrict: mask(taxonomy.exploitStrict ?? taxonomy.exploit),
    recover: mask(taxonomy.recover),
    motifs: Object.entries(taxonomy.motifs).map(([name, labels]) => ({
      name,
      labels,
      codes: Uint8Array.from(labels, codeOf),
    })),
    categories: taxonomy.categories.map((category) =>
      "holds" in category
        ? { name: category.name, length: category.length, holds: mask(category.holds) }
        : {
            name: category.name,
            length: category.pattern.length,
            pattern: category.pattern.map((place) => mask([place].flat())),
          },
    ),
    codeOf,
  };
}

export const paperAlphabet: Alphabet = alphabetOf(paperTaxonomy);

export function sequenceOf(labels: readonly string[], { codeOf }: Alphabet = paperAlphabet): PrimitiveSequence {
  return Uint8Array.from(labels, codeOf);
}

export function labelsOf(sequence: PrimitiveSequence, { labels }: Alphabet = paperAlphabet): string[] {
  return Array.from(sequence, (code) => labels[code] ?? unsureLabel);
}

/** The form in which sequences are stored and searched: `SCKCKZ`. */
export function writeSequence(sequence: PrimitiveSequence, { letters }: Alphabet = paperAlphabet): string {
  let text = "";
  for (const code of sequence) text += letters[code];
  return text;
}

export function readSequence(text: string, { letters }: Alphabet = paperAlphabet): PrimitiveSequence {
  return Uint8Array.from(text, (letter) => {
    const code = letters.indexOf(letter);
    if (code === -1)
      throw new DataError(`unknown primitive letter ${JSON.stringify(letter)}; expected one of: ${letters}`);
    return code;
  });
}

/** How often each label occurs, in the alphabet's order. */
export function primitiveCounts(sequence: PrimitiveSequence, { labels }: Alphabet = paperAlphabet): number[] {
  const counts = new Array<number>(labels.length).fill(0);
  for (const code of sequence) if (code < counts.length) counts[code] += 1;
  return counts;
}
