// Curves of training stages: what has one line a stage is drawn with all stages in one chart, in their colors.
import { visibleText } from "../../../report/safe-text.ts";
import type { RlPoint, RlTraining, StageEntry } from "../../api.ts";
import { dashes, type Series } from "../parts/line-chart.tsx";

export type StageCurves = { readonly stage: StageEntry; readonly ink: string; readonly training: RlTraining };

export function lineOf({ stage, ink, training }: StageCurves, read: (point: RlPoint) => number | undefined): Series {
  const points = training.points.flatMap((point) => {
    const y = read(point);
    return y === undefined ? [] : [{ x: point.step, y }];
  });
  const dash = stage.role === "novelty" ? dashes[1] : dashes[0];
  return { name: visibleText(stage.name), ink, dash, points };
}
