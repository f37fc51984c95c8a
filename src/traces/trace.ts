// A trace as the tools here read it: one response of one checkpoint to one problem, wherever it was recorded.
import type { Primitive } from "../rollouts/primitives.ts";

export type Trace = {
  /** Whose it is: a model, a run, a training step. Comparisons are between checkpoints. */
  readonly checkpoint: string;
  readonly step?: number;
  /** Attempts at the same problem share it, in every checkpoint. */
  readonly problem: string;
  /** Counts the attempts of a checkpoint at a problem; given out in order of appearance where a record has none. */
  readonly attempt?: number;
  /** The benchmark or puzzle set, where known. */
  readonly set?: string;
  readonly puzzle?: string;
  /** Board size, like 7x7. */
  readonly size?: string;
  /** Absent where nobody graded it; that is not the same as wrong. */
  readonly correct?: boolean;
  /** With its reasoning, inside tags where the record kept it apart. */
  readonly response: string;
  readonly responseTokens?: number;
  /** Labels by construction, from a policy or teacher whose grammar names each step. */
  readonly labels?: readonly Primitive[];
};

/** A response whose thinking was returned apart, as one text that segmentation reads like any other. */
export function withReasoning(reasoning: string | undefined, response: string): string {
  return reasoning ? `<think>${reasoning}</think>${response}` : response;
}
