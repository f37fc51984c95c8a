// What an SFT run is told, with the paper's values as defaults; an unknown key is an error.
import { z } from "zod";
import { samplingSchema, scheduleSchema } from "./rl-options.ts";

const count = z.number().int().positive();

export const sftOptionsSchema = z.strictObject({
  epochs: count.default(8),
  sequencesPerStep: count.default(32),
  learningRate: z.number().positive().default(2e-4),
  schedule: scheduleSchema.prefault({ shape: "constant" }),
  weightDecay: z.number().nonnegative().default(0),
  maxGradientNorm: z.number().positive().default(1),
  seed: z.number().int().default(1),
  stepsPerCheckpoint: count.default(50),
  heldOut: z
    .strictObject({ rolloutsPerProblem: count.default(1), sampling: samplingSchema.prefault({ temperature: 0 }) })
    .prefault({}),
});
