// What a verdict says beside yes and no, the documented asymmetries, the options, and hostile input within its bounds.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { extractAnswer, gradeMath, type MathOptionsInput } from "../../../src/grading/math/index.ts";
import { moment, processorTime } from "../../fixtures/processor-time.ts";

const verdict = (gold: string, response: string, options?: MathOptionsInput) =>
  gradeMath(gold, response, options).verdict;

describe("a verdict", () => {
  it("is undecided about what is no text", () => {
    for (const [gold, response] of [
      [null, "1"],
      ["1", undefined],
      [1, "1"],
      ["1", 1],
      ["1", {}],
      [["1"], "1"],
    ] as unknown as [string, string][])
      expect(gradeMath(gold, response)).toMatchObject({
        verdict: "undecided",
        because: expect.stringMatching(/no text$/),
      });
    expect(extractAnswer(1 as unknown as string)).toBeUndefined();
  });

  it("says why, and shows both forms", () => {
    expect(gradeMath("\\frac{1}{2}", "So $x = 0.5$.")).toEqual({
      verdict: "equal",
      because: "equal exactly",
      gold: "1/2",
      prediction: "x = 0.5",
      answer: "x = 0.5",
      source: "mathematics",
      at: [3, 12],
    });
  });

  it.each([
    ["exactly", "2^{1000}-1", "2^{1000}+1", "they differ by a known number"],
    ["by radicals", "\\sqrt{2}+\\sqrt{3}", "\\sqrt{5}", "they differ exactly"],
    ["by digits", "\\sin 1", "\\sin 2", "their values differ"],
    ["at a point", "\\sin x", "\\cos x", "they differ at x ="],
    ["by rounding", "\\frac13", "0.334", "they differ within 6 decimal places"],
    ["by kind", "5", "(5, 6)", "an expression and a tuple"],
    ["for want of an answer", "5", "x", "they differ exactly"],
  ])("tells how it was decided: %s", (_, gold, response, because) => {
    expect(gradeMath(gold, response).because).toContain(because);
  });

  it.each([
    ["a gold answer that is no mathematics", "\\frac{1}{", "5"],
    ["an answer that is no mathematics", "5", "\\boxed{\\frac{1}{}}"],
    ["a number beyond all bounds", "9^{9^{9^{9}}}", "\\boxed{5}"],
    ["a division by zero", "5", "\\boxed{\\frac{5}{1-1}}"],
    ["a limit that nobody works out", "1", "\\boxed{\\lim_{x\\to 0}\\frac{\\sin x}{x}}"],
    ["a ratio that may be a time of day", "2:15", "4:30"],
    [
      "a box with several cases, though one of them fits",
      "6",
      "\\boxed{5 \\text{ if } n \\text{ is even}, 6 \\text{ if } n \\text{ is odd}}",
    ],
    ["integrals that do not look alike", "\\int_0^1 e^{x^2}dx", "\\int_{0}^{2} e^{t^2}\\,dt"],
  ])("is undecided about %s", (_, gold, response) => {
    expect(gradeMath(gold, response)).toMatchObject({ verdict: "undecided" });
  });
});

describe("asymmetries, as documented", () => {
  it("a gold relation accepts the set it describes, and a gold set the relation unless told not to", () => {
    expect(verdict("-2 \\le x \\le 7", "[-2, 7]")).toBe("equal");
    expect(verdict("[-2, 7]", "-2 \\le x \\le 7")).toBe("equal");
    expect(verdict("[-2, 7]", "-2 \\le x < 7")).toBe("different");
    expect(verdict("[-2, 7]", "-2 \\le x \\le 7", { allowSetRelation: false })).toBe("different");
  });

  it("a gold tuple keeps its order, a gold set has none", () => {
    expect(verdict("(1,3)", "1,3")).toBe("equal");
    expect(verdict("(3,1)", "1,3")).toBe("different");
    expect(verdict("3,1", "(1,3)")).toBe("equal");
    expect(verdict("(1,3)", "\\{1,3\\}")).toBe("undecided");
    expect(verdict("\\{3,1\\}", "(1,3)")).toBe("undecided");
  });

  it("a gold value accepts an equation that ends in it; a gold equation accepts no bare value", () => {
    expect(verdict("12", "a^2+b^2 = 12")).toBe("equal");
    expect(verdict("a^2+b^2 = 12", "12")).toBe("different");
    expect(verdict("0", "a^2+b^2 = 0")).toBe("different");
  });
});

