// Pass-at-k policy optimization (Walder & Karkhanis 2025, arXiv:2505.15201): weights s_i for which Σ s_i ∇ log p(y_i) is
// an unbiased gradient of the expected maximum of k rewards, with three baselines of falling variance.
//
//   plain:              s_i = (1/C(n,k)) · Σ over k-subsets I ∋ i of max_I g
//   leave-one-out:      s_i − (k/(n−1)) · ρ_k(the others)
//   leave-one-out-one:  s_i − (k/n) · ρ_{k−1}(the others), i.e. each subset less its maximum without i
//
// where ρ_k(g) is the mean of max over k-subsets. The scale k/n is part of the estimate: do not normalize it again.
import { ConfigurationError } from "../base/errors.ts";

type PkpoBaseline = "none" | "leave-one-out" | "leave-one-out-one";

export function pkpoWeights(
  rewards: readonly number[],
  { k, baseline }: { readonly k: number; readonly baseline: PkpoBaseline },
): number[] {
  const count = rewards.length;
  const needed = baseline === "leave-one-out" ? k + 1 : k;
  if (count < needed) {
    throw new ConfigurationError(
      `PKPO with k = ${k} and baseline ${baseline} needs groups of at least ${needed}, got ${count}`,
    );
  }
  return rewards.map((reward, i) => {
    const others = rewards.filter((_, j) => j !== i).sort((a, b) => a - b);
    return (k / count) * expectedMaximumWith(others, reward, k) - baselineOf(others, k, baseline);
  });
}

function baselineOf(others: readonly number[], k: number, baseline: PkpoBaseline): number {
  const count = others.length + 1;
  switch (baseline) {
    case "none":
      return 0;
    case "leave-one-out":
      return (k / (count - 1)) * expectedMaximum(others, k);
    case "leave-one-out-one":
      // For k = 1 there is no maximum without i; the mean of the others takes its place and keeps the estimate unbiased.
      return (k / count) * expectedMaximum(others, Math.max(1, k - 1));
  }
}

/** Mean of the maximum over all k-subsets of `sorted` (ascending). */
export function expectedMaximum(sorted: readonly number[], k: number): number {
  return sorted.reduce((total, value, r) => total + value * largestIsAt(r, sorted.length, k), 0);
}

/** Mean of max(own, the k−1 others) over all choices of others. */
function expectedMaximumWith(others: readonly number[], own: number, k: number): number {
  if (k === 1) return own;
  return others.reduce((total, value, r) => total + Math.max(value, own) * largestIsAt(r, others.length, k - 1), 0);
}

/** C(r, k−1)/C(n, k): the chance that a random k-subset of n sorted values has its largest at position r. */
function largestIsAt(r: number, n: number, k: number): number {
  if (r < k - 1) return 0;
  let chance = k / (n - k + 1);
  for (let j = 0; j < k - 1; j++) chance *= (r - j) / (n - j);
  return chance;
}
