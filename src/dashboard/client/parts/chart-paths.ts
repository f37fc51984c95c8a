// Lines and bands of a chart as SVG paths, and what of them is in view.
import type { Point } from "./smoothed.ts";

type Place = (value: number) => number;

export function linePath(points: readonly Point[], x: Place, y: Place): string {
  return points.map((p, i) => `${i === 0 ? "M" : "L"}${x(p.x).toFixed(1)} ${y(p.y).toFixed(1)}`).join("");
}

export function bandPath(points: readonly Point[], x: Place, y: Place): string {
  const banded = points.filter((p) => p.low !== undefined && p.high !== undefined);
  if (banded.length < 2) return "";
  const upper = banded.map((p) => `${x(p.x).toFixed(1)} ${y(p.high!).toFixed(1)}`);
  const lower = banded.map((p) => `${x(p.x).toFixed(1)} ${y(p.low!).toFixed(1)}`).reverse();
  return `M${[...upper, ...lower].join("L")}Z`;
}

/** What arithmetic leaves of a zero is smaller: it must neither stretch an axis nor have a logarithm. */
export const leastDrawn = 1e-12;

/** Points between two ends, both included; a logarithm has no place for what is not above zero. */
export function inView(
  points: readonly Point[],
  { from, to, axis }: { readonly from?: number; readonly to?: number; readonly axis: "linear" | "log" },
): readonly Point[] {
  const shown = points.filter(
    ({ x, y }) =>
      (from === undefined || x >= from) && (to === undefined || x <= to) && (axis === "linear" || y >= leastDrawn),
  );
  if (axis === "linear") return shown;
  // A band that reaches zero has no lower end there.
  return shown.map((point) => (point.low !== undefined && point.low < leastDrawn ? { x: point.x, y: point.y } : point));
}

/** Half as wide around a place, or twice; undefined where that would be everything. */
export function zoomed(
  xs: readonly number[],
  all: readonly number[],
  at: number,
  by: "closer" | "wider",
): readonly [number, number] | undefined {
  const [first, last] = [all[0], all[all.length - 1]];
  const width = (xs[xs.length - 1] - xs[0]) * (by === "closer" ? 0.5 : 2);
  const from = Math.max(first, Math.floor(at - width / 2));
  const to = Math.min(last, Math.ceil(at + width / 2));
  return from <= first && to >= last ? undefined : [from, Math.max(to, from + 1)];
}
