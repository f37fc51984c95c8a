// The clipped token ratio of PPO (Schulman et al. 2017, arXiv:1707.06347) as GRPO uses it, with the dual clip.
//
//   J_t = min(ρ_t A_t, clip(ρ_t, 1 − below, 1 + above) A_t),   ρ_t = exp(lp_t − old_t)
//   dual clip, for A_t < 0:  J_t = max(J_t, dual · A_t)
import { type ClipRange, clippedRatio, type Logprobs, noUpdates, stopsAt, type TokenUpdates } from "./gspo.ts";

export type TokenClip = ClipRange & {
  /** The largest ratio with which a bad token is pushed down; absent for no such limit. */
  readonly dual?: number;
};

/** Log-ratios are held within ± this, without gradient outside (as verl does). */
const largestLogRatio = 20;

export function tokenRatio(current: number, sampled: number): { readonly ratio: number; readonly held: boolean } {
  const logRatio = current - sampled;
  const bounded = Math.min(Math.max(logRatio, -largestLogRatio), largestLogRatio);
  return { ratio: Math.exp(bounded), held: bounded !== logRatio };
}

/** `advantages` has one number per token. */
export function grpoUpdates(
  current: Logprobs,
  sampled: Logprobs,
  advantages: ArrayLike<number>,
  clip: TokenClip,
): TokenUpdates {
  const updates = noUpdates(sampled.length);
  for (let t = 0; t < sampled.length; t++) {
    const advantage = advantages[t];
    const { ratio, held } = tokenRatio(current[t], sampled[t]);
    const tooStrong = clip.dual !== undefined && advantage < 0 && ratio > clip.dual;
    const stopped = tooStrong || stopsAt(ratio, advantage, clip);
    updates.terms[t] = (tooStrong ? clip.dual! : stopped ? clippedRatio(ratio, clip) : ratio) * advantage;
    if (stopped) updates.clipped[t] = 1;
    else if (!held) updates.weights[t] = ratio * advantage;
  }
  return updates;
}
