// What is said of the paper where the numbers are known.
import { expect, test } from "vitest";
import { claims } from "../../src/traces/analysis/claims.ts";
import type { TrainingPoint } from "../../src/traces/analysis/training-series.ts";

test("a fall over training is judged by the interval of two independent steps, not by whether their own part", () => {
  const point = (step: number, value: number, low: number, high: number): TrainingPoint => {
    const measures = Object.fromEntries(
      ["hypothesize", "backtrack", "check"].map((name) => [name, { value, low, high }]),
    );
    return { step, traces: 64, problems: 16, measures, passAtK: {} };
  };
  const verdicts = (end: TrainingPoint) =>
    claims([], [{ series: "vanilla", points: [point(0, 5, 4, 6), end] }])
      .filter(({ claim }) => claim.includes("falls over the steps"))
      .map(({ verdict }) => verdict);
  // Standard errors of 0.51 and 0.43: the difference of -1.6 has one of 0.67, and is 2.4 of them.
  expect(new Set(verdicts(point(40, 3.4, 2.6, 4.3)))).toEqual(new Set(["shown"]));
  // -1.2 is 1.8 of them.
  expect(new Set(verdicts(point(40, 3.8, 3, 4.7)))).toEqual(new Set(["not shown"]));
});
