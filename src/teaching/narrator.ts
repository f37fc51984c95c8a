// The narrating teacher: a puzzle as constraints, thought through, put into words.
import { type PuzzleName, puzzleNamed } from "../puzzles/catalog.ts";
import type { Narration, NarrationOptions } from "./narration.ts";
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
