// Curves of training stages: what has one line a stage is drawn with all stages in one chart, in their colors.
import { createContext, useContext } from "react";
import { visibleText } from "../../../report/safe-text.ts";
import type { RlPoint, RlTraining, StageEntry } from "../../api.ts";
import { dashes, LineChart, type LineChartProps, type Series } from "../parts/line-chart.tsx";

export const Smoothing = createContext(1);

/** A chart as smooth as the reader wants all of them. */
export const Curve = (props: LineChartProps) => <LineChart {...props} smooth={useContext(Smoothing)} />;

/** How many steps a line is the mean of. */
export const smoothings = [1, 3, 10, 30];

export type StageCurves = { readonly stage: StageEntry; readonly ink: string; readonly training: RlTraining };

export function lineOf({ stage, ink, training }: StageCurves, read: (point: RlPoint) => number | undefined): Series {
  const points = training.points.flatMap((point) => {
    const y = read(point);
    return y === undefined ? [] : [{ x: point.step, y }];
  });
  const dash = stage.role === "novelty" ? dashes[1] : dashes[0];
  return { name: visibleText(stage.name), ink, dash, points };
}
