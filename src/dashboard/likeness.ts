// How alike two traces are: by the motifs that their labels make, and by their words. Pure.
import type { PrimitiveSequence } from "../traces/sequence.ts";
import type { RolloutColumns } from "./rollout-columns.ts";

const longestMotif = 3;

/** How often each run of 1, 2 and 3 labels occurs in a trace, as square roots of shares; a motif is a number in base `labels`. */
type MotifProfile = readonly ReadonlyMap<number, number>[];

export function motifProfile(sequence: PrimitiveSequence, labels: number): MotifProfile {
  return Array.from({ length: Math.min(longestMotif, sequence.length) }, (_, i) => {
    const counts = countsOf(sequence, i + 1, labels);
    const total = sequence.length - i;
    return new Map(Array.from(counts, ([motif, count]) => [motif, Math.sqrt(count / total)]));
  });
}

function countsOf(sequence: PrimitiveSequence, length: number, labels: number): Map<number, number> {
  const counts = new Map<number, number>();
  const whole = labels ** length;
  for (let i = 0, motif = 0; i < sequence.length; i++) {
    motif = (motif * labels + sequence[i]) % whole;
    if (i + 1 >= length) counts.set(motif, (counts.get(motif) ?? 0) + 1);
  }
  return counts;
}

/** Bhattacharyya's coefficient of two profiles, mean over the lengths that the first has: 1 is the same, 0 shares nothing. */
export function profileLikeness(profile: MotifProfile, sequence: PrimitiveSequence, labels: number): number {
  if (profile.length === 0) return 0;
  let sum = 0;
  profile.forEach((wanted, i) => {
    const total = sequence.length - i;
    if (total <= 0) return;
    for (const [motif, count] of countsOf(sequence, i + 1, labels)) {
      const root = wanted.get(motif);
      if (root !== undefined) sum += root * Math.sqrt(count / total);
    }
  });
  return sum / profile.length;
}

// ---- Traces of several sources ---------------------------------------------------------------------------------------

export type Scored = { readonly source: string; readonly row: number; readonly likeness: number };

type Listed = { readonly id: string; readonly columns: RolloutColumns };

/** The most alike first, never the trace itself. */
export function alikeByMotifs(
  sources: readonly Listed[],
  to: { readonly source: string; readonly row: number },
): Scored[] {
  const own = sources.find(({ id }) => id === to.source);
  if (own === undefined || to.row >= own.columns.labeled) return [];
  const { length: labels } = own.columns.alphabet.labels;
  const profile = motifProfile(own.columns.sequenceOf(to.row), labels);
  const scored: Scored[] = [];
  for (const { id, columns } of sources)
    for (let row = 0; row < columns.labeled; row++) {
      if (columns.columns.hidden[row] === 1 || (id === to.source && row === to.row)) continue;
      const likeness = profileLikeness(profile, columns.sequenceOf(row), labels);
      if (likeness > 0) scored.push({ source: id, row, likeness });
    }
  return mostAlike(scored);
}

export const mostAlike = (scored: readonly Scored[]): Scored[] => [...scored].sort((a, b) => b.likeness - a.likeness);

/** Texts that say which words are rare, evenly over all. */
const sampleRows = 200;

export function sampleOf<Item>(items: readonly Item[]): Item[] {
  const every = Math.max(1, Math.floor(items.length / sampleRows));
  return items.filter((_, i) => i % every === 0).slice(0, sampleRows);
}

// ---- Words -----------------------------------------------------------------------------------------------------------

/** Words in small letters; numbers and words of several letters. */
export const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}{2,}|\d+/gu) ?? [];

const mostWords = 32;
/** Okapi's usual constants: how fast repetition stops to count, and how much length is held against a text. */
const [saturation, lengthShare] = [1.2, 0.75];

export type WordQuery = { readonly words: readonly string[]; readonly ofWord: ReadonlyMap<string, number> };

/** The words of a text that tell it from a sample of others, by frequency in it times rarity among them. */
export function tellingWords(text: string, sample: readonly string[]): WordQuery {
  const own = countedWords(text);
  const holding = new Map<string, number>();
  for (const other of sample)
    for (const word of new Set(wordsOf(other))) if (own.has(word)) holding.set(word, (holding.get(word) ?? 0) + 1);
  const weight = (word: string) => own.get(word)! * rarity(holding.get(word) ?? 0, sample.length);
  const words = [...own.keys()].sort((a, b) => weight(b) - weight(a) || (a < b ? -1 : 1)).slice(0, mostWords);
  return { words, ofWord: new Map(words.map((word, i) => [word, i])) };
}

function countedWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** The inverse document frequency of BM25, never negative. */
const rarity = (holding: number, of: number): number => Math.log(1 + (of - holding + 0.5) / (holding + 0.5));

/** A text as the query sees it: how often it has each of its words, and how many it has in all. */
export type CountedText = { readonly counts: Uint16Array; readonly length: number };

export function countedText(text: string, { words, ofWord }: WordQuery): CountedText {
  const counts = new Uint16Array(words.length);
  const all = wordsOf(text);
  for (const word of all) {
    const place = ofWord.get(word);
    if (place !== undefined && counts[place] < 65_535) counts[place] += 1;
  }
  return { counts, length: all.length };
}

/** BM25 of every text, as a share of what `own` scores. */
export function wordLikeness(own: CountedText, texts: readonly CountedText[]): number[] {
  const of = texts.length;
  const mean = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, of);
  const weights = Array.from(own.counts, (_, i) =>
    rarity(
      texts.reduce((sum, { counts }) => sum + (counts[i] > 0 ? 1 : 0), 0),
      of,
    ),
  );
  const score = ({ counts, length }: CountedText): number => {
    const held = saturation * (1 - lengthShare + lengthShare * (mean === 0 ? 1 : length / mean));
    let sum = 0;
    for (let i = 0; i < counts.length; i++)
      if (counts[i] > 0) sum += (weights[i] * counts[i] * (saturation + 1)) / (counts[i] + held);
    return sum;
  };
  const most = score(own);
  return texts.map((text) => (most === 0 ? 0 : score(text) / most));
}
