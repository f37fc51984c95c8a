// What holds for every text: the grader answers, in time, the same thing each time; and what holds for every expression.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gradeMath } from "../../../src/grading/math/index.ts";
import { moment, processorTime } from "../../fixtures/processor-time.ts";

/** Pieces of LaTeX in any order: most of it is nonsense, much of it almost makes sense. */
const soup = fc
  .array(
    fc.constantFrom(
      ..."0123456789abcdexyzfnABC+-*/^_=<>()[]{}|,.;:!%$&'\\ ~\n",
      ...[
        "\\frac",
        "\\sqrt",
        "\\boxed{",
        "\\{",
        "\\}",
        "\\left(",
        "\\right]",
        "\\pi",
        "\\sin",
        "\\log_",
        "\\cdot",
        "\\pm",
      ],
      ...[
        "\\text{",
        "\\text{and}",
        "\\begin{pmatrix}",
        "\\end{pmatrix}",
        "\\begin{cases}",
        "\\end{cases}",
        "\\\\",
        "\\%",
      ],
      ...[
        "\\sum_{k=1}^{",
        "\\int_0^1",
        "\\lim_{x\\to 0}",
        "\\infty",
        "\\cup",
        "\\in",
        "\\mathbb{R}",
        "\\le",
        "\\ne",
        "\\to",
      ],
      ...[
        "$$",
        "\\[",
        "\\]",
        "\\(",
        "\\)",
        "the answer is",
        "final answer is",
        "and",
        "or",
        "I hope",
        "½",
        "√",
        "²",
        "≤",
        "°",
      ],
      ...[
        "答案",
        "是",
        "10^{10^{10}}",
        "9^9^9^9",
        "100000!",
        "\\binom{99999}{50000}",
        "e^{e^{e^{9}}}",
        "0.\\overline{3}",
        "1,234",
      ],
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(""));

const anything = fc.oneof(soup, fc.string({ maxLength: 120 }), fc.string({ unit: "binary", maxLength: 60 }));

type Sample = { readonly latex: string; readonly n: bigint; readonly d: bigint };

/** A random fraction written as a random formula, with its value worked out beside it in plain whole numbers. */
const rationalFormula: fc.Arbitrary<Sample> = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.integer({ min: 0, max: 30 }).map((value) => ({ latex: `${value}`, n: BigInt(value), d: 1n })),
    fc
      .tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }))
      .map(([a, b]) => ({ latex: `\\frac{${a}}{${b}}`, n: BigInt(a), d: BigInt(b) })),
    fc.tuple(tie("sample"), tie("sample"), fc.constantFrom("+", "-", "\\cdot", "\\times")).map(([x, y, sign]) => {
      const latex = `\\left(${x.latex}\\right)${sign}\\left(${y.latex}\\right)`;
      if (sign === "+") return { latex, n: x.n * y.d + y.n * x.d, d: x.d * y.d };
      if (sign === "-") return { latex, n: x.n * y.d - y.n * x.d, d: x.d * y.d };
      return { latex, n: x.n * y.n, d: x.d * y.d };
    }),
    fc
      .tuple(tie("sample"), fc.integer({ min: 1, max: 4 }))
      .map(([x, k]) => ({ latex: `{\\left(${x.latex}\\right)}^{${k}}`, n: x.n ** BigInt(k), d: x.d ** BigInt(k) })),
  ),
})).sample;

/** Formulas with letters, functions and roots. */
const formula: fc.Arbitrary<string> = fc.letrec<{ formula: string }>((tie) => ({
  formula: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constantFrom("x", "y", "n", "\\pi", "2", "7", "\\frac{3}{5}", "\\sqrt{2}", "e", "i", "a_1"),
    fc.tuple(tie("formula"), tie("formula")).map(([a, b]) => `${a}+${b}`),
    fc.tuple(tie("formula"), tie("formula")).map(([a, b]) => `\\frac{${a}}{1+\\left(${b}\\right)^2}`),
    fc.tuple(tie("formula"), tie("formula")).map(([a, b]) => `(${a})(${b})`),
    tie("formula").map((a) => `\\sin\\left(${a}\\right)`),
    tie("formula").map((a) => `\\sqrt{${a}}`),
    tie("formula").map((a) => `\\left(${a}\\right)^{3}`),
  ),
})).formula;

describe("the grader", () => {
  it("answers any two texts, quickly", () => {
    fc.assert(
      fc.property(anything, anything, (gold, response) => {
        const { result, seconds } = processorTime(() => gradeMath(gold, response));
        expect(["equal", "different", "undecided"]).toContain(result.verdict);
        expect(seconds).toBeLessThan(moment);
      }),
      { numRuns: 300 },
    );
  });

  it("gives the same verdict twice", () => {
    fc.assert(
      fc.property(soup, soup, (gold, response) => {
        expect(gradeMath(gold, response)).toEqual(gradeMath(gold, response));
      }),
      { numRuns: 60 },
    );
  });

  it("never calls a gold answer different from itself", () => {
    fc.assert(
      fc.property(soup, (gold) => {
        if (gold.trim() === "") return;
        expect(gradeMath(gold, gold).verdict).not.toBe("different");
      }),
      { numRuns: 200 },
    );
  });

  it("finds every formula equal to itself in a box", () => {
    fc.assert(
      fc.property(formula, (latex) => {
        expect(gradeMath(latex, `\\boxed{${latex}}`)).toMatchObject({ verdict: "equal" });
      }),
      { numRuns: 100 },
    );
  });

  it("is symmetric on expressions", () => {
    fc.assert(
      fc.property(formula, formula, (a, b) => {
        expect(gradeMath(a, `$${b}$`).verdict).toBe(gradeMath(b, `$${a}$`).verdict);
      }),
      { numRuns: 75 },
    );
  });

  it("knows that order and brackets do not change a sum or a product", () => {
    fc.assert(
      fc.property(formula, formula, (a, b) => {
        expect(gradeMath(`(${a})+(${b})`, `$(${b})+(${a})$`).verdict).not.toBe("different");
        expect(gradeMath(`(${a})(${b})`, `$(${b})\\cdot(${a})$`).verdict).not.toBe("different");
      }),
      { numRuns: 60 },
    );
  });

  it("does not take a formula for the same formula plus one", () => {
    fc.assert(
      fc.property(formula, (latex) => {
        expect(gradeMath(latex, `$${latex}+1$`).verdict).not.toBe("equal");
      }),
      { numRuns: 75 },
    );
  });

  it("agrees with plain fractions about arithmetic", () => {
    fc.assert(
      fc.property(rationalFormula, rationalFormula, (a, b) => {
        const value = a.d === 1n ? `${a.n}` : `\\frac{${a.n}}{${a.d}}`;
        expect(gradeMath(value, `\\boxed{${a.latex}}`)).toMatchObject({ verdict: "equal" });
        const same = a.n * b.d === b.n * a.d;
        expect(gradeMath(a.latex, `\\boxed{${b.latex}}`).verdict).toBe(same ? "equal" : "different");
      }),
      { numRuns: 100 },
    );
  });
});
