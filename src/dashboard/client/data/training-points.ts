// Curves that grow: later points join those already known.
import type { TrainingReply } from "../../api.ts";

export const lastStep = (reply: TrainingReply | undefined): number | undefined => reply?.points.at(-1)?.step;

/** Points are ordered by step, and a resumed run may tell a step again: the newer telling counts. */
export function merged(before: TrainingReply | undefined, newer: TrainingReply): TrainingReply {
  if (before === undefined) return newer;
  const from = newer.points[0]?.step ?? Number.POSITIVE_INFINITY;
  return { ...newer, points: [...before.points.filter(({ step }) => step < from), ...newer.points] };
}
