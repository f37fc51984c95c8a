// What the loops told, as it is read back from a run folder by whoever draws it. More forgiving than what is written: a field
// that an objective does not have, or that a run of an older version did not write, is absent and nothing else is lost.
import { z } from "zod";

const rate = z.record(z.string(), z.number());

/** JSON writes null for a number that is none, as servers without a gradient norm leave it. */
const optionalNumber = z
  .number()
  .nullish()
  .transform((value) => value ?? undefined);

export const recordedRlStepSchema = z.object({
  type: z.literal("rl-step"),
  step: z.number(),
  problems: z.number(),
  rollouts: z.number(),
  reward: z.object({
    total: z.number(),
    exact: z.number(),
    completion: z.number(),
    format: z.number(),
    bonus: z.number(),
  }),
  solveRate: z.number(),
  solveRateByFamily: rate.default({}),
  groups: z.object({ allRight: z.number(), allWrong: z.number() }).optional(),
  /** One per optimizer step; without a reference there is no KL. */
  updates: z.array(z.object({ kl: optionalNumber, clipFraction: optionalNumber, gradientNorm: optionalNumber })),
  entropy: z.number(),
  responseTokens: z.object({ mean: z.number(), longest: z.number().optional() }),
  truncatedShare: z.number().optional(),
  learningRate: z.number().optional(),
  primitives: rate.optional(),
  labeledBy: z.string().optional(),
  warnings: z.array(z.string()).default([]),
});
export type RecordedRlStep = z.infer<typeof recordedRlStepSchema>;

export const recordedPaceSchema = z.object({
  type: z.literal("rl-pace"),
  step: z.number(),
  seconds: z.object({ sampling: z.number(), scoring: z.number(), updating: z.number() }),
  sampledTokensPerSecond: z.number(),
});

export const recordedSftStepSchema = z.object({
  type: z.literal("sft-step"),
  step: z.number(),
  loss: z.number(),
  gradientNorm: optionalNumber,
  learningRate: optionalNumber,
});
export const recordedSftEpochSchema = z.object({
  type: z.literal("sft-epoch"),
  epoch: z.number(),
  passAt1: z.number(),
  rollouts: z.number(),
});
export const recordedSftEndSchema = z.object({ type: z.literal("sft-end"), bestEpoch: z.number() });
