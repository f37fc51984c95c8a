// How answers of mathematics are graded: verdicts, missing answers, rounded golds, and many at once.
import { afterAll, describe, expect, it } from "vitest";
import { ProblemGraders } from "../../src/rollouts/problem-grading.ts";

const graders = new ProblemGraders();
afterAll(() => graders.close());
const grade = async (answer: string, response: string, decimals?: number) =>
  (await graders.of({ kind: "mathematics", id: "asked", prompt: "", answer, decimals })(response)).verdict;

describe("mathematics", () => {
  it.each([
    ["\\frac{3}{4}", "so it is $\\boxed{0.75}$", undefined, "correct"],
    ["\\frac{3}{4}", "so it is $\\boxed{0.76}$", undefined, "wrong"],
    ["5", "the answer is \\boxed{4", undefined, "unreadable"],
    ["5", "", undefined, "unreadable"],
    ["0.17", "the area is $\\boxed{1/6}$", 2, "correct"],
    ["0.17", "the area is $\\boxed{1/6}$", undefined, "wrong"],
    ["0.17", "the area is $\\boxed{0.18}$", 2, "wrong"],
  ])("gold %s, response %j, decimals %s: %s", async (gold, response, decimals, verdict) => {
    expect(await grade(gold, response, decimals)).toBe(verdict);
  });

  it("many at once keep their order", async () => {
    const golds = Array.from({ length: 60 }, (_, i) => i);
    const verdicts = await Promise.all(golds.map((i) => grade(String(i), `\\boxed{${i - (i % 2)}}`)));
    expect(verdicts).toEqual(golds.map((i) => (i % 2 === 0 ? "correct" : "wrong")));
  });
});
