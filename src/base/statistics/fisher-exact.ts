// Fisher's exact test of a 2×2 table with fixed margins, two-sided.
import { logGamma } from "./special-functions.ts";

/** [[a, b], [c, d]] */
type TwoByTwo = readonly [readonly [number, number], readonly [number, number]];

type FisherExact = {
  /** ad / bc of the sample; infinite when only bc is 0, undefined when both are. */
  readonly oddsRatio: number | undefined;
  readonly p: number;
};

export function fisherExact(table: TwoByTwo): FisherExact {
  const [[a, b], [c, d]] = table;
  const [top, bottom, left] = [a + b, c + d, a + c];
  const total = top + bottom;
  const oddsRatio = b * c > 0 ? (a * d) / (b * c) : a * d > 0 ? Number.POSITIVE_INFINITY : undefined;

  const logAll = logChoose(total, left);
  const probability = (x: number) => Math.exp(logChoose(top, x) + logChoose(bottom, left - x) - logAll);
  const observed = probability(a);
  // Tables exactly as likely as this one count as extreme; the slack absorbs rounding in their probabilities.
  const limit = observed * (1 + 1e-7);
  let p = 0;
  for (let x = Math.max(0, left - bottom); x <= Math.min(top, left); x++) {
    const likely = probability(x);
    if (likely <= limit) p += likely;
  }
  return { oddsRatio, p: Math.min(1, p) };
}

function logChoose(n: number, k: number): number {
  return k === 0 || k === n ? 0 : logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);
}
