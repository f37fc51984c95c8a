// Mean and standard deviation of a group, where the divisor is always said: frameworks differ, and at eight rollouts
// the two deviations differ by seven percent.

/** `sample` divides by n − 1 (verl, TRL, PyTorch), `population` by n (open-instruct). */
export type Divisor = "sample" | "population";

export function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i];
  return total;
}

export function mean(values: ArrayLike<number>): number {
  return sum(values) / values.length;
}

/** NaN for a sample of one, as everywhere else. */
export function deviation(values: ArrayLike<number>, divisor: Divisor): number {
  const center = mean(values);
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i] - center) ** 2;
  return Math.sqrt(squares / (divisor === "sample" ? values.length - 1 : values.length));
}
