// pass@k of several checkpoints on one set.

import { visibleText } from "../../../drawing/safe-text.ts";
import { passAxis } from "../../../drawing/scales.ts";
import { percent } from "../number-text.ts";
import { LineChart, type Series } from "./line-chart.tsx";

export function PassChart({ set, series }: { readonly set: string; readonly series: readonly Series[] }) {
  const { unsolved, domain } = passAxis(
    series.flatMap(({ points }) => points.map(({ y, high }) => ({ value: y, high }))),
  );
  const shown = unsolved
    ? series.map((line) => ({ ...line, points: line.points.map(({ x, y }) => ({ x, y })) }))
    : series;
  return (
    <LineChart
      title={`pass@k, ${visibleText(set)}`}
      note={unsolved ? "none solved" : undefined}
      xName="k"
      xScale="doubling"
      range={domain}
      format={percent}
      series={shown}
    />
  );
}
