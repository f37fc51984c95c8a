// Pass@k training (Chen et al. 2025, arXiv:2508.10751), analytically: a set of k rollouts earns 1 if any is right, and
// a rollout's advantage is the mean over all sets that contain it. Of G rollouts M are wrong:
//
//   R = 1 − C(M,k)/C(G,k)      σ = √(R(1−R))
//   A_right = (1 − R)/(σ + ε)      A_wrong = (1 − R − C(M−1,k−1)/C(G−1,k−1))/(σ + ε)
//
// It reads verdicts, not shaped rewards. With fewer than k wrong rollouts every advantage is zero: easy problems stop
// training. k = 1 is the group advantage with the population divisor; k = G is always zero.
import { ConfigurationError } from "../base/errors.ts";

/** C(chosen from a, k) / C(chosen from b, k) for a ≤ b, as a product that never grows. */
export function combinationRatio(a: number, b: number, k: number): number {
  let ratio = 1;
  for (let j = 0; j < k; j++) ratio *= Math.max(0, a - j) / (b - j);
  return ratio;
}

export function passAtKAdvantages(
  correct: readonly boolean[],
  { k, epsilon }: { readonly k: number; readonly epsilon: number },
): number[] {
  const count = correct.length;
  if (k > count)
    throw new ConfigurationError(`pass@${k} advantage needs groups of at least ${k}, got ${count} rollouts`);
  const wrong = correct.filter((right) => !right).length;
  const failing = combinationRatio(wrong, count, k);
  const spread = Math.sqrt(failing * (1 - failing));
  if (spread === 0) return correct.map(() => 0);
  const failingWithWrong = wrong === 0 ? 0 : combinationRatio(wrong - 1, count - 1, k - 1);
  return correct.map((right) => (right ? failing : failing - failingWithWrong) / (spread + epsilon));
}
