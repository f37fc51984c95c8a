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

/** What arithmetic leaves of a zero is smaller, and has no logarithm worth drawing. */
const leastDrawn = 1e-12;

/** A band that reaches zero has no lower end on a logarithmic axis. */
const above = (points: Points): Points =>
  points
    .filter(({ value }) => value >= leastDrawn)
    .map((point) => ((point.low ?? 1) < leastDrawn ? { x: point.x, value: point.value } : point));

export type CurveView = {
  /** How many points a line is the mean of. */
  readonly window?: number;
  readonly from?: number;
  readonly to?: number;
  readonly log?: boolean;
};

/** Over steps of training; other panels stay as they are. */
export function shownPanel(panel: Panel, view: CurveView): Panel {
  const { window = 1, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = view;
  if (panel.x.kind !== "linear" || !panel.x.steps) return panel;
  const within = ({ x }: { readonly x: number }) => x >= from && x <= to;
  const holds = (one: (point: Points[number]) => boolean) =>
    panel.marks.some((mark) => mark.mark === "line" && mark.points.some(one));
  // A part that holds no point, of another run perhaps, would be an empty chart; so would logarithms of zeros.
  const [cut, log] = [holds(within), view.log === true && holds(({ value }) => value >= leastDrawn)];
  const part = (points: Points) => {
    const some = cut ? points.filter(within) : points;
    return log ? above(some) : some;
  };
  const marks = panel.marks.flatMap((mark): Panel["marks"] => {
    if (mark.mark !== "line") return [mark];
    const calm = { ...mark, points: part(smoothed(mark.points, window)) };
    if (window === 1 || mark.faint) return [calm];
    return [{ ...mark, points: part(mark.points.map(({ x, value }) => ({ x, value }))), faint: true }, calm];
  });
  return { ...panel, marks, ...(log && { y: { ...panel.y, log } }) };
}
