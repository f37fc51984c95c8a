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
  const table = new MotifTable();
  for (let trace = 0; trace < sequences.length; trace++) {
    const share = 1 / windowPositions(sequences[trace], length);
    eachWindow(sequences[trace], length, (code) => table.add(code, share, trace), alphabet);
  }
  return table
    .entries()
    .filter((entry) => entry.count >= atLeast)
    .sort((a, b) => b.frequency - a.frequency || a.code - b.code)
    .map(({ code, count, frequency, traces }) => ({
      motif: motifOfCode(code, length, alphabet),
      count,
      frequency: frequency / sequences.length,
      traces,
    }));
}

/** Counts by code in flat arrays with open addressing: tens of millions of windows without an object each. */
class MotifTable {
  #size = 0;
  #slots = 1024;
  #codes = new Float64Array(this.#slots).fill(-1);
  #counts = new Uint32Array(this.#slots);
  #frequencies = new Float64Array(this.#slots);
  #traces = new Uint32Array(this.#slots);
  #lastTrace = new Int32Array(this.#slots).fill(-1);

  add(code: number, share: number, trace: number): void {
    const slot = this.#slotOf(code);
    if (this.#codes[slot] === -1) {
      this.#codes[slot] = code;
      this.#size += 1;
    }
    this.#counts[slot] += 1;
    this.#frequencies[slot] += share;
    if (this.#lastTrace[slot] !== trace) {
      this.#lastTrace[slot] = trace;
      this.#traces[slot] += 1;
    }
    if (this.#size * 2 > this.#slots) this.#grow();
  }

  *#filled(): Generator<number> {
    for (let slot = 0; slot < this.#slots; slot++) if (this.#codes[slot] !== -1) yield slot;
  }

  entries(): { code: number; count: number; frequency: number; traces: number }[] {
    return Array.from(this.#filled(), (slot) => ({
      code: this.#codes[slot],
      count: this.#counts[slot],
      frequency: this.#frequencies[slot],
      traces: this.#traces[slot],
    }));
  }

  #slotOf(code: number): number {
    const low = (code % 4_294_967_296) | 0;
    const high = Math.floor(code / 4_294_967_296);
    let slot = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b);
    slot = (slot ^ (slot >>> 15)) & (this.#slots - 1);
    while (this.#codes[slot] !== -1 && this.#codes[slot] !== code) slot = (slot + 1) & (this.#slots - 1);
    return slot;
  }

  #grow(): void {
    const [codes, counts, frequencies, traces, lastTrace] = [
      this.#codes,
      this.#counts,
      this.#frequencies,
      this.#traces,
      this.#lastTrace,
    ];
    const filled = [...this.#filled()];
    this.#slots *= 2;
    this.#codes = new Float64Array(this.#slots).fill(-1);
    this.#counts = new Uint32Array(this.#slots);
    this.#frequencies = new Float64Array(this.#slots);
    this.#traces = new Uint32Array(this.#slots);
    this.#lastTrace = new Int32Array(this.#slots).fill(-1);
    for (const old of filled) {
      const slot = this.#slotOf(codes[old]);
      this.#codes[slot] = codes[old];
      this.#counts[slot] = counts[old];
      this.#frequencies[slot] = frequencies[old];
      this.#traces[slot] = traces[old];
      this.#lastTrace[slot] = lastTrace[old];
    }
  }
}
