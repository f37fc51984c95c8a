// What a probe found of a server, in the words of the capability record: its form in a file and in the program.
import { z } from "zod";
import { optimizerFields } from "./capabilities.ts";

const finding = <T extends z.ZodType>(value: T) => z.object({ value: value.optional(), because: z.string() });
const oneOf = <const T extends readonly string[]>(...values: T) => finding(z.enum(values));

export const measuredSchema = z.object({
  reduction: oneOf("token-sum", "sequence-normalized", "other"),
  negativeWeights: oneOf("honored", "broken"),
  importanceSampling: oneOf("linear", "broken"),
  promptLogprobs: oneOf("with-first", "without-first"),
  sampledLogprobs: oneOf("raw", "tempered"),
  optimizerFields: finding(z.array(z.enum(optimizerFields))),
  extendedScoring: finding(z.boolean()),
  samplesFromTrainingWeights: finding(z.boolean()),
  /** `at-least-int32` where larger ones were not tried, because the client would not send them. */
  seeds: oneOf("uint32", "int32", "at-least-int32", "smaller"),
  frozenCheckpoints: oneOf("apart", "over-live-weights"),
  checkpointNames: oneOf("with-dots", "without-dots"),
  repeatedSaves: oneOf("replaced", "refused"),
  unknownFields: oneOf("ignored", "refused"),
  /** Whether the client notices that a model is gone. */
  lostModels: oneOf("noticed", "unnoticed"),
  newModels: oneOf("clean", "with-old-gradients"),
  weightDecayReach: oneOf("own-model", "all-models"),
  loraAlpha: oneOf("chosen", "fixed"),
});

export type Measured = z.infer<typeof measuredSchema>;

/** What was found, and the numbers behind it; without a value where nothing could be told. */
export type Finding<T> = { readonly value?: T; readonly because: string };
