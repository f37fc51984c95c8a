// The estimate of KL, its clamps, and what their expected gradients are, by exact sums over a small distribution.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { klEstimate, klTerm } from "../../src/training/kl.ts";
import { expectClose } from "./close.ts";

describe("k3 with verl's clamps", () => {
  it.each([
    [-1, -1.5, 0.1065306597, 0.3934693403],
    [-1.5, -1, 0.1487212707, -0.6487212707],
    [-1, -1, 0, 0],
    [-1, -8, 6.000911882, 0.999088118],
    [-4, -1, 10, 0],
    [-0.01, -12.5, 10, 0],
  ])("lp %d, ref %d", (lp, reference, value, derivative) => {
    const term = klEstimate(lp, reference, "verl");
    expectClose([term.value, term.derivative], [value, derivative], 1e-9);
    expect(term.clamped).toBe(value === 10);
  });

  it("without them", () => {
    expectClose([klEstimate(-4, -1, "none").value, klEstimate(-0.01, -12.5, "none").value], [16.08553692, 11.49000376]);
  });

  it("silences a token from where k3 passes 10", () => {
    const clamped = (x: number) => klEstimate(-20, -20 + x, "verl").clamped;
    expect([2.6108, 2.6109, -10.9999, -11].map(clamped)).toEqual([false, true, false, true]);
  });

  it("keeps its digits where policy and reference nearly agree", () => {
    expectClose([klEstimate(-1, -1 + 1e-9, "none").value / 5e-19], [1], 1e-6);
  });

  it("weighted by the ratio has the derivative ρ·(lp − ref)", () => {
    expectClose([klTerm(-1, -1.05, -1.5, { gradient: "ratio-k3", clamp: "none" }).derivative], [0.5256355482], 1e-9);
  });
});

describe("the derivative is that of the value", () => {
  const logprob = fc.double({ min: -4, max: -0.01, noNaN: true });
  it.each(["k3", "ratio-k3"] as const)("%s", (gradient) => {
    fc.assert(
      fc.property(logprob, logprob, logprob, (lp, old, reference) => {
        const at = (current: number) => klTerm(current, old, reference, { gradient, clamp: "none" });
        expectClose([at(lp).derivative], [(at(lp + 1e-6).value - at(lp - 1e-6).value) / 2e-6], 1e-6);
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
  it("k3 is that of KL(reference‖policy)", () =>
    expectClose(
      expected((lp, ref) => klEstimate(lp, ref, "none").derivative),
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
