// Points of a line, and the calmer line through them.

export type Point = { readonly x: number; readonly y: number; readonly low?: number; readonly high?: number };

/** The mean over the last `window` points, so that nothing is known before it happened. */
export function smoothed(points: readonly Point[], window: number): readonly Point[] {
  if (window <= 1) return points;
  let sum = 0;
  return points.map((point, i) => {
    sum += point.y - (i >= window ? points[i - window].y : 0);
    return { x: point.x, y: sum / Math.min(i + 1, window) };
  });
}
