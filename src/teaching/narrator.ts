// The narrating teacher: a puzzle as constraints, thought through, put into words.
import type { Random } from "../base/random.ts";
import { type PuzzleName, puzzleNamed } from "../puzzles/catalog.ts";
import type { Primitive } from "../rollouts/primitives.ts";
import { proseText } from "./prose-voice.ts";
import { reason } from "./reasoner.ts";
import { spaced } from "./terse-language.ts";
import { terseText } from "./terse-voice.ts";

/** The givens in the terse language, as a small model is asked. */
export function tersePrompt(puzzle: PuzzleName, instance: unknown): string {
  return spaced(`${puzzleNamed(puzzle).constraints(instance).prompt}\n`);
}

export function narrate(puzzle: PuzzleName, instance: unknown, options: NarrationOptions): Narration {
  const model = puzzleNamed(puzzle).constraints(instance);
  const { style, random } = options;
  const { thoughts, values } = reason(model, options);
  const wording = random.child("wording");
  return {
    steps: thoughts.map((thought) => ({
      primitive: thought.primitive,
      text: style === "terse" ? terseText(model, thought) : proseText({ model, random: wording, style }, thought),
    })),
    answer: values && model.answer(values),
  };
}

/** A narration as a response in the terse language, tags and all. */
export function terseResponse({ steps, answer }: Narration): string {
  const reasoning = steps.map((step) => step.text).join("\n");
  return spaced(`<reasoning>\n${reasoning}\n</reasoning>\n<answer>\n${answer ?? ""}\n</answer>`);
}

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
