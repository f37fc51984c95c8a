// How evaluation asks the mathematics grader: verdicts, missing answers, rounded golds, and no answer that takes for ever.
import { afterAll, describe, expect, it } from "vitest";
import { equivalenceGrader } from "../../src/rollouts/equivalence.ts";

const grader = equivalenceGrader({ workers: 1 });
afterAll(() => grader.close());

describe("equivalence", () => {
  it.each([
    ["\\frac{3}{4}", "so it is $\\boxed{0.75}$", undefined, "equal"],
    ["\\frac{3}{4}", "so it is $\\boxed{0.76}$", undefined, "different"],
    ["5", "the answer is \\boxed{4", undefined, "unreadable"],
    ["5", "", undefined, "unreadable"],
    ["0.17", "the area is $\\boxed{1/6}$", 2, "equal"],
    ["0.17", "the area is $\\boxed{1/6}$", undefined, "different"],
    ["0.17", "the area is $\\boxed{0.18}$", 2, "different"],
  ])("gold %s, response %j, decimals %s: %s", async (gold, response, decimals, verdict) => {
    expect((await grader.grade({ gold, response, decimals })).verdict).toBe(verdict);
  });

  it("many at once keep their order", async () => {
    const golds = Array.from({ length: 60 }, (_, i) => i);
    const verdicts = await Promise.all(
      golds.map((i) => grader.grade({ gold: String(i), response: `\\boxed{${i - (i % 2)}}` })),
    );
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(golds.map((i) => (i % 2 === 0 ? "equal" : "different")));
  });
});
