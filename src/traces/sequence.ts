// A trace as a sequence of primitives, one per span. `other` is formatting and meta talk: it stays in the sequence as a
// break that nothing may be counted across (the paper's __BREAK__).
import { DataError } from "../base/errors.ts";
import { type Primitive, primitives } from "../rollouts/primitives.ts";
import { primitiveLetters } from "./primitive-colours.ts";

/** Positions in `primitives`, so that a hundred thousand traces cost a byte a span. */
export type PrimitiveSequence = Uint8Array;

export const codeOf: Readonly<Record<Primitive, number>> = Object.fromEntries(
  primitives.map((primitive, code) => [primitive, code]),
) as Record<Primitive, number>;

/** The code of `other`. The eight reasoning primitives are all below it. */
export const breakCode = codeOf.other;

export function sequenceOf(labels: readonly Primitive[]): PrimitiveSequence {
  return Uint8Array.from(labels, (label) => codeOf[label]);
}

export function labelsOf(sequence: PrimitiveSequence): Primitive[] {
  return Array.from(sequence, (code) => primitives[code]);
}

/** In the order of `primitives`, so that a code finds its letter. */
const letters = primitives.map((primitive) => primitiveLetters[primitive]).join("");

/** The form in which sequences are stored and searched: `SCKCKZ`. */
export function writeSequence(sequence: PrimitiveSequence): string {
  let text = "";
  for (const code of sequence) text += letters[code];
  return text;
}

export function readSequence(text: string): PrimitiveSequence {
  return Uint8Array.from(text, (letter) => {
    const code = letters.indexOf(letter);
    if (code === -1)
      throw new DataError(`unknown primitive letter ${JSON.stringify(letter)}; expected one of: ${letters}`);
    return code;
  });
}

/** How often each primitive occurs, in the order of `primitives`. */
export function primitiveCounts(sequence: PrimitiveSequence): number[] {
  const counts = new Array<number>(primitives.length).fill(0);
  for (const code of sequence) counts[code] += 1;
  return counts;
}
