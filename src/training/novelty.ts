// The frozen-reference novelty bonus of the paper: among the correct rollouts of one problem, the ones whose rare
// decisions surprise the SFT reference most earn a little more.
//
//   s_i = (1/k) · Σ of the k largest −ref_t        z_i = clip((s_i − μ)/σ, −c, c) over the correct rollouts
//   r_i ← r_i + α · z_i, on the last valid token, for correct rollouts only
//
// A group with fewer than two correct rollouts, or whose scores do not differ, gets no bonus. The division has no ε.
// Among n values |z| ≤ (n−1)/√n (sample divisor), so the clip at 2 cannot act with five correct rollouts or fewer.

import type { Logprobs } from "./gspo.ts";
import { type Divisor, deviation, mean } from "./moments.ts";

/** How many tokens are scored: a count, as in the paper, or a share of the response for short miniature traces. */
export type TopTokens = { readonly tokens: number } | { readonly share: number };

export type NoveltyOptions = {
  readonly top: TopTokens;
  /** α: reward for one standard deviation of surprisal. */
  readonly weight: number;
  readonly clip: number;
  readonly divisor: Divisor;
};

/** Scores that differ by less are the same score. */
const smallestSpread = 1e-6;

/**
 * The mean surprisal of the most surprising tokens. A response shorter than k is still divided by k, as the paper's
 * padded top-k does: short responses score low instead of being judged by their few tokens.
 */
export function noveltyScore(reference: Logprobs, top: TopTokens): number {
  const count = "tokens" in top ? top.tokens : Math.max(1, Math.round(top.share * reference.length));
  return largestSum(reference, count) / count;
}

/** The sum of the `count` largest surprisals −logprob. */
function largestSum(logprobs: Logprobs, count: number): number {
  const sorted = Float64Array.from(logprobs).sort();
  let total = 0;
  for (let i = 0; i < Math.min(count, sorted.length); i++) total -= sorted[i];
  return total;
}

export type NoveltyBonuses = {
  /** One per rollout; 0 for those that do not compete (in the paper, that are not correct) and in a skipped group. */
  readonly z: readonly number[];
  readonly bonuses: readonly number[];
  readonly skipped?: "fewer than two correct" | "no spread";
};

export function noveltyBonuses(
  scores: readonly number[],
  competing: readonly boolean[],
  { weight, clip, divisor }: Pick<NoveltyOptions, "weight" | "clip" | "divisor">,
): NoveltyBonuses {
  const nothing = scores.map(() => 0);
  const ranked = scores.filter((_, i) => competing[i]);
  if (ranked.length < 2) return { z: nothing, bonuses: nothing, skipped: "fewer than two correct" };
  const center = mean(ranked);
  const spread = deviation(ranked, divisor);
  if (spread < smallestSpread) return { z: nothing, bonuses: nothing, skipped: "no spread" };
  const z = scores.map((score, i) => (competing[i] ? Math.min(Math.max((score - center) / spread, -clip), clip) : 0));
  return { z, bonuses: z.map((value) => weight * value) };
}
