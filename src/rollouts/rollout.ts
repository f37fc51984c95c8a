// A rollout: one attempt of a policy at a problem, as it is written down. Sampling and grading are separate, so the
// verdict of a rollout may come with it (training) or lie in a file of its own that can be made again (evaluation).
import { z } from "zod";

/** Complete: the policy stopped by itself. Truncated: its budget ended first. Failed: there is no response to grade. */
export const rolloutStateSchema = z.enum(["complete", "truncated", "failed"]);
export type RolloutState = z.infer<typeof rolloutStateSchema>;

/** What a rollout was made for. */
export const rolloutStages = ["evaluation", "training", "teacher"] as const;
export type RolloutStage = (typeof rolloutStages)[number];

export const verdictNameSchema = z.enum(["correct", "wrong", "unreadable", "undecided"]);
export type VerdictName = z.infer<typeof verdictNameSchema>;

/** Reward by part; `bonus` is what a training objective added, and `total` is what it optimized. */
const rewardSchema = z.object({
  exact: z.number(),
  completion: z.number().optional(),
  format: z.number().optional(),
  bonus: z.number().optional(),
  total: z.number(),
});
export type Reward = z.infer<typeof rewardSchema>;

export const gradeSchema = z.object({
  verdict: verdictNameSchema,
  because: z.string().optional(),
  /** The final answer as it was read, where reading it is part of grading. */
  answer: z.string().optional(),
  reward: rewardSchema,
  /** Who says so, of rollouts that others made: their own program, or we, from the gold answer beside them. */
  by: z.enum(["recorded", "gold", "score"]).optional(),
});
export type Grade = z.infer<typeof gradeSchema>;

export const rolloutSchema = z.object({
  problem: z.string(),
  /** Counts the attempts at one problem from 0; (problem, attempt) is the key of a record. */
  attempt: z.number().int().nonnegative(),
  /** The policy that answered: a checkpoint's name or a server's model. */
  policy: z.string(),
  /** The training step that made it, where one did. */
  step: z.number().int().optional(),
  seed: z.number().int().optional(),
  state: rolloutStateSchema,
  /** Why there is no response, for failed rollouts. */
  failure: z.string().optional(),
  prompt: z.string().optional(),
  response: z.string(),
  /** The thinking that a server returned apart from the response. */
  reasoning: z.string().optional(),
  /** How many turns it took, where it could take several. */
  turns: z.number().int().positive().optional(),
  promptTokens: z.number().int().optional(),
  responseTokens: z.number().int().optional(),
  milliseconds: z.number().optional(),
  cost: z.number().optional(),
  /** What the server called the model that answered. */
  servedBy: z.string().optional(),
  finish: z.string().optional(),
  grade: gradeSchema.optional(),
  /** What the program that made it gave it: a score holds partial credit and bonuses, and is no grade. */
  recorded: z.object({ score: z.number().optional(), correct: z.boolean().optional() }).optional(),
  /** Where the bonus was in force: the score that it ranks by, and the z that it paid for. */
  novelty: z.object({ score: z.number(), z: z.number().optional() }).optional(),
  /** Surprisal under the frozen reference in nats: of all tokens, and of the 10, 100 and 200 most surprising ones, at the
   * temperature at which the bonus scores; that of the KL where there is no bonus. */
  surprisal: z.object({ mean: z.number(), top: z.array(z.number()), temperature: z.number().optional() }).optional(),
  /** The same of each token in order; kept of the first attempt at a problem only, because it is a number a token. */
  tokenNll: z.array(z.number()).optional(),
  /** Labels of its spans in order, and the id of the labeler that gave them: without one they are nobody's. */
  primitives: z.array(z.string()).optional(),
  labeledBy: z.string().optional(),
});
export type Rollout = z.infer<typeof rolloutSchema>;

/** A grade on its own line, for verdict files beside append-only rollouts. */
export const gradedKeySchema = gradeSchema.extend({ problem: z.string(), attempt: z.number().int().nonnegative() });
export type KeyedGrade = z.infer<typeof gradedKeySchema>;

export const rolloutKey = (rollout: { readonly problem: string; readonly attempt: number }): string =>
  `${rollout.problem}\u0000${rollout.attempt}`;
