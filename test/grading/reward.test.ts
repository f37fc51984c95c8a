import { describe, expect, it } from "vitest";
import { balancedReward, completionReward, rewardParts } from "../../src/grading/reward.ts";

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
    const weights = {
      exact: 2,
      completion: 0.5,
      format: 0.2,
      changedCell: 1,
      completionPower: 1,
      completionBy: "cells",
    } as const;
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

describe("completion by classes", () => {
  const blank = Array(8).fill("?");
  const share = (answer: string, solution: string, given = blank) =>
    completionReward([...answer], [...solution], [...given], balancedReward);
  it("pays one symbol everywhere nothing, however frequent it is", () => {
    expect(share("........", "#.......")).toBe(0);
    expect(share("########", "#######.")).toBe(0);
    expect(share("GGGGGGGG", "GGGGGGVZ")).toBe(0);
  });
  it("pays a solution in full, and what is found in between by the mean over classes", () => {
    expect(share("#.......", "#.......")).toBe(1);
    // Full cells: 1 of 2 found, none invented. Empty cells: 6 found, 1 invented. Mean (1/2 + 6/7) / 2, less the half.
    expect(share("#.......", "##......")).toBeCloseTo(((1 / 2 + 6 / 7) / 2 / 0.5 - 1) ** 3, 12);
  });
  it("counts no given cell, but water that a bridge might have crossed", () => {
    expect(share("2.-2....", "2--2....", [..."2..2...."])).toBeCloseTo(((1 / 2 + 4 / 5) / 2 / 0.5 - 1) ** 3, 12);
    expect(share("2..2....", "2--2....", [..."2..2...."])).toBe(0);
  });
});
