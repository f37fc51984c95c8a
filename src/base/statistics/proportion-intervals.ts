// Intervals for a proportion from `successes` of `trials`.
import { betaQuantile, normalQuantile } from "./special-functions.ts";

export type Interval = { readonly low: number; readonly high: number };

/** Wilson's score interval: close to its nominal coverage even for few trials. */
export function wilsonInterval(successes: number, trials: number, level = 0.95): Interval {
  if (trials === 0) return { low: 0, high: 1 };
  const z = -normalQuantile((1 - level) / 2);
  const share = successes / trials;
  const center = share + (z * z) / (2 * trials);
  const spread = z * Math.sqrt((share * (1 - share)) / trials + (z * z) / (4 * trials * trials));
  const scale = 1 + (z * z) / trials;
  return {
    low: successes === 0 ? 0 : (center - spread) / scale,
    high: successes === trials ? 1 : (center + spread) / scale,
  };
}

/** Equal-tailed posterior under Jeffreys' prior, with the usual closed ends at no and at all successes. */
export function jeffreysInterval(successes: number, trials: number, level = 0.95): Interval {
  const tail = (1 - level) / 2;
  const [a, b] = [successes + 0.5, trials - successes + 0.5];
  return {
    low: successes === 0 ? 0 : betaQuantile(tail, a, b),
    high: successes === trials ? 1 : betaQuantile(1 - tail, a, b),
  };
}

/** Clopper and Pearson's interval: never covers less than it says. */
export function clopperPearsonInterval(successes: number, trials: number, level = 0.95): Interval {
  const tail = (1 - level) / 2;
  return {
    low: successes === 0 ? 0 : betaQuantile(tail, successes, trials - successes + 1),
    high: successes === trials ? 1 : betaQuantile(1 - tail, successes + 1, trials - successes),
  };
}
