// Golden forms from SymPy 1.14: random expressions with their latex(simplify), latex(expand), latex(factor), latex(together),
// latex(radsimp) and latex(cancel), which are equal, and with 1/1000 added or taken 1001/1000 times, which are not; and
// random inequalities with latex(solve_univariate_inequality(…, relational=False)).
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { gradeMath } from "../../../src/grading/math/index.ts";

type Golden = {
  readonly forms: readonly {
    readonly expression: string;
    readonly same: readonly string[];
    readonly other: readonly string[];
  }[];
  readonly inequalities: readonly { readonly inequality: string; readonly solution: string }[];
};

const golden: Golden = JSON.parse(readFileSync(resolve(import.meta.dirname, "sympy-forms.json"), "utf8"));

describe("SymPy's forms", () => {
  it.each(golden.forms)("$expression", ({ expression, same, other }) => {
    for (const form of same)
      expect({ form, ...gradeMath(expression, `\\boxed{${form}}`) }).toMatchObject({ verdict: "equal" });
    for (const form of other)
      expect({ form, ...gradeMath(expression, `\\boxed{${form}}`) }).toMatchObject({ verdict: "different" });
  });

  it.each(golden.inequalities)("$inequality", ({ inequality, solution }) => {
    expect(gradeMath(inequality, `\\boxed{${solution}}`)).toMatchObject({ verdict: "equal" });
  });

  it("no solution is another inequality's", () => {
    const wrong = golden.inequalities.flatMap(({ inequality, solution }, i) =>
      golden.inequalities
        .slice(i + 1, i + 6)
        .filter(
          (other) =>
            other.solution !== solution && gradeMath(inequality, `\\boxed{${other.solution}}`).verdict === "equal",
        )
        .map((other) => [inequality, other.solution]),
    );
    expect(wrong).toEqual([]);
  });
});
