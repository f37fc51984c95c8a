// Difficulty with Tatham's meaning: how far a person gets who looks at one line of sight at a time, over and over.
import type { Deduction } from "./deduction.ts";
import type { UndeadDifficulty } from "./instance.ts";

const easyPasses = 3;
/** With fewer cells than this left open, trying them out is still no trick. */
const fewCells = 4;

export type Deduced = {
  /** Rounds over all lines, shortest first, until all was known or nothing changed. */
  readonly passes: number;
  /** Cells still open after that. */
  readonly open: number;
};

/** The deduction has begun. Undefined on a contradiction. */
export function deduceByLines(deduction: Deduction): Deduced | undefined {
  let passes = 0;
  for (;;) {
    const before = deduction.changes;
    if (!deduction.pass()) return undefined;
    passes++;
    if (deduction.open === 0 || deduction.changes === before) return { passes, open: deduction.open };
  }
}

/** The level of a maze that has one solution. */
export function levelOf({ passes, open }: Deduced): UndeadDifficulty {
  if (open === 0) return passes <= easyPasses ? "easy" : "normal";
  return open < fewCells ? "normal" : "tricky";
}
