// The unlikeliness reward (He et al. 2025, arXiv:2506.02355): of the right rollouts, those that the current policy finds
// improbable keep more of their reward.
//
//   r_i ← r_i · (1 − b · rank_i / G),   rank 0 = least likely of all G rollouts, right and wrong
//
// Only right rollouts are changed: the source has reward 0 for wrong ones, ours may hold a partial reward. Groups all
// right or all wrong stay as they are, as in the source, which drops them first: there the factor would act alone.

import { isMixed } from "./dapo.ts";

/** Position of each rollout from least likely to most; ties keep their order. */
export function likelihoodRanks(likelihoods: readonly number[]): number[] {
  const order = likelihoods.map((_, i) => i).sort((a, b) => likelihoods[a] - likelihoods[b] || a - b);
  const ranks = new Array<number>(likelihoods.length);
  order.forEach((rollout, rank) => {
    ranks[rollout] = rank;
  });
  return ranks;
}

/** `strength` is b, the share of its reward that the likeliest rollout (nearly) loses; likelihoods are means of a token's log-prob. */
export function unlikelinessRewards(
  rewards: readonly number[],
  correct: readonly boolean[],
  likelihoods: readonly number[],
  { strength }: { readonly strength: number },
): number[] {
  if (correct.length === 1 || !isMixed(correct)) return [...rewards];
  const ranks = likelihoodRanks(likelihoods);
  return rewards.map((reward, i) => (correct[i] ? reward * (1 - (strength * ranks[i]) / rewards.length) : reward));
}
