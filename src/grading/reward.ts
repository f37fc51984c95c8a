// The paper's verifier reward: exact + completion + 0.1 · format, each part kept apart so that a log can show them.

export type RewardWeights = {
  readonly exact: number;
  readonly completion: number;
  readonly format: number;
  /** How much a cell counts that differs between the initial board and the solution; other cells count 1. */
  readonly changedCell: number;
  /** The weighted share of right cells is raised to this power. */
  readonly completionPower: number;
};

export const paperReward: RewardWeights = { exact: 1, completion: 1, format: 0.1, changedCell: 2, completionPower: 3 };

export type RewardParts = {
  readonly exact: 0 | 1;
  readonly completion: number;
  readonly format: number;
  readonly reward: number;
};

/**
 * Share of cells that equal the solution's, where cells that had to change weigh more, to a power.
 * The three boards are cells in the same order; the caller has checked the shape, and passes no answer when it failed.
 */
export function completionReward(
  answer: readonly string[] | undefined,
  solution: readonly string[],
  initial: readonly string[],
  weights: RewardWeights = paperReward,
): number {
  if (answer === undefined || answer.length !== solution.length) return 0;
  let right = 0;
  let total = 0;
  for (let cell = 0; cell < solution.length; cell++) {
    const weight = solution[cell] === initial[cell] ? 1 : weights.changedCell;
    total += weight;
    if (answer[cell] === solution[cell]) right += weight;
  }
  return (right / total) ** weights.completionPower;
}

export function rewardParts(
  parts: { readonly exact: boolean; readonly completion: number; readonly format: number },
  weights: RewardWeights = paperReward,
): RewardParts {
  const exact = parts.exact ? 1 : 0;
  const reward = weights.exact * exact + weights.completion * parts.completion + weights.format * parts.format;
  return { exact, completion: parts.completion, format: parts.format, reward };
}
