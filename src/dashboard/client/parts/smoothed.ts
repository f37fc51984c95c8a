// Points of a line, and the calmer line through them.

export type Point = { readonly x: number; readonly y: number; readonly low?: number; readonly high?: number };

/** The mean over the last `window` points, so that nothing is known before it happened; a band is calmed with its line. */
export function smoothed(points: readonly Point[], window: number): readonly Point[] {
  if (window <= 1) return points;
  const sums = { y: 0, low: 0, high: 0 };
  const banded = points.every(({ low, high }) => low !== undefined && high !== undefined);
  return points.map((point, i) => {
    const gone = i >= window ? points[i - window] : undefined;
    const of = Math.min(i + 1, window);
    sums.y += point.y - (gone?.y ?? 0);
    if (!banded) return { x: point.x, y: sums.y / of };
    sums.low += point.low! - (gone?.low ?? 0);
    sums.high += point.high! - (gone?.high ?? 0);
    return { x: point.x, y: sums.y / of, low: sums.low / of, high: sums.high / of };
  });
}
