// CISPO (MiniMax-M1, Chen et al. 2025, arXiv:2506.13585): clips the importance weight and not the update, so that no
// token is ever dropped.
//
//   w_t = A_t · clip(ρ_t, lowest, highest),   the ratio without gradient
import { tokenRatio } from "./grpo.ts";
import { type Logprobs, noUpdates, type TokenUpdates } from "./gspo.ts";

/** Absolute bounds of the ratio: frameworks disagree on whether such numbers are distances from 1. */
type RatioBounds = { readonly lowest: number; readonly highest: number };

export function cispoUpdates(
  current: Logprobs,
  sampled: Logprobs,
  advantages: ArrayLike<number>,
  bounds: RatioBounds,
): TokenUpdates {
  const updates = noUpdates(sampled.length);
  for (let t = 0; t < sampled.length; t++) {
    const { ratio } = tokenRatio(current[t], sampled[t]);
    const bounded = Math.min(Math.max(ratio, bounds.lowest), bounds.highest);
    if (bounded !== ratio) updates.clipped[t] = 1;
    updates.weights[t] = bounded * advantages[t];
    updates.terms[t] = updates.weights[t] * current[t];
  }
  return updates;
}
