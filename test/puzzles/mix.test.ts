// Kinds by weight: every weight that is a number works, and a puzzle has one name.
import { expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { readWeightedKind, weightedChoice } from "../../src/puzzles/mix.ts";

it.each([
  [1, 3],
  [5e307, 1.5e308],
  [1e-320, 3e-320],
])("weights of %d and %d are chosen one to three", (one, three) => {
  const chosen = Array.from({ length: 4000 }, (_, draw) => weightedChoice([one, three], Random.from("w").child(draw)));
  const share = chosen.filter((index) => index === 1).length / chosen.length;
  expect(share).toBeGreaterThan(0.72);
  expect(share).toBeLessThan(0.78);
});

it("a title is a name: what is counted by it is kept under one", () => {
  expect(readWeightedKind("Slitherlink=5x5,easy").text).toBe("slitherlink=5x5t0de");
  expect(readWeightedKind("slitherlink=5X5,easy*2").text).toBe("slitherlink=5x5t0de");
});
