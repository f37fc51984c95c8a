// Formulas in a whole number: no wrong one is paid, whatever enumeration finds, and true identities stay equal.
import { describe, expect, it } from "vitest";
import { gradeMath } from "../../../src/grading/math/index.ts";
import { formulaFamilies, trueIdentities, wrongFormulas } from "./formulas.ts";

const golds = Object.values(formulaFamilies).flatMap(({ constants, make }) => constants.map((some) => make(...some)));

describe("formulas in a whole number", () => {
  it("a hundred and more of them, none of their wrong forms is paid", () => {
    expect(golds.length).toBeGreaterThanOrEqual(100);
    const tried = [...wrongFormulas()];
    expect(tried.length).toBeGreaterThan(800);
    const paid = tried.filter(({ gold, wrong }) => gradeMath(gold, `\\boxed{${wrong}}`).verdict === "equal");
    expect(paid).toEqual([]);
  });

  it("each is equal to itself with a nought added", () => {
    const refused = golds.filter(({ latex }) => gradeMath(latex, `\\boxed{0+${latex}}`).verdict !== "equal");
    expect(refused.map(({ latex }) => latex)).toEqual([]);
  });

  it.each(trueIdentities)("%s equals %s", (gold, answer) => {
    expect(gradeMath(gold, `\\boxed{${answer}}`)).toMatchObject({ verdict: "equal" });
  });

  it.each([
    ["6", "\\max(x,6)"],
    ["100-x", "|x-100|"],
    ["10-x", "\\sqrt{(x-10)^2}"],
    ["n", "\\min(n,100)"],
    ["0", "\\prod_{k=1}^{300}(x-k)"],
    ["\\min(n,k)", "n"],
    ["n", "\\min(n,10^9)"],
    ["n", "\\min(n,123456789)"],
    ["0", "\\lfloor\\frac{n}{10^{10}}\\rfloor"],
    ["10^9", "\\max(x,10^9)"],
    ["|x|+|x-0.001|", "|2x-0.001|"],
    ["x^2", "x^2+\\max(0,1-|1000x-1|)"],
    ["\\frac{1}{x}", "\\frac{1}{x}+\\max(0,10^{-6}-|x-\\frac{1}{7}|)"],
    ["\\lfloor x\\rfloor", "\\lceil x\\rceil-1"],
    ["x^2", "x^2+\\lfloor\\frac{1}{1+x^2}\\rfloor"],
    ["n^2", "n^2+0^{(n-500)^2}"],
    ["2^n", "2^n+0^{|n-7919|}"],
  ])("%s is not %s", (gold, answer) => {
    expect(gradeMath(gold, `\\boxed{${answer}}`).verdict).not.toBe("equal");
  });
});
