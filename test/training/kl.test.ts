// The three estimators, their clamps, and what their expected gradients are, by exact sums over a small distribution.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { klEstimate, klTerm } from "../../src/training/kl.ts";
import { objectiveSchema } from "../../src/training/objective.ts";
import { updateWeights } from "../../src/training/update.ts";
import { expectClose } from "./close.ts";
import { exampleStep } from "./example.ts";

describe("k3 with verl's clamps", () => {
  it.each([
    [-1, -1.5, 0.1065306597, 0.3934693403],
    [-1.5, -1, 0.1487212707, -0.6487212707],
    [-1, -1, 0, 0],
    [-1, -8, 6.000911882, 0.999088118],
    [-4, -1, 10, 0],
    [-0.01, -12.5, 10, 0],
  ])("lp %d, ref %d", (lp, reference, value, derivative) => {
    const term = klEstimate("k3", lp, reference, "verl");
    expectClose([term.value, term.derivative], [value, derivative], 1e-9);
    expect(term.clamped).toBe(value === 10);
  });

  it("without them", () => {
    expectClose(
      [klEstimate("k3", -4, -1, "none").value, klEstimate("k3", -0.01, -12.5, "none").value],
      [16.08553692, 11.49000376],
    );
  });

  it("silences a token from where k3 passes 10", () => {
    const clamped = (x: number) => klEstimate("k3", -20, -20 + x, "verl").clamped;
    expect([2.6108, 2.6109, -10.9999, -11].map(clamped)).toEqual([false, true, false, true]);
  });

  it("keeps its digits where policy and reference nearly agree", () => {
    expectClose([klEstimate("k3", -1, -1 + 1e-9, "none").value / 5e-19], [1], 1e-6);
  });

  it("weighted by the ratio has the derivative ρ·(lp − ref)", () => {
    expectClose([klTerm(-1, -1.05, -1.5, { gradient: "ratio-k3", clamp: "none" }).derivative], [0.5256355482], 1e-9);
  });
});

describe("every estimator's derivative is that of its value", () => {
  const logprob = fc.double({ min: -4, max: -0.01, noNaN: true });
  const numeric = (f: (lp: number) => number, lp: number) => (f(lp + 1e-6) - f(lp - 1e-6)) / 2e-6;
  it.each(["k1", "k2", "k3"] as const)("%s", (estimator) => {
    fc.assert(
      fc.property(logprob, logprob, (lp, reference) => {
        const { derivative } = klEstimate(estimator, lp, reference, "none");
        expectClose([derivative], [numeric((at) => klEstimate(estimator, at, reference, "none").value, lp)], 1e-7);
      }),
    );
  });
  it("ratio-k3", () => {
    fc.assert(
      fc.property(logprob, logprob, logprob, (lp, old, reference) => {
        const options = { gradient: "ratio-k3", clamp: "none" } as const;
        const { derivative } = klTerm(lp, old, reference, options);
        expectClose([derivative], [numeric((at) => klTerm(at, old, reference, options).value, lp)], 1e-6);
      }),
    );
  });
});

describe("expected gradients, on-policy", () => {
  const softmax = (logits: readonly number[]) => {
    const powers = logits.map(Math.exp);
    const total = powers.reduce((a, b) => a + b);
    return powers.map((power) => power / total);
  };
  const logits = [0.3, -1.2, 0.9, 0.1];
  const reference = softmax([1, 0.2, -0.4, 0.5]);
  const divergence = (p: readonly number[], q: readonly number[]) =>
    p.reduce((total, value, i) => total + value * Math.log(value / q[i]), 0);
  const gradientOf = (f: (policy: readonly number[]) => number) =>
    logits.map((_, j) => {
      const at = (h: number) => f(softmax(logits.map((logit, i) => (i === j ? logit + h : logit))));
      return (at(1e-6) - at(-1e-6)) / 2e-6;
    });
  /** Σ_a p(a) · derivative(a) · ∂ log p(a)/∂ logit_j */
  const expected = (derivative: (lp: number, ref: number) => number) => {
    const policy = softmax(logits);
    return logits.map((_, j) =>
      policy.reduce(
        (total, p, a) => total + p * derivative(Math.log(p), Math.log(reference[a])) * ((a === j ? 1 : 0) - policy[j]),
        0,
      ),
    );
  };
  const of = (estimator: "k1" | "k2" | "k3") =>
    expected((lp, ref) => klEstimate(estimator, lp, ref, "none").derivative);

  it("k1 is zero", () => expectClose(of("k1"), [0, 0, 0, 0], 1e-12));
  it("k2 is that of KL(policy‖reference)", () =>
    expectClose(
      of("k2"),
      gradientOf((p) => divergence(p, reference)),
      1e-8,
    ));
  it("k3 is that of KL(reference‖policy)", () =>
    expectClose(
      of("k3"),
      gradientOf((p) => divergence(reference, p)),
      1e-8,
    ));
  it("k3 with k2's gradient is that of KL(policy‖reference)", () => {
    const combined = expected((lp, ref) => klTerm(lp, lp, ref, { gradient: "k2", clamp: "none" }).derivative);
    expectClose(
      combined,
      gradientOf((p) => divergence(p, reference)),
      1e-8,
    );
  });
});

describe("the whole recipe: GSPO with KL in the loss", () => {
  it.each([
    [
      1e-3,
      [
        [-1.157398497e-5, 2.596422888e-5, -2.20014741e-6],
        [-0.1663625066, -0.1663336664],
        [0.04125207641, 0.04123047792, 0.04126084065, 0.04139526656],
      ],
      -0.1672711558,
    ],
    [
      0.1,
      [
        [-0.001157398497, 0.002596422888, -0.000220014741],
        [-0.1692176809, -0.1663336664],
        [0.04125207641, 0.03909222825, 0.04212850072, 0.05557109164],
      ],
      -0.160359275,
    ],
  ])("β = %d: the clipped sequence still gets its KL part", (coefficient, weights, loss) => {
    const objective = objectiveSchema.parse({ algorithm: "gspo", kl: { coefficient } });
    const update = updateWeights(objective, exampleStep);
    weights.forEach((expected, i) => {
      expected.forEach((value, t) => {
        expect(Math.abs(update.weights[i][t] - value)).toBeLessThan(1e-6 * Math.abs(value));
      });
    });
    expectClose([update.report.loss], [loss], 1e-9);
    expect(update.report.clipFraction).toBeCloseTo(3 / 9, 12);
  });
});
