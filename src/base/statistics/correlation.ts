// Pearson's and Spearman's correlation with their two-sided p-values under no association.
import { mean } from "./descriptive.ts";
import { rankAverage } from "./ranks.ts";
import { studentTwoSided } from "./special-functions.ts";

export type Correlation = { readonly r: number; readonly p: number };

/** Undefined for fewer than two points or when one side never varies. */
export function pearson(x: ArrayLike<number>, y: ArrayLike<number>): Correlation | undefined {
  const n = Math.min(x.length, y.length);
  if (n < 2) return undefined;
  const meanX = mean(x);
  const meanY = mean(y);
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let i = 0; i < n; i++) {
    const dx = x[i] - meanX;
    const dy = y[i] - meanY;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  if (xx === 0 || yy === 0) return undefined;
  const r = Math.max(-1, Math.min(1, xy / Math.sqrt(xx) / Math.sqrt(yy)));
  // Two points always lie on a line, which says nothing.
  if (n === 2) return { r, p: 1 };
  const t = r * Math.sqrt((n - 2) / ((1 - r) * (1 + r)));
  return { r, p: studentTwoSided(t, n - 2) };
}

export function spearman(x: ArrayLike<number>, y: ArrayLike<number>): Correlation | undefined {
  return pearson(rankAverage(x).ranks, rankAverage(y).ranks);
}
