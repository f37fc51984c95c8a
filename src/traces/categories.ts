// The curated motif categories: recovery, exploitation and verification trigrams, disjoint by construction, and their
// forms of length five. Windows slide over the labels as they stand: `other` is an allowed middle here, not a break.
import { codeOf, type PrimitiveSequence } from "./sequence.ts";

export const trigramCategories = ["recovery", "exploitation", "verification"] as const;
export type TrigramCategory = (typeof trigramCategories)[number];

export const fivegramCategories = ["exploitation", "verification"] as const;
export type FivegramCategory = (typeof fivegramCategories)[number];

const { plan, setup, enumerate, hypothesize, compute, check, backtrack, summarize, other } = codeOf;

/** What may stand between two checks: not another check (a sticky check is no pattern), nor a recovery primitive. */
const allowedMiddle = [plan, setup, enumerate, compute, summarize, other].reduce((mask, code) => mask | (1 << code), 0);

const mayStandBetween = (code: number) => (allowedMiddle & (1 << code)) !== 0;

/** The category of the window of three that starts at `start`, if it has one. */
export function trigramCategory(sequence: PrimitiveSequence, start: number): TrigramCategory | undefined {
  const [first, second, third] = [sequence[start], sequence[start + 1], sequence[start + 2]];
  const has = (code: number) => first === code || second === code || third === code;
  if (has(hypothesize) && has(backtrack)) return "recovery";
  if (first === compute && second === check && third === compute) return "exploitation";
  if (first === check && third === check && mayStandBetween(second)) return "verification";
  return undefined;
}

/** The category of the window of five that starts at `start`. An exploitation chain is not counted as verification too. */
export function fivegramCategory(sequence: PrimitiveSequence, start: number): FivegramCategory | undefined {
  const anchored = sequence[start] === check && sequence[start + 2] === check && sequence[start + 4] === check;
  if (!anchored) return undefined;
  const [x, y] = [sequence[start + 1], sequence[start + 3]];
  if (x === compute && y === compute) return "exploitation";
  return mayStandBetween(x) && mayStandBetween(y) ? "verification" : undefined;
}

export function trigramCategoryCounts(sequence: PrimitiveSequence): Record<TrigramCategory, number> {
  const counts = { recovery: 0, exploitation: 0, verification: 0 };
  for (let start = 0; start + 3 <= sequence.length; start++) {
    const category = trigramCategory(sequence, start);
    if (category !== undefined) counts[category] += 1;
  }
  return counts;
}

export function fivegramCategoryCounts(sequence: PrimitiveSequence): Record<FivegramCategory, number> {
  const counts = { exploitation: 0, verification: 0 };
  for (let start = 0; start + 5 <= sequence.length; start++) {
    const category = fivegramCategory(sequence, start);
    if (category !== undefined) counts[category] += 1;
  }
  return counts;
}