describe("options", () => {
  it("rounding", () => {
    expect(verdict("\\frac13", "0.333", { decimalPlaces: 3 })).toBe("equal");
    expect(verdict("\\frac13", "0.333", { decimalPlaces: 4 })).toBe("different");
    expect(verdict("0.01", "0.0149", { decimalPlaces: 2 })).toBe("different");
    expect(verdict("0.01", "0.0149", { decimalPlaces: 2, decimalShare: Number.POSITIVE_INFINITY })).toBe("equal");
    expect(verdict("1000.5", "1000.4", { decimalPlaces: 6, decimalShare: 1e-9 })).toBe("different");
  });

  it("percent as its number", () => {
    expect(verdict("9", "9\\%")).toBe("different");
    expect(verdict("9", "9\\%", { percentEqualsNumber: true })).toBe("equal");
    expect(verdict("9\\%", "0.09", { percentEqualsNumber: true })).toBe("equal");
  });

  it("tolerance", () => {
    expect(verdict("\\pi", "3.14")).toBe("different");
    expect(verdict("\\pi", "3.14", { tolerance: { relative: 0.001 } })).toBe("equal");
    expect(verdict("\\pi", "3.13", { tolerance: { relative: 0.001 } })).toBe("different");
    expect(verdict("100", "99", { tolerance: { absolute: 1 } })).toBe("equal");
    expect(verdict("100", "98", { tolerance: { absolute: 1 } })).toBe("different");
    expect(verdict("x+1", "x+1.001", { tolerance: { absolute: 1 } })).toBe("different");
  });

  it("order of lists", () => {
    expect(verdict("1, 2, 3", "3, 2, 1")).toBe("equal");
    expect(verdict("1, 2, 3", "3, 2, 1", { listOrder: "as-written" })).toBe("different");
    expect(verdict("1, 2, 3", "1, 2, 3", { listOrder: "as-written" })).toBe("equal");
    expect(verdict("\\{1, 2\\}", "\\{2, 1\\}", { listOrder: "as-written" })).toBe("equal");
    expect(verdict("x=1, y=2", "y=2, x=1", { listOrder: "as-written" })).toBe("equal");
  });

  it("units", () => {
    expect(verdict("5 \\text{ cm}", "5")).toBe("equal");
    expect(verdict("5 \\text{ cm}", "5", { units: "required" })).toBe("different");
    expect(verdict("5 \\text{ cm}", "0.05 \\text{ m}", { units: "required" })).toBe("equal");
    expect(verdict("5", "5", { units: "required" })).toBe("equal");
  });

  it("choices with their texts", () => {
    const choices = { A: "12", B: "\\frac{1}{2}", C: "none of these" };
    expect(verdict("B", "The answer is $0.5$.", { choices })).toBe("equal");
    expect(verdict("B", "The answer is B.", { choices })).toBe("equal");
    expect(verdict("B", "The answer is A.", { choices })).toBe("different");
    expect(verdict("B", "The answer is $12$.", { choices })).toBe("different");
    expect(verdict("12", "\\boxed{A}", { choices })).toBe("equal");
    expect(verdict("12", "\\boxed{B}", { choices })).toBe("different");
    expect(verdict("C", "\\boxed{\\text{None of these}}", { choices })).toBe("equal");
    expect(verdict("B", "\\boxed{12}")).toBe("different");
  });

  it("an option that does not exist is an error", () => {
    const misspelled = { decimalplaces: 2 } as MathOptionsInput;
    expect(() => gradeMath("1", "1", misspelled)).toThrow(
      'unknown option "decimalplaces"; expected one of: mode, extraction',
    );
  });

  it("vectors as tuples", () => {
    const column = "\\begin{pmatrix}1\\\\2\\end{pmatrix}";
    expect(verdict(column, "(1,2)")).toBe("equal");
    expect(verdict("(1,2)", column)).toBe("equal");
    expect(verdict(column, "(2,1)")).toBe("different");
  });
});

