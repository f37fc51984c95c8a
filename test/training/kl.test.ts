// The estimate of KL, its clamps, and what their expected gradients are, by exact sums over a small distribution.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { klTerm } from "../../src/training/kl.ts";
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
    const term = klTerm(lp, reference, "verl");
    expectClose([term.value, term.derivative], [value, derivative], 1e-9);
    expect(term.clamped).toBe(value === 10);
  });

  it("without them", () => {
    expectClose([klTerm(-4, -1, "none").value, klTerm(-0.01, -12.5, "none").value], [16.08553692, 11.49000376]);
  });

  it("silences a token from where k3 passes 10", () => {
    const clamped = (x: number) => klTerm(-20, -20 + x, "verl").clamped;
    expect([2.6108, 2.6109, -10.9999, -11].map(clamped)).toEqual([false, true, false, true]);
  });

  it("keeps its digits where policy and reference nearly agree", () => {
    expectClose([klTerm(-1, -1 + 1e-9, "none").value / 5e-19], [1], 1e-6);
  });
});

it("the derivative is that of the value", () => {
  const logprob = fc.double({ min: -4, max: -0.01, noNaN: true });
  fc.assert(
    fc.property(logprob, logprob, (lp, reference) => {
      const at = (current: number) => klTerm(current, reference, "none");
      expectClose([at(lp).derivative], [(at(lp + 1e-6).value - at(lp - 1e-6).value) / 2e-6], 1e-6);
    }),
  );
});

it("the expected gradient, on-policy, is that of KL(reference‖policy)", () => {
  const softmax = (logits: readonly number[]) => {
    const powers = logits.map(Math.exp);
    const total = powers.reduce((a, b) => a + b);
    return powers.map((power) => power / total);
  };
  const logits = [0.3, -1.2, 0.9, 0.1];
  const reference = softmax([1, 0.2, -0.4, 0.5]);
  const divergence = (policy: readonly number[]) =>
    reference.reduce((total, value, i) => total + value * Math.log(value / policy[i]), 0);
  const gradient = logits.map((_, j) => {
    const at = (h: number) => divergence(softmax(logits.map((logit, i) => (i === j ? logit + h : logit))));
    return (at(1e-6) - at(-1e-6)) / 2e-6;
  });
  const policy = softmax(logits);
  // Σ_a p(a) · derivative(a) · ∂ log p(a)/∂ logit_j
  const expected = logits.map((_, j) =>
    policy.reduce((total, p, a) => {
      const { derivative } = klTerm(Math.log(p), Math.log(reference[a]), "none");
      return total + p * derivative * ((a === j ? 1 : 0) - policy[j]);
    }, 0),
  );
  expectClose(expected, gradient, 1e-8);
});
