// What an RL run is told, with the paper's values as defaults; an unknown key is an error.

import { z } from "zod";
import { paperValue } from "../problems/paper.ts";
import { defaultAlarms } from "./alarms.ts";
import { objectiveSchema } from "./objective.ts";

const count = z.number().int().positive();

export const scheduleSchema = z.strictObject({
  shape: z.enum(["constant", "linear", "cosine"]).default(paperValue("rl.schedule")),
  warmupSteps: z.number().int().nonnegative().default(0),
  floor: z.number().min(0).max(1).default(paperValue("rl.learningRateFloor")),
});

/** AdamW's moments; weight decay and the gradient's norm belong to a stage. */
export const optimizerSchema = z.strictObject({
  beta1: z.number().min(0).lt(1).default(paperValue("optimizer.beta1")),
  beta2: z.number().min(0).lt(1).default(paperValue("optimizer.beta2")),
  epsilon: z.number().positive().default(paperValue("optimizer.epsilon")),
});

export const samplingSchema = z.strictObject({
  temperature: z.number().nonnegative().default(paperValue("rl.temperature")),
  topP: z.number().gt(0).lte(1).optional(),
  topK: count.optional(),
  maxTokens: count.default(paperValue("rl.maxTokens")),
  stopTokens: z.array(z.number().int()).optional(),
  stopStrings: z.array(z.string()).optional(),
});

export const rlOptionsSchema = z.strictObject({
  objective: objectiveSchema.prefault({ algorithm: "gspo" }),
  steps: count.default(paperValue("rl.steps")),
  problemsPerStep: count.default(paperValue("rl.problemsPerStep")),
  rolloutsPerProblem: count.default(paperValue("rl.rolloutsPerProblem")),
  sampling: samplingSchema.prefault({}),
  /** Temperature at which ratios and KL are measured: 1, or the sampling temperature as verl does. */
  scoringTemperature: z
    .union([z.literal("sampling"), z.number().positive()])
    .default(paperValue("rl.scoringTemperature")),
  /** Rollouts per optimizer step; the paper's 1024 is the whole batch. */
  rolloutsPerUpdate: count.default(paperValue("rl.rolloutsPerUpdate")),
  /** Passes over a batch. */
  epochs: count.default(paperValue("rl.epochs")),
  learningRate: z.number().positive().default(paperValue("rl.learningRate")),
  schedule: scheduleSchema.prefault({}),
  optimizer: optimizerSchema.prefault({}),
  weightDecay: z.number().nonnegative().default(paperValue("rl.weightDecay")),
  maxGradientNorm: z.number().positive().default(paperValue("rl.maxGradientNorm")),
  seed: z.number().int().default(paperValue("seed")),
  stepsPerCheckpoint: count.default(paperValue("rl.stepsPerCheckpoint")),
  /** When to warn: entropy against its start, and recovery moves against theirs. */
  alarms: z
    .strictObject({
      entropyCollapse: z.number().positive().default(defaultAlarms.entropyCollapse),
      entropyBlowUp: z.number().positive().default(defaultAlarms.entropyBlowUp),
      recoveryShare: z.number().positive().default(defaultAlarms.recoveryShare),
    })
    .prefault({}),
});

export type RlOptions = z.output<typeof rlOptionsSchema>;
export type RlOptionsInput = z.input<typeof rlOptionsSchema>;

/** At which ratios and KL are measured. */
export function scoringTemperature({ scoringTemperature, sampling }: RlOptions): number {
  // Greedy sampling has no temperature to score at.
  if (scoringTemperature === "sampling") return sampling.temperature > 0 ? sampling.temperature : 1;
  return scoringTemperature;
}
