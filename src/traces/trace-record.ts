// What is kept of a trace once it is read: who made it, whether it was right, and its sequence of primitives. A hundred
// bytes instead of a hundred thousand, so that every measure works in memory.
import { z } from "zod";
import { chainDepth, exploitationWithoutSetup, meanExploitRun } from "./depth.ts";
import { readSequence } from "./sequence.ts";

export const traceRecordSchema = z.object({
  checkpoint: z.string(),
  step: z.number().optional(),
  problem: z.string(),
  attempt: z.number(),
  set: z.string().optional(),
  puzzle: z.string().optional(),
  size: z.string().optional(),
  /** Absent where nobody graded it. */
  correct: z.boolean().optional(),
  /** One letter a span; empty for a response without text, which counts as an attempt and in no average. */
  sequence: z.string(),
  /** Of the reasoning, estimated from characters unless it was recorded. */
  tokens: z.number(),
  /** Mean confidence of the labels. */
  confidence: z.number(),
  /** Spans whose label was less sure than asked for; they stand as breaks. */
  abstained: z.number(),
  /** Where to find the text again: which slice of the input, and which trace in it. */
  slice: z.number(),
  ordinal: z.number(),
});
export type TraceRecord = z.infer<typeof traceRecordSchema>;

export type TraceShape = {
  readonly depth: number;
  readonly depthWithoutSetup: number;
  readonly meanRun: number | undefined;
};

export function shapeOf(record: Pick<TraceRecord, "sequence">): TraceShape {
  const sequence = readSequence(record.sequence);
  return {
    depth: chainDepth(sequence),
    depthWithoutSetup: chainDepth(sequence, exploitationWithoutSetup),
    meanRun: meanExploitRun(sequence),
  };
}
