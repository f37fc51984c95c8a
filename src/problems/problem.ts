// What a policy is asked: a prompt, and what is needed to grade what it says. Puzzles carry their instance, mathematics
// its gold answer; nothing else about a problem matters to sampling, training or evaluation.
import { z } from "zod";
import { puzzleNames } from "../puzzles/catalog.ts";

const shared = {
  /** Unique within its set; the key under which attempts are recorded. */
  id: z.string().min(1),
  prompt: z.string(),
  /** Which set it came from: `olymmath-en-hard`, `bridges 7x7 test`. */
  set: z.string().optional(),
};

export const puzzleProblemSchema = z.object({
  ...shared,
  kind: z.literal("puzzle"),
  puzzle: z.enum(puzzleNames),
  /** Simon Tatham's `params:desc`. */
  instance: z.string(),
  difficulty: z.string().optional(),
});

export const mathematicsProblemSchema = z.object({
  ...shared,
  kind: z.literal("mathematics"),
  answer: z.string(),
  subject: z.string().optional(),
  /** Decimal places that the set's gold answers were rounded to, where they were. */
  decimals: z.number().int().nonnegative().optional(),
});

export const problemSchema = z.discriminatedUnion("kind", [puzzleProblemSchema, mathematicsProblemSchema]);
export type Problem = z.infer<typeof problemSchema>;
export type PuzzleProblem = z.infer<typeof puzzleProblemSchema>;
export type MathematicsProblem = z.infer<typeof mathematicsProblemSchema>;
