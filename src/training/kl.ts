// The divergence from the frozen reference, as a loss per sampled token (Schulman 2020, "Approximating KL divergence").
//
//   x = ref − lp      k1 = −x      k2 = x²/2      k3 = eˣ − x − 1
//
// What the expected gradient is, on-policy: of k1 zero, of k2 that of KL(policy‖reference), of k3 that of
// KL(reference‖policy). They agree to first order near the reference only.

/**
 * Which gradient the value of k3 is given. `k2` keeps the value and takes the gradient of the reverse divergence
 * (verl's "k3+"); `ratio-k3` weighs k3 by ρ = exp(lp − old), whose derivative is exactly ρ·(lp − ref) (DeepSeek-V3.2).
 */
export type KlGradient = "k3" | "k2" | "ratio-k3";

/** verl's guards: the log-ratio to ±20, then k3 to 10. A clamped token has no gradient. */
type KlClamp = "verl" | "none";

const largestLogRatio = 20;
const largestK3 = 10;

type KlTerm = {
  readonly value: number;
  /** d value / d lp; the loss subtracts it from the token's weight. */
  readonly derivative: number;
  readonly clamped: boolean;
};

/** k3, the low-variance estimate. */
export function klEstimate(current: number, reference: number, clamp: KlClamp): KlTerm {
  const x = reference - current;
  const bounded = clamp === "none" ? x : Math.min(Math.max(x, -largestLogRatio), largestLogRatio);
  // expm1 keeps the digits that eˣ − 1 loses where policy and reference nearly agree, which is most tokens.
  const growth = Math.expm1(bounded);
  const value = growth - bounded;
  if (clamp === "verl" && (bounded !== x || value > largestK3)) {
    return { value: Math.min(value, largestK3), derivative: 0, clamped: true };
  }
  return { value, derivative: -growth, clamped: false };
}

/** k3 with the gradient asked for. */
export function klTerm(
  current: number,
  sampled: number,
  reference: number,
  options: { readonly gradient: KlGradient; readonly clamp: KlClamp },
): KlTerm {
  const k3 = klEstimate(current, reference, options.clamp);
  switch (options.gradient) {
    case "k3":
      return k3;
    case "k2":
      return { ...k3, derivative: current - reference };
    case "ratio-k3": {
      const ratio = Math.exp(Math.min(Math.max(current - sampled, -largestLogRatio), largestLogRatio));
      return {
        value: ratio * k3.value,
        derivative: k3.clamped ? 0 : ratio * (current - reference),
        clamped: k3.clamped,
      };
    }
  }
}
