// What a policy is asked: a prompt, and what is needed to grade what it says. Puzzles carry their instance, mathematics
// its gold answer, any other question the name of its own grader and what that grader needs, those of others what was recorded; nothing else about a problem
// matters to sampling, training or evaluation.
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

/** A question that a grader of its owner's decides: a module, or an address that is asked over HTTP. */
export const questionProblemSchema = z.object({
  ...shared,
  kind: z.literal("question"),
  /** A path, or an address that begins with http. */
  grader: z.string().min(1),
  answer: z.string().optional(),
  subject: z.string().optional(),
  /** The row it came from, for the grader. */
  data: z.record(z.string(), z.unknown()).optional(),
});

/** Asked by somebody else's program and graded there, if at all: what its rollouts tell of it. */
export const recordedProblemSchema = z.object({
  ...shared,
  kind: z.literal("recorded"),
  domain: z.enum(["puzzle", "mathematics"]).optional(),
  puzzle: z.string().optional(),
  /** Of its board, like 7x7. */
  size: z.string().optional(),
  /** The gold answer, where nothing here can grade by it. */
  answer: z.string().optional(),
  subject: z.string().optional(),
});

export const problemSchema = z.discriminatedUnion("kind", [
  puzzleProblemSchema,
  mathematicsProblemSchema,
  questionProblemSchema,
  recordedProblemSchema,
]);
export type Problem = z.infer<typeof problemSchema>;
export type PuzzleProblem = z.infer<typeof puzzleProblemSchema>;
export type MathematicsProblem = z.infer<typeof mathematicsProblemSchema>;
export type QuestionProblem = z.infer<typeof questionProblemSchema>;
