// How far a trace carries one line of work: exploit runs and chain depth, as the paper's metric definitions give them.
// Exploitation is the taxonomy's (the paper: compute, check, and setup, because naming a new variable does not end a run);
// a break ends a run like any other label that is not exploitation.
import { type PrimitiveSequence, paperAlphabet } from "./sequence.ts";

/** Lengths of the maximal runs of exploitation, in order. `exploit` is a mask of an alphabet. */
export function exploitRuns(sequence: PrimitiveSequence, exploit: number = paperAlphabet.exploit): number[] {
  const runs: number[] = [];
  let length = 0;
  for (const code of sequence) {
    if (exploit & (1 << code)) {
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
export function chainDepth(sequence: PrimitiveSequence, exploit?: number): number {
  return exploitRuns(sequence, exploit).reduce((longest, run) => Math.max(longest, run), 0);
}

/** Mean length of all exploit runs; undefined for a trace that has none, which is then left out of averages. */
export function meanExploitRun(sequence: PrimitiveSequence, exploit?: number): number | undefined {
  const runs = exploitRuns(sequence, exploit);
  return runs.length === 0 ? undefined : runs.reduce((total, run) => total + run, 0) / runs.length;
}
