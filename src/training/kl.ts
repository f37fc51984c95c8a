// The divergence from the frozen reference, as a loss per sampled token (Schulman 2020, "Approximating KL divergence").
//
//   x = ref − lp      k3 = eˣ − x − 1
//
// Its expected gradient, on-policy, is that of KL(reference‖policy).

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

export function klTerm(current: number, reference: number, clamp: KlClamp): KlTerm {
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
