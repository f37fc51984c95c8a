// What an RL run is told, with the paper's values as defaults; an unknown key is an error.

import { z } from "zod";
import { defaultRecoveryShare } from "./curves.ts";
import { objectiveSchema } from "./objective.ts";

const count = z.number().int().positive();

export const scheduleSchema = z.strictObject({
  shape: z.enum(["constant", "linear", "cosine"]).default("cosine"),
  warmupSteps: z.number().int().nonnegative().default(0),
  floor: z.number().min(0).max(1).default(0.3),
});

export const samplingSchema = z.strictObject({
  temperature: z.number().nonnegative().default(0.8),
  topP: z.number().gt(0).lte(1).optional(),
  topK: count.optional(),
  maxTokens: count.default(28_000),
  stopTokens: z.array(z.number().int()).optional(),
  stopStrings: z.array(z.string()).optional(),
});

export const rlOptionsSchema = z.strictObject({
  objective: objectiveSchema.prefault({ algorithm: "gspo" }),
  steps: count.default(70),
  problemsPerStep: count.default(128),
  rolloutsPerProblem: count.default(8),
  sampling: samplingSchema.prefault({}),
  /** Temperature at which ratios and KL are measured: 1, or the sampling temperature as verl does. */
  scoringTemperature: z.union([z.literal("sampling"), z.number().positive()]).default("sampling"),
  /** Rollouts per optimizer step; the paper's 1024 is the whole batch. */
  rolloutsPerUpdate: count.default(1024),
  /** Passes over a batch. */
  epochs: count.default(4),
  learningRate: z.number().positive().default(5e-5),
  schedule: scheduleSchema.prefault({}),
  weightDecay: z.number().nonnegative().default(0),
  maxGradientNorm: z.number().positive().default(1),
  seed: z.number().int().default(1),
  stepsPerCheckpoint: count.default(5),
  /** When to warn: entropy against its start, and recovery moves against theirs. */
  alarms: z
    .strictObject({
      entropyCollapse: z.number().positive().default(0.2),
      entropyBlowUp: z.number().positive().default(3),
      recoveryShare: z.number().positive().default(defaultRecoveryShare),
    })
    .prefault({}),
});

export type RlOptions = z.output<typeof rlOptionsSchema>;
export type RlOptionsInput = z.input<typeof rlOptionsSchema>;
