// Mean and standard deviation of a group, where the divisor is always said: frameworks differ, and at eight rollouts
// the two deviations differ by seven percent.
import { standardDeviation } from "../base/statistics/descriptive.ts";

export { mean, sum } from "../base/statistics/descriptive.ts";

/** `sample` divides by n − 1 (verl, TRL, PyTorch), `population` by n (open-instruct). */
export type Divisor = "sample" | "population";

/** NaN for a sample of one. */
export function deviation(values: ArrayLike<number>, divisor: Divisor): number {
  return standardDeviation(values, divisor === "sample" ? 1 : 0);
}
