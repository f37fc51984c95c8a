// Synthetic mathematics: the held-out domain in miniature. Small problems in plain words with exact answers, each with a
// worked solution in direct style. Words and numbers are separated by spaces so that a word-level tokenizer reads them.
import type { Random } from "../../base/random.ts";

export type WorkedProblem = {
  readonly question: string;
  /** Numbers, or `a , b` where two are asked for. */
  readonly answer: string;
  /** Calculations that lead to the answer, in order, without looking back: what is known is worked out, what must be found is tried in order. */
  readonly work: readonly string[];
};

export type Family = {
  readonly name: string;
  /** Direct problems are worked out forwards; search problems have to be tried. */
  readonly nature: "direct" | "search";
  /** Levels from 1 (smallest numbers) to `levels`. */
  readonly make: (level: number, random: Random) => WorkedProblem;
};

export const levels = 3;

/** Every number that a problem mentions or passes through is at most this. */
export const largestNumber = 99;

export const between = (random: Random, low: number, high: number): number => low + random.below(high - low + 1);
