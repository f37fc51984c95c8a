// What an SFT run is told, with the paper's values as defaults; an unknown key is an error.
import { z } from "zod";
import { paperValue } from "../problems/paper.ts";
import { optimizerSchema, samplingSchema, scheduleSchema } from "./rl-options.ts";

const count = z.number().int().positive();

export const sftOptionsSchema = z.strictObject({
  epochs: count.default(paperValue("sft.epochs")),
  sequencesPerStep: count.default(paperValue("sft.tracesPerStep")),
  learningRate: z.number().positive().default(paperValue("sft.learningRate")),
  schedule: scheduleSchema.prefault({ shape: paperValue("sft.schedule") }),
  optimizer: optimizerSchema.prefault({}),
  weightDecay: z.number().nonnegative().default(paperValue("sft.weightDecay")),
  maxGradientNorm: z.number().positive().default(paperValue("sft.maxGradientNorm")),
  seed: z.number().int().default(paperValue("seed")),
  /** A checkpoint after this many steps, besides the one after each epoch. */
  stepsPerCheckpoint: count.default(paperValue("sft.stepsPerCheckpoint")),
  validation: z
    .strictObject({
      rolloutsPerProblem: count.default(1),
      sampling: samplingSchema.prefault({ temperature: paperValue("sft.temperature") }),
    })
    .prefault({}),
});

export type SftOptions = z.output<typeof sftOptionsSchema>;