describe("hostile input", () => {
  const nested = (open: string, inner: string, close: string, depth: number) =>
    open.repeat(depth) + inner + close.repeat(depth);
  const sines = (first: number, step: number) =>
    Array.from({ length: 60 }, (_, i) => `\\sin\\left(x^{7}+${first + step * i}\\right)`).join(", ");

  it.each([
    ["a tower of powers", "5", "\\boxed{9^{9^{9^{9^{9}}}}}"],
    ["towers on both sides", "9^{9^{9^{9}}}", "9^{9^{9^{9}}}+1"],
    ["a tower of exponentials", "e^{e^{e^{e^{e}}}}", "0"],
    ["nested fractions", "5", `\\boxed{${nested("\\frac{1}{1+", "1", "}", 60)}}`],
    ["far too deeply nested fractions", "5", `\\boxed{${nested("\\frac{1}{1+", "1", "}", 900)}}`],
    ["nested roots", "5", `\\boxed{${nested("\\sqrt{1+", "x", "}", 60)}}`],
    ["nested functions that may be products", "5", `\\boxed{${nested("p(", "a+b", ")", 60)}}`],
    ["nested binomials that may be powers", "5", `\\boxed{${nested("C_1^{", "1", "}", 60)}}`],
    ["megabytes of open braces", "5", "{".repeat(2_000_000)],
    ["a megabyte of closed braces", "5", nested("{", "", "}", 500_000)],
    ["many open boxes", "5", "\\boxed{".repeat(50_000)],
    ["a megabyte of dollars", "5", "$".repeat(1_000_000)],
    ["many formulas that never close", "5", "\\( \\[ ".repeat(100_000)],
    ["many anchors", "5", "the final answer is is is ".repeat(30_000)],
    ["many answer tags", "5", "<answer>".repeat(50_000)],
    ["a megabyte of digits", "5", "7".repeat(1_000_000)],
    ["a huge factorial", "1000000!", "1000000!+1"],
    ["a huge binomial", "\\binom{10^{12}}{10^{6}}", "5"],
    ["a huge expansion", "(a+b+c+d)^{90}", "(a+b+c+d)^{90}+1"],
    ["a long sum", "\\sum_{k=1}^{10^{9}} k", "5"],
    [
      "sums in sums in sums",
      "\\sum_{i=1}^{n}\\sum_{j=1}^{n}\\sum_{k=1}^{n}\\sin(ijk)",
      "\\sum_{i=1}^{n}\\sum_{j=1}^{n}\\sum_{k=1}^{n}\\sin(kji)+1",
    ],
    ["a long list in another order", sines(0, 1), sines(59, -1)],
    ["thousands of equals signs", "5", `\\boxed{${"=".repeat(11_000)}}`],
    ["thousands of labels", "5", `\\boxed{${"A. ".repeat(3_900)}}`],
    ["thousands of root signs", "5", `\\boxed{${"√".repeat(3_000)}2}`],
    ["thousands of slashes", "5", `\\boxed{1${"/1".repeat(5_000)}}`],
    ["thousands of primes", "5", `\\boxed{f${"'".repeat(9_000)}}`],
    ["thousands of factorials", "5", `\\boxed{3${"! ".repeat(5_000)}}`],
    ["thousands of unions", "5", `\\boxed{${"[0,1]\\cup".repeat(1_000)}[0,1]}`],
    ["thousands of indices", "5", `\\boxed{${"a_{".repeat(3_900)}}`],
    ["many words of numbers", "5", `\\boxed{${"three ".repeat(1_900)}}`],
    ["a gold answer of a megabyte", "=".repeat(1_000_000), "\\boxed{4}"],
    ["a response beyond all bounds", "5", "5".repeat(3_000_000)],
    ["many signs", "5", `\\boxed{${"\\pm 1".repeat(40)}}`],
    ["code", "5", "\\boxed{process.exit(1)}"],
  ])("%s ends in time, without a false yes", (_, gold, response) => {
    const { result, seconds } = processorTime(() => gradeMath(gold, response));
    expect(seconds).toBeLessThan(moment);
    if (gold === "5" || gold.endsWith("!")) expect(result.verdict).not.toBe("equal");
  });
});

describe("the pure entry", () => {
  it("asks nothing of Node", () => {
    const reached = new Set<string>();
    const outside: string[] = [];
    const visit = (file: string) => {
      if (reached.has(file)) return;
      reached.add(file);
      for (const [, specifier] of readFileSync(file, "utf8").matchAll(/ from "([^"]+)";$/gm)) {
        if (specifier.startsWith(".")) visit(resolve(dirname(file), specifier));
        else outside.push(specifier);
      }
    };
    visit(resolve(import.meta.dirname, "../../../src/grading/math/index.ts"));
    expect(outside).toEqual([]);
    expect([...reached].some((file) => file.endsWith("math-grader.ts"))).toBe(false);
  });
});
