// Intervals for a proportion from `successes` of `trials`.
import { betaQuantile } from "./special-functions.ts";

export type Interval = { readonly low: number; readonly high: number };

/** Clopper and Pearson's interval: never covers less than it says. */
export function clopperPearsonInterval(successes: number, trials: number, level = 0.95): Interval {
  const tail = (1 - level) / 2;
  return {
    low: successes === 0 ? 0 : betaQuantile(tail, successes, trials - successes + 1),
    high: successes === trials ? 1 : betaQuantile(1 - tail, successes + 1, trials - successes),
  };
}
