// The group advantage of GRPO (Shao et al. 2024, arXiv:2402.03300): a rollout is good or bad only against the other
// rollouts of its problem.
//
//   A_i = (r_i − mean r) / (max(std r, floor) + ε)
import { mean, standardDeviation } from "../base/statistics/descriptive.ts";

export type Normalization =
  /** Centered only (Dr. GRPO): a group in which little differs gets a small update. */
  | { readonly by: "none" }
  /**
   * Every group that differs at all gets unit spread. The floor keeps a tiny difference, such as a bonus in a group
   * whose task rewards are all equal, from being blown up to that.
   */
  | { readonly by: "deviation"; readonly divisor: Divisor; readonly epsilon: number; readonly floor: number };

export type GroupBaseline = {
  /** `leave-one-out` compares a rollout with the mean of the others: G/(G−1) times the plain difference (RLOO). */
  readonly baseline: "mean" | "leave-one-out";
  readonly normalization: Normalization;
  /** A group of one has nothing to compare with: verl keeps its reward, TRL gives it no advantage. */
  readonly single: "reward" | "zero";
};

export const verlNormalization = { by: "deviation", divisor: "sample", epsilon: 1e-6, floor: 0 } as const;

export function groupAdvantages(rewards: readonly number[], options: GroupBaseline): number[] {
  const { baseline, normalization, single } = options;
  const count = rewards.length;
  if (count === 1) {
    const kept = single === "reward" ? rewards[0] : 0;
    return [normalization.by === "none" ? kept : kept / (1 + normalization.epsilon)];
  }
  const center = mean(rewards);
  const stretch = baseline === "leave-one-out" ? count / (count - 1) : 1;
  const scale =
    normalization.by === "none"
      ? 1
      : Math.max(deviation(rewards, normalization.divisor), normalization.floor) + normalization.epsilon;
  return rewards.map((reward) => (stretch * (reward - center)) / scale);
}

/** `sample` divides by n − 1 (verl, TRL, PyTorch), `population` by n (open-instruct). */
export type Divisor = "sample" | "population";

/** NaN for a sample of one. */
export function deviation(values: ArrayLike<number>, divisor: Divisor): number {
  return standardDeviation(values, divisor === "sample" ? 1 : 0);
}
