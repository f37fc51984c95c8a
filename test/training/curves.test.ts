// What a curve of RL means, and when the moves of recovery are said to vanish: by hand-computed cases.
import { describe, expect, it } from "vitest";
import { recoveryMonitor, recoveryMoves, rlCurve } from "../../src/training/curves.ts";
import { recordedRlStepSchema } from "../../src/training/recorded-events.ts";

const step = (updates: readonly object[]) =>
  recordedRlStepSchema.parse({
    ...{ type: "rl-step", step: 0, problems: 1, rollouts: 2, solveRate: 0.5, entropy: 0.2, updates },
    reward: { total: 1, exact: 1, completion: 0, format: 0, bonus: 0 },
    responseTokens: { mean: 10 },
  });

describe("a curve", () => {
  it("is the mean of the step's updates, and absent where no update has it", () => {
    const told = step([
      { kl: 0.1, clipFraction: 0.2, gradientNorm: null },
      { kl: 0.3, clipFraction: 0.4 },
    ]);
    expect(rlCurve("kl").read(told)).toBeCloseTo(0.2, 12);
    expect(rlCurve("clip-fraction").read(told)).toBeCloseTo(0.3, 12);
    expect(rlCurve("gradient-norm").read(told)).toBeUndefined();
    expect(rlCurve("solve-rate").read(told)).toBe(0.5);
  });
});

describe("the recovery monitor", () => {
  const recover = ["hypothesize", "backtrack"];

  it("adds up the moves of recovery, whatever the taxonomy calls them", () => {
    expect(recoveryMoves({ hypothesize: 0.5, backtrack: 0.25, check: 9 }, recover)).toBe(0.75);
    expect(recoveryMoves(undefined, recover)).toBeUndefined();
  });

  it("warns when recovery falls below its share of the start, and not before", () => {
    const warning = (moves: readonly number[]) => recoveryMonitor(moves, recover).warning;
    expect(warning([1, 1, 1, 0.6, 0.6, 0.6])).toBeUndefined();
    expect(warning([1, 1, 1, 0.4, 0.4, 0.4])).toContain("40% of the initial 1.00");
    expect(warning([0, 0, 0, 0, 0])).toBeUndefined();
    expect(warning([1, 0])).toBeUndefined();
    expect(recoveryMonitor([], recover)).toEqual({ share: 0.5 });
    // The last of three steps are the first of them: nothing is said of what is left.
    expect(recoveryMonitor([3, 2, 1], recover)).toEqual({ share: 0.5, start: 2 });
    expect(recoveryMonitor([3, 2, 1, 3], recover)).toMatchObject({ start: 2, now: 2 });
  });
});
