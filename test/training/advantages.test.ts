// Group advantages, aggregation, schedules. Golden values: NumPy, double precision, from the formulas in the comments of
// the sources; the frameworks named are those whose convention a row follows.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mean } from "../../src/base/statistics/descriptive.ts";
import { deviation, type GroupBaseline, groupAdvantages, verlNormalization } from "../../src/training/advantages.ts";
import { tokenShares } from "../../src/training/aggregation.ts";
import { scheduleFactor } from "../../src/training/schedules.ts";
import { expectClose, times } from "./close.ts";

const verl: GroupBaseline = { baseline: "mean", normalization: verlNormalization, single: "reward" };
const with_ = (changes: object): GroupBaseline => ({ ...verl, normalization: { ...verlNormalization, ...changes } });
const threeOfEight = [1, 1, 1, 0, 0, 0, 0, 0];
const spread = (right: number, wrong: number) => [...times(3, right), ...times(5, wrong)];

describe("group advantages", () => {
  it.each([
    ["verl", verl, 1.207612396, -0.7245674373],
    ["population divisor", with_({ divisor: "population" }), 1.290991782, -0.7745950692],
    ["TRL", with_({ epsilon: 1e-4 }), 1.207381441, -0.7244288644],
    ["open-instruct", with_({ divisor: "population", epsilon: 1e-8 }), 1.290994422, -0.7745966532],
    ["centered", { ...verl, normalization: { by: "none" } } as GroupBaseline, 0.625, -0.375],
    [
      "RLOO",
      { ...verl, baseline: "leave-one-out", normalization: { by: "none" } } as GroupBaseline,
      0.7142857143,
      -0.4285714286,
    ],
  ])("three right of eight: %s", (_, options, right, wrong) => {
    expectClose(groupAdvantages(threeOfEight, options), spread(right, wrong), 1e-9);
  });

  it("one right of four", () => {
    expectClose(groupAdvantages([1, 0, 0, 0], verl), [1.499997, ...times(3, -0.499999)]);
  });

  it("a group that does not differ teaches nothing", () => {
    expectClose(groupAdvantages([0.7, 0.7, 0.7], verl), [0, 0, 0]);
  });

  it("a group of one keeps its reward as in verl, or none as in TRL", () => {
    expectClose(groupAdvantages([1], verl), [0.999999]);
    expect(groupAdvantages([1], { ...verl, single: "zero" })).toEqual([0]);
    expect(groupAdvantages([2], { ...verl, normalization: { by: "none" } })).toEqual([2]);
  });

  it("a bonus of one hundredth in an all-right group is blown up to unit spread, unless a floor holds it", () => {
    const rewards = [1, 1.01, 0.99, 1];
    expectClose(groupAdvantages(rewards, verl), [0, 1.22459489, -1.22459489, 0]);
    expectClose(groupAdvantages(rewards, with_({ floor: 0.5, epsilon: 0 })), [0, 0.02, -0.02, 0]);
  });

  it("sums to zero and ignores shift; without epsilon also scale", () => {
    const rewards = fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(rewards, fc.double({ min: -3, max: 3, noNaN: true }), (group, shift) => {
        fc.pre(deviation(group, "sample") > 1e-3);
        const plain = groupAdvantages(group, with_({ epsilon: 0 }));
        expect(Math.abs(mean(plain))).toBeLessThan(1e-9);
        expectClose(
          groupAdvantages(
            group.map((reward) => 3 * reward + shift),
            with_({ epsilon: 0 }),
          ),
          plain,
          1e-6,
        );
      }),
    );
  });
});

describe("aggregation", () => {
  it.each([
    [{ by: "token-mean" } as const, [1 / 6, 1 / 6]],
    [{ by: "sequence-mean" } as const, [0.25, 0.125]],
    [{ by: "sequence-sum" } as const, [0.5, 0.5]],
    [{ by: "constant-length", tokens: 10 } as const, [0.05, 0.05]],
  ])("lengths 2 and 4, %o", (aggregation, shares) => {
    expectClose(tokenShares([2, 4], aggregation), shares, 1e-15);
  });

  it("a response without tokens does not count", () => {
    expect(tokenShares([2, 0, 4], { by: "sequence-mean" })).toEqual([0.25, 0, 0.125]);
  });
});

describe("schedules", () => {
  const cosine = { shape: "cosine", warmupSteps: 0, floor: 0.3 } as const;
  it("cosine goes from the full rate to the floor, halfway in the middle", () => {
    expectClose(
      [0, 35, 70, 90].map((step) => scheduleFactor(cosine, step, 70)),
      [1, 0.65, 0.3, 0.3],
      1e-12,
    );
  });
  it("linear and constant", () => {
    expectClose(
      [0, 5, 10].map((step) => scheduleFactor({ ...cosine, shape: "linear" }, step, 10)),
      [1, 0.65, 0.3],
      1e-12,
    );
    expect(scheduleFactor({ ...cosine, shape: "constant" }, 9, 10)).toBe(1);
  });
  it("warms up without a step that learns nothing, and joins the decay without a jump", () => {
    const warm = { ...cosine, warmupSteps: 4 };
    expectClose(
      [0, 1, 2, 3, 4].map((step) => scheduleFactor(warm, step, 100)),
      [0.2, 0.4, 0.6, 0.8, 1],
      1e-12,
    );
    for (let step = 5; step < 100; step++) {
      expect(scheduleFactor(warm, step, 100)).toBeLessThan(scheduleFactor(warm, step - 1, 100));
    }
  });
});
