// Whether the moves of recovery survive somebody's training, from what an analysis counted at every step.
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import { type RecoveryMonitor, recoveryMonitor, recoveryMoves } from "../training/curves.ts";
import type { TrainingPoint } from "./analysis/training-series.ts";

export function monitorOf(
  points: readonly Pick<TrainingPoint, "measures">[],
  { labels, recover }: Taxonomy,
): RecoveryMonitor {
  const moves = points.flatMap(({ measures }) => {
    const counts = Object.fromEntries(labels.map(({ name }) => [name, measures[name].value]));
    return recoveryMoves(counts, recover) ?? [];
  });
  return recoveryMonitor(moves.filter(Number.isFinite), recover);
}
