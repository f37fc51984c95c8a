// Curves that grow: later points join those already known.
import type { TrainingReply } from "../../api.ts";

export function lastStep(reply: TrainingReply | undefined): number | undefined {
  return reply?.kind === "rl" ? reply.points.at(-1)?.step : reply?.losses.at(-1)?.step;
}

/** Points are ordered by step, and a resumed run may tell a step again: the newer telling counts. */
export function merged(before: TrainingReply | undefined, newer: TrainingReply): TrainingReply {
  if (before?.kind === "rl" && newer.kind === "rl") {
    const from = newer.points[0]?.step ?? Number.POSITIVE_INFINITY;
    return { ...newer, points: [...before.points.filter(({ step }) => step < from), ...newer.points] };
  }
  if (before?.kind === "sft" && newer.kind === "sft") {
    const from = newer.losses[0]?.step ?? Number.POSITIVE_INFINITY;
    return { ...newer, losses: [...before.losses.filter(({ step }) => step < from), ...newer.losses] };
  }
  return newer;
}
