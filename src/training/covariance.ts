// Clip-Cov and KL-Cov (Cui et al. 2025, arXiv:2505.22617): hold back the few tokens whose advantage and log-prob rise
// together, which are the ones that drive entropy down.
//
//   cov_t = (A_t − mean A) · (lp_t − mean lp), means over all tokens of the update
//   Clip-Cov: of the unclipped tokens with lower < cov < upper, max(1, ⌊share·T⌋) drawn at random get weight 0
//   KL-Cov:   the max(1, ⌊share·T⌋) tokens of largest cov get the extra loss c · |lp − old|
import type { Random } from "../base/random.ts";
import { mean } from "../base/statistics/descriptive.ts";

type ClipCovOptions = { readonly share: number; readonly lower: number; readonly upper: number };
type KlCovOptions = { readonly share: number; readonly coefficient: number };

/** All tokens of the update in one row. */
export function tokenCovariances(advantages: ArrayLike<number>, logprobs: ArrayLike<number>): Float64Array {
  const meanAdvantage = mean(advantages);
  const meanLogprob = mean(logprobs);
  return Float64Array.from(advantages, (advantage, t) => (advantage - meanAdvantage) * (logprobs[t] - meanLogprob));
}

const chosenCount = (share: number, tokens: number) => Math.max(1, Math.floor(share * tokens));

/** Which tokens Clip-Cov silences. `clipped` is 1 where the ratio already stopped the update. */
export function clipCovTokens(
  covariances: ArrayLike<number>,
  clipped: ArrayLike<number>,
  { share, lower, upper }: ClipCovOptions,
  random: Random,
): number[] {
  const candidates: number[] = [];
  for (let t = 0; t < covariances.length; t++) {
    if (covariances[t] > lower && covariances[t] < upper && clipped[t] === 0) candidates.push(t);
  }
  return random.shuffle(candidates).slice(0, chosenCount(share, covariances.length));
}

/** Which tokens KL-Cov holds to the sampling policy; of equal ones the first. */
export function klCovTokens(covariances: ArrayLike<number>, { share }: Pick<KlCovOptions, "share">): number[] {
  const wanted = chosenCount(share, covariances.length);
  // Sorting the numbers alone stays fast with the millions of tokens that a step may have.
  const ascending = Float64Array.from(covariances).sort();
  const threshold = ascending[ascending.length - wanted];
  const above: number[] = [];
  const equal: number[] = [];
  for (let t = 0; t < covariances.length; t++) {
    if (covariances[t] > threshold) above.push(t);
    else if (covariances[t] === threshold) equal.push(t);
  }
  return [...above, ...equal].slice(0, wanted).sort((a, b) => a - b);
}
