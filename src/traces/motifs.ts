// Motifs: runs of k labels inside a trace, k from 2 to 15, counted with a sliding window that never crosses a break.
import { type Alphabet, type PrimitiveSequence, paperAlphabet } from "./sequence.ts";

export type Motif = readonly string[];

/** Codes of a motif are digits of one number, which must stay exact: fifteen of the paper's eight, fewer of more. */
export function motifLengths({ breakCode }: Alphabet = paperAlphabet): number[] {
  const longest = Math.min(15, Math.floor(53 / Math.log2(Math.max(2, breakCode))));
  return Array.from({ length: longest - 1 }, (_, i) => i + 2);
}

/** Motifs seen fewer times than this over all traces are noise: 5 up to length five, 10 beyond. */
export const noiseThreshold = (length: number): number => (length <= 5 ? 5 : 10);

export const motifText = (motif: Motif): string => motif.join("→");
export const motifOf = (text: string): Motif => text.split("→");

export function motifCode(motif: Motif, { breakCode, codeOf }: Alphabet = paperAlphabet): number {
  return motif.reduce((code, label) => code * breakCode + codeOf(label), 0);
}

export function motifOfCode(code: number, length: number, { breakCode, labels }: Alphabet = paperAlphabet): string[] {
  const motif: string[] = [];
  for (let i = 0, rest = code; i < length; i++, rest = Math.floor(rest / breakCode)) {
    motif.unshift(labels[rest % breakCode]);
  }
  return motif;
}

/** Calls `visit` with the code of every window of `length` that holds no break and nothing unsure. */
export function eachWindow(
  sequence: PrimitiveSequence,
  length: number,
  visit: (code: number) => void,
  { breakCode }: Alphabet = paperAlphabet,
): void {
  const wrap = breakCode ** (length - 1);
  let code = 0;
  let unbroken = 0;
  for (let i = 0; i < sequence.length; i++) {
    if (sequence[i] >= breakCode) {
      unbroken = 0;
      code = 0;
      continue;
    }
    // The oldest label leaves at the top before the new one enters below, so that the number never grows beyond its digits.
    code = (code % wrap) * breakCode + sequence[i];
    unbroken += 1;
    if (unbroken >= length) visit(code);
  }
}

/** Window positions of a trace, L − k + 1, breaks among the L: what counts are divided by. */
export const windowPositions = (sequence: PrimitiveSequence, length: number): number =>
  Math.max(0, sequence.length - length + 1);

/** How often a motif occurs when matches may not share a span, from left to right. */
export function nonOverlappingCount(sequence: PrimitiveSequence, codes: ArrayLike<number>): number {
  let count = 0;
  for (let start = 0; start + codes.length <= sequence.length; ) {
    let matched = 0;
    while (matched < codes.length && sequence[start + matched] === codes[matched]) matched += 1;
    if (matched === codes.length) {
      count += 1;
      start += codes.length;
    } else {
      start += 1;
    }
  }
  return count;
}

export type MotifCount = {
  readonly motif: Motif;
  /** Over all traces. */
  readonly count: number;
  /** Mean over traces of count / (L − k + 1); a trace too short to hold the motif counts as 0. */
  readonly frequency: number;
  /** How many traces hold it at least once. */
  readonly traces: number;
};

/** Every motif of one length that is not noise, most frequent first. */
export function motifCounts(
  sequences: readonly PrimitiveSequence[],
  length: number,
  alphabet: Alphabet = paperAlphabet,
  atLeast: number = noiseThreshold(length),
): MotifCount[] {
  const found = new Map<number, { count: number; frequency: number; traces: number; last: number }>();
  for (const [trace, sequence] of sequences.entries()) {
    const share = 1 / windowPositions(sequence, length);
    eachWindow(
      sequence,
      length,
      (code) => {
        let own = found.get(code);
        if (own === undefined) found.set(code, (own = { count: 0, frequency: 0, traces: 0, last: -1 }));
        own.count += 1;
        own.frequency += share;
        if (own.last !== trace) own.traces += 1;
        own.last = trace;
      },
      alphabet,
    );
  }
  return [...found]
    .filter(([, { count }]) => count >= atLeast)
    .sort(([a, one], [b, other]) => other.frequency - one.frequency || a - b)
    .map(([code, { count, frequency, traces }]) => ({
      motif: motifOfCode(code, length, alphabet),
      count,
      frequency: frequency / sequences.length,
      traces,
    }));
}
