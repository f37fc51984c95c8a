// What an evaluation says, as it is written down.
import { z } from "zod";

const intervalSchema = z.object({ low: z.number(), high: z.number() });
const count = z.number().int().nonnegative();

const passAtKSchema = z.object({
  k: z.number().int().positive(),
  value: z.number(),
  /** What other problems of this kind would give; absent for a single problem. */
  newProblems: intervalSchema.optional(),
  /** What sampling the same problems again would give; absent where k is the number of attempts. */
  sameProblems: intervalSchema.optional(),
  /** The value if every undecided answer were right; absent when none is undecided. */
  ifUndecidedRight: z.number().optional(),
});

const setSummarySchema = z.object({
  set: z.string(),
  problems: count,
  /** Graded attempts at a problem, fewest and most. */
  attempts: z.object({ fewest: count, most: count }),
  states: z.object({ complete: count, truncated: count, failed: count, ungraded: count }),
  verdicts: z.object({ correct: count, wrong: count, unreadable: count, undecided: count }),
  /** Empty until every problem has a graded attempt. */
  passAtK: z.array(passAtKSchema),
  /** Share of problems whose most frequent answer is right; absent where answers are not read apart. */
  majority: z.object({ value: z.number(), newProblems: intervalSchema.optional() }).optional(),
  solved: count,
  /** pass@1 by subject, or by difficulty for puzzles; absent where problems have none. */
  subjects: z.array(z.object({ subject: z.string(), problems: count, passAt1: z.number() })).optional(),
  responseTokens: z.object({ mean: z.number(), median: z.number(), p90: z.number(), total: z.number() }).optional(),
  cost: z.number().optional(),
});
export type SetSummary = z.infer<typeof setSummarySchema>;

export const evaluationSummarySchema = z.object({
  version: z.literal(1),
  policy: z.string(),
  servedBy: z.array(z.string()),
  level: z.number(),
  sets: z.array(setSummarySchema),
  warnings: z.array(z.string()),
});
export type EvaluationSummary = z.infer<typeof evaluationSummarySchema>;
