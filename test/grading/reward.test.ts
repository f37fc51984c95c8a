import { describe, expect, it } from "vitest";
import { completionReward, rewardParts } from "../../src/grading/reward.ts";

describe("completion reward", () => {
  // Four cells, of which two change: weights 1, 1, 2, 2, so the whole is 6.
  const initial = ["5", ".", ".", "."];
  const solution = ["5", ".", "-", "-"];

  it.each([
    [["5", ".", "-", "-"], 1],
    [["5", ".", ".", "."], (2 / 6) ** 3], // the untouched board
    [["5", ".", "-", "."], (4 / 6) ** 3],
    [["4", ".", "-", "-"], (5 / 6) ** 3],
    [["x", "x", "x", "x"], 0],
  ])("%j pays %d", (answer, reward) => {
    expect(completionReward(answer, solution, initial)).toBeCloseTo(reward, 12);
  });

  it("an answer of the wrong shape pays nothing", () => {
    expect(completionReward(["5"], solution, initial)).toBe(0);
    expect(completionReward(undefined, solution, initial)).toBe(0);
  });

  it("weights are parameters", () => {
    const weights = { exact: 2, completion: 0.5, format: 0.2, changedCell: 1, completionPower: 1 };
    expect(completionReward(["5", ".", ".", "."], solution, initial, weights)).toBe(0.5);
    expect(rewardParts({ exact: true, completion: 0.5, format: 1 }, weights).reward).toBeCloseTo(2.45, 12);
  });
});

it("the paper's sum is exact + completion + 0.1 format", () => {
  expect(rewardParts({ exact: true, completion: 1, format: 1 })).toEqual({
    exact: 1,
    completion: 1,
    format: 1,
    reward: 2.1,
  });
  expect(rewardParts({ exact: false, completion: 0.25, format: 0.5 }).reward).toBeCloseTo(0.3, 12);
});
