// Synthetic mathematics: the held-out domain in miniature. Small problems in plain words with exact answers, each with
// everything a teacher needs to reason about it. Words and numbers are separated by spaces, for a word-level tokenizer.
import type { Random } from "../../base/random.ts";

/** A calculation and, where it can be turned around, the calculation that checks it: `3 * 4 = 12`, `12 / 3 = 4`. */
export type Step = { readonly compute: string; readonly check?: string };

/** One candidate for the answer, held against the question. */
export type Trial = {
  /** `a = 3` */
  readonly guess: string;
  readonly work: readonly string[];
  /** `45 = 81`; absent where the work itself leads out of the numbers. */
  readonly check?: string;
  readonly holds: boolean;
  /** What is left to work out once the candidate is settled on. */
  readonly rest: readonly string[];
  /** What whoever settles on this candidate answers. */
  readonly answer: string;
};

export type WorkedProblem = {
  readonly question: string;
  /** Numbers, or `a , b` where two are asked for. */
  readonly answer: string;
  /** What is known is worked out step by step; what must be found is tried, in a fixed order, and exactly one candidate holds. */
  readonly solution: { readonly steps: readonly Step[] } | { readonly trials: readonly Trial[] };
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

/** What a calculation ends in that leaves 0 to 99. */
export const noNumber = "no";

export const between = (random: Random, low: number, high: number): number => low + random.below(high - low + 1);
