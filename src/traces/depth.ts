// How far a trace carries one line of work: exploit runs and chain depth, as the paper's metric definitions give them.
// A break ends a run like any other primitive that is not exploitation.
import type { Primitive } from "../rollouts/primitives.ts";
import { codeOf, type PrimitiveSequence } from "./sequence.ts";

/** On-track work. Naming a new variable does not end a run, so setup is part of it. */
export const exploitation: readonly Primitive[] = ["compute", "check", "setup"];

/** The paper's robustness check: setup ends a run. */
export const exploitationWithoutSetup: readonly Primitive[] = ["compute", "check"];

/** Lengths of the maximal runs of exploitation, in order. */
export function exploitRuns(sequence: PrimitiveSequence, exploit: readonly Primitive[] = exploitation): number[] {
  let mask = 0;
  for (const primitive of exploit) mask |= 1 << codeOf[primitive];
  const runs: number[] = [];
  let length = 0;
  for (const code of sequence) {
    if (mask & (1 << code)) {
      length += 1;
    } else if (length > 0) {
      runs.push(length);
      length = 0;
    }
  }
  if (length > 0) runs.push(length);
  return runs;
}

/** The longest exploit run; 0 where there is none. */
export function chainDepth(sequence: PrimitiveSequence, exploit: readonly Primitive[] = exploitation): number {
  return exploitRuns(sequence, exploit).reduce((longest, run) => Math.max(longest, run), 0);
}

/** Mean length of all exploit runs; undefined for a trace that has none, which is then left out of averages. */
export function meanExploitRun(
  sequence: PrimitiveSequence,
  exploit: readonly Primitive[] = exploitation,
): number | undefined {
  const runs = exploitRuns(sequence, exploit);
  return runs.length === 0 ? undefined : runs.reduce((total, run) => total + run, 0) / runs.length;
}
