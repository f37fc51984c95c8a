// Which checkpoints figures and tables show where there are many: every model, and of the steps of a training run, whose
// curves show them all, as many as can be told apart.
import { evenlyChosen } from "../base/spread-choice.ts";

/** Of one training run, and of several together. */
const [mostSteps, mostTogether] = [6, 12];

/** The steps of a run share it: `a` of `a step 3`. */
const runOf = (checkpoint: string): string => checkpoint.replace(/(?:^| )step \d+$/, "");

export function shownCheckpoints<Checkpoint extends { readonly checkpoint: string; readonly step?: number }>(
  all: readonly Checkpoint[],
): readonly Checkpoint[] {
  const runs = new Map<string, Checkpoint[]>();
  for (const one of all) {
    const run = runOf(one.checkpoint);
    if (one.step !== undefined && run !== one.checkpoint) runs.set(run, [...(runs.get(run) ?? []), one]);
  }
  const each = Math.min(mostSteps, Math.max(2, Math.floor(mostTogether / Math.max(1, runs.size))));
  const left = new Set([...runs.values()].flatMap((steps) => evenlyChosen(steps, each)));
  const stepped = new Set([...runs.values()].flat());
  return all.filter((one) => !stepped.has(one) || left.has(one));
}
