// Comparing numbers with published digits.
import { expect } from "vitest";

export function expectClose(actual: ArrayLike<number>, expected: readonly number[], tolerance = 1e-8): void {
  expect(actual.length).toBe(expected.length);
  expected.forEach((value, i) => {
    const allowed = tolerance * Math.max(1, Math.abs(value));
    if (!(Math.abs(actual[i] - value) <= allowed)) {
      expect.fail(`[${i}] is ${actual[i]}, expected ${value} within ${allowed}; all: ${Array.from(actual).join(", ")}`);
    }
  });
}

export const times = (count: number, value: number): number[] => new Array<number>(count).fill(value);
