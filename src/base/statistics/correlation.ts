// Pearson's and Spearman's correlation with their two-sided p-values under no association. With few points p is exact: the
// share of all orders of one side that correlate as strongly. Four checkpoints in perfect order are 2 of 24, not p = 0.
import { mean } from "./descriptive.ts";
import { rankAverage } from "./ranks.ts";
import { studentTwoSided } from "./special-functions.ts";

export type Correlation = { readonly r: number; readonly p: number };

/** All orders are tried up to this many points: 5,040 of them. Student's t is good enough beyond. */
const maxPermuted = 7;

/** Undefined for fewer than two points or when one side never varies. */
export function pearson(x: ArrayLike<number>, y: ArrayLike<number>): Correlation | undefined {
  const n = Math.min(x.length, y.length);
  if (n < 2) return undefined;
  const [dx, dy] = [centered(x, n), centered(y, n)];
  const scale = Math.sqrt(dot(dx, dx)) * Math.sqrt(dot(dy, dy));
  if (scale === 0) return undefined;
  const r = Math.max(-1, Math.min(1, dot(dx, dy) / scale));
  if (n <= maxPermuted) return { r, p: permutationP(dx, dy) };
  const t = r * Math.sqrt((n - 2) / ((1 - r) * (1 + r)));
  return { r, p: studentTwoSided(t, n - 2) };
}

export function spearman(x: ArrayLike<number>, y: ArrayLike<number>): Correlation | undefined {
  return pearson(rankAverage(x).ranks, rankAverage(y).ranks);
}

function centered(values: ArrayLike<number>, n: number): Float64Array {
  const paired = Float64Array.from({ length: n }, (_, i) => values[i]);
  const center = mean(paired);
  return paired.map((value) => value - center);
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += a[i] * b[i];
  return total;
}

/** The share of all orders of `y` whose correlation with `x` is at least as far from 0. */
function permutationP(x: Float64Array, y: Float64Array): number {
  const observed = Math.abs(dot(x, y));
  // Sums of the same products in another order differ in their last digits.
  const reached = observed - 1e-9 * Math.sqrt(dot(x, x) * dot(y, y));
  const order = Float64Array.from(y);
  let all = 0;
  let asStrong = 0;
  const visit = (from: number) => {
    if (from === order.length) {
      all += 1;
      if (Math.abs(dot(x, order)) >= reached) asStrong += 1;
      return;
    }
    for (let i = from; i < order.length; i++) {
      [order[from], order[i]] = [order[i], order[from]];
      visit(from + 1);
      [order[from], order[i]] = [order[i], order[from]];
    }
  };
  visit(0);
  return asStrong / all;
}
