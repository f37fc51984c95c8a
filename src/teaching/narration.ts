// The narrating teacher's contract: a solver that thinks aloud. It reasons from its own search and never from knowledge
// of the solution, and every step knows which primitive it is, so its traces are labeled by construction.
import type { Random } from "../base/random.ts";
import type { Primitive } from "../rollouts/primitives.ts";

/**
 * terse: a language of a few dozen words, one step a line, that a model of a million parameters can learn.
 * plain: short sentences. prose: a chain of thought as a large model writes it.
 */
export type NarrationStyle = "terse" | "plain" | "prose";

export type NarrationOptions = {
  readonly style: NarrationStyle;
  readonly random: Random;
  /**
   * How often the teacher tries a value where it could still deduce, from 0 (only when stuck) to 1 (whenever it may).
   * Guesses that fail are noticed, abandoned and returned from.
   */
  readonly guessing: number;
  /** How often a deduction goes wrong and is caught (or not) later, per step. */
  readonly errorRate: number;
  /** `direct` leaves out guesses and returns: deduction and checks alone, or no answer at all. */
  readonly repertoire: "full" | "direct";
  /** A line of thought that grows longer than this many steps is given up. */
  readonly maxSteps: number;
};

export type NarratedStep = { readonly primitive: Primitive; readonly text: string };

export type Narration = {
  readonly steps: readonly NarratedStep[];
  /** What the teacher answers, as text for the answer tags; absent when it gave up. It may be wrong. */
  readonly answer?: string;
};
