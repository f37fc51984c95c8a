// The search for false yeses and false noes, on a sample; GRADING_SEARCH=full looks at 100,000 changed golds and 10,000 rewritten ones.
import { describe, expect, it } from "vitest";
import { trulyEqual, wronglyPaid, wronglyRefused } from "./search.ts";
import { searchGolds } from "./search-golds.ts";
import { secondOpinion } from "./second-opinion.ts";

const full = process.env.GRADING_SEARCH === "full";
const [slipsTried, rewritesTried] = full ? [100_000, 10_000] : [2_000, 400];

describe("the search", () => {
  it("finds no changed answer that is paid for, unless a second method says that nothing was changed", () => {
    const { tried, findings } = wronglyPaid(searchGolds, slipsTried, "search");
    expect(tried).toBe(slipsTried);
    expect(findings.filter(({ gold, answer }) => !trulyEqual(gold, answer))).toEqual([]);
  });

  it("finds no rewriting that is refused", () => {
    const { tried, findings } = wronglyRefused(searchGolds, rewritesTried, "search");
    expect(tried).toBe(rewritesTried);
    expect(findings).toEqual([]);
  });
});

describe("the second method", () => {
  it.each([
    ["\\frac{1}{2}", "0.5", true],
    ["x^2-1", "(x-1)(x+1)", true],
    ["\\sqrt{8}", "2\\sqrt{2}", true],
    ["(1, 2)", "(2, 1)", false],
    ["\\{1, 2\\}", "\\{2, 1\\}", true],
    ["[1, 2)", "[1, 2]", false],
    ["x < 3", "x < 4", false],
    ["3+4i", "3-4i", false],
    ["e^{i\\pi}", "-1", true],
    ["\\clubsuit", "3", undefined],
  ])("says of %s and %s: %s", (a, b, expected) => {
    expect(secondOpinion(a, b)).toBe(expected);
  });
});
