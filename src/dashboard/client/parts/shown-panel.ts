// Curves as a reader wants them: calmer lines, and some of the steps.
import type { LineMark, Panel } from "../../../drawing/panel.ts";

type Points = LineMark["points"];

/** The mean over the last `window` points, so that nothing is known before it happened; a band is calmed with its line. */
export function smoothed(points: Points, window: number): Points {
  if (window <= 1) return points;
  const mean = (last: Points, of: (point: Points[number]) => number) =>
    last.reduce((sum, point) => sum + of(point), 0) / last.length;
  const banded = points.every(({ low, high }) => low !== undefined && high !== undefined);
  return points.map(({ x }, i) => {
    const last = points.slice(Math.max(0, i + 1 - window), i + 1);
    const band = banded && { low: mean(last, ({ low }) => low!), high: mean(last, ({ high }) => high!) };
    return { x, value: mean(last, ({ value }) => value), ...band };
  });
}

/** A panel over steps of training; others stay as they are. */
export function shownPanel(
  panel: Panel,
  window: number,
  from = Number.NEGATIVE_INFINITY,
  to = Number.POSITIVE_INFINITY,
) {
  if (panel.x.kind !== "linear" || !panel.x.steps) return panel;
  const within = ({ x }: { readonly x: number }) => x >= from && x <= to;
  // A part that holds no point, of another run perhaps, would be an empty chart.
  const some = panel.marks.some((mark) => mark.mark === "line" && mark.points.some(within));
  const marks = panel.marks.flatMap((mark): Panel["marks"] => {
    if (mark.mark !== "line") return [mark];
    const part = (points: LineMark["points"]) => (some ? points.filter(within) : points);
    const calm = { ...mark, points: part(smoothed(mark.points, window)) };
    if (window === 1 || mark.faint) return [calm];
    const raw = part(mark.points).map(({ x, value }) => ({ x, value }));
    return [{ ...mark, points: raw, faint: true }, calm];
  });
  return { ...panel, marks };
}
