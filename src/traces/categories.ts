// Curated categories of short motifs, as a taxonomy defines them: the paper has recovery, exploitation and verification,
// three and five spans long. Windows slide over the labels as they stand: a break may stand where a category allows it.
import { type Alphabet, type CompiledCategory, type PrimitiveSequence, paperAlphabet } from "./sequence.ts";

const lengthWords: Readonly<Record<number, string>> = { 2: "bigrams", 3: "trigrams", 4: "fourgrams", 5: "fivegrams" };

/** `recovery trigrams`: how a category is called in tables. */
export const categoryMeasure = ({ name, length }: CompiledCategory): string =>
  `${name} ${lengthWords[length] ?? `${length}-grams`}`;

function fits({ length, pattern, holds }: CompiledCategory, sequence: PrimitiveSequence, start: number): boolean {
  if (pattern !== undefined) {
    for (let i = 0; i < length; i++) if ((pattern[i] & (1 << sequence[start + i])) === 0) return false;
    return true;
  }
  let seen = 0;
  for (let i = 0; i < length; i++) seen |= 1 << sequence[start + i];
  return (seen & holds!) === holds!;
}

/** The category of the window of this length that starts here: the first that fits, so that none counts twice. */
export function categoryAt(
  sequence: PrimitiveSequence,
  start: number,
  length: number,
  { categories }: Alphabet = paperAlphabet,
): CompiledCategory | undefined {
  if (start + length > sequence.length) return undefined;
  return categories.find((category) => category.length === length && fits(category, sequence, start));
}

/** How many windows are of each category, in the order of the taxonomy. */
export function categoryCounts(sequence: PrimitiveSequence, alphabet: Alphabet = paperAlphabet): number[] {
  const { categories } = alphabet;
  const counts = new Array<number>(categories.length).fill(0);
  const lengths = new Set(categories.map(({ length }) => length));
  for (const length of lengths) {
    const rivals = categories.flatMap((category, index) => (category.length === length ? [{ category, index }] : []));
    for (let start = 0; start + length <= sequence.length; start++) {
      const found = rivals.find(({ category }) => fits(category, sequence, start));
      if (found !== undefined) counts[found.index] += 1;
    }
  }
  return counts;
}
