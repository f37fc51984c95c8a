// What is kept of a trace once it is read: who made it, whether it was right, and its sequence of primitives. A hundred
// bytes instead of a hundred thousand, so that every measure works in memory.
import { z } from "zod";
import { rolloutStages } from "../rollouts/rollout.ts";

export const traceRecordSchema = z.object({
  checkpoint: z.string(),
  step: z.number().optional(),
  problem: z.string(),
  attempt: z.number(),
  stage: z.enum(rolloutStages).default("evaluation"),
  set: z.string().optional(),
  kind: z.enum(["puzzle", "mathematics"]).optional(),
  puzzle: z.string().optional(),
  size: z.string().optional(),
  /** Absent where nobody graded it. */
  correct: z.boolean().optional(),
  /** One letter a span; empty for a response without text, which counts as an attempt and in no average. */
  sequence: z.string(),
  /** The same spans by the habits that their words announce; absent where the labels are exact. */
  habits: z.string().optional(),
  /** An answer after a reasoning that was opened and closed without a word: a trace with none of anything. */
  bare: z.literal(true).optional(),
  /** Of the reasoning, estimated from characters unless it was recorded. */
  tokens: z.number(),
  /** The id of its labeler. */
  labeledBy: z.string(),
  /** The reward or score that came with it, where one did. */
  score: z.number().optional(),
  /** Mean confidence of the labels, where the labeler gives one. */
  confidence: z.number().optional(),
  /** Spans whose label was less sure than asked for: of no label. */
  abstained: z.number(),
  /** What it shows beside its labels, a letter each, and a digest of its text (`step-signs.ts`). */
  signs: z.string().optional(),
  digest: z.number().optional(),
  /** Where to find the text again: which slice of the input, and which trace in it. */
  slice: z.number(),
  ordinal: z.number(),
});
export type TraceRecord = z.infer<typeof traceRecordSchema>;

/** Whether a record counts in averages. What says nothing at all does not; who answers without a thought does, with zeros. */
export const isMeasured = ({ sequence, bare }: Pick<TraceRecord, "sequence" | "bare">): boolean =>
  sequence !== "" || bare === true;
