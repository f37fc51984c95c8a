// The paper's verifier reward: exact + completion + 0.1 · format, each part kept apart so that a log can show them.

export type RewardWeights = {
  readonly exact: number;
  readonly completion: number;
  readonly format: number;
  /** How much a cell counts that differs between the initial board and the solution; other cells count 1. */
  readonly changedCell: number;
  /** The weighted share of right cells is raised to this power. */
  readonly completionPower: number;
  /**
   * Whose share it is: of cells, as in the paper, or of classes, which are the symbols of the solution. By cells the most
   * frequent symbol everywhere is paid for being frequent; by classes it is worth nothing.
   */
  readonly completionBy: "cells" | "classes";
};

export const paperReward: RewardWeights = {
  exact: 1,
  completion: 1,
  format: 0.1,
  changedCell: 2,
  completionPower: 3,
  completionBy: "cells",
};

/** The paper's reward with completion by classes. */
export const balancedReward: RewardWeights = { ...paperReward, completionBy: "classes" };

/** Rewards by the name that a flag or a request gives them. */
export const rewardsByName = { paper: paperReward, balanced: balancedReward } as const;
export type RewardName = keyof typeof rewardsByName;
export const rewardNames = Object.keys(rewardsByName) as readonly RewardName[];

export type RewardParts = {
  readonly exact: 0 | 1;
  readonly completion: number;
  readonly format: number;
  readonly reward: number;
};

/**
 * Share of cells that equal the solution's, where cells that had to change weigh more, to a power.
 * The three boards are cells in the same order; the caller has checked the shape, and passes no answer when it failed.
 * By classes only what goes beyond the best lazy answer counts; one that is right says nothing about those that are not.
 */
export function completionReward(
  answer: readonly string[] | undefined,
  solution: readonly string[],
  initial: readonly string[],
  weights: RewardWeights = paperReward,
  lazyAnswers: readonly (readonly string[])[] = [],
): number {
  if (answer === undefined || answer.length !== solution.length) return 0;
  if (weights.completionBy === "classes") {
    const lazyShares = lazyAnswers.map((lazy) => classShare(lazy, solution, initial)).filter((share) => share < 1);
    const lazyShare = Math.max(0, ...lazyShares);
    const share = (classShare(answer, solution, initial) - lazyShare) / (1 - lazyShare);
    return Math.max(0, share) ** weights.completionPower;
  }
  let right = 0;
  let total = 0;
  for (let cell = 0; cell < solution.length; cell++) {
    const weight = solution[cell] === initial[cell] ? 1 : weights.changedCell;
    total += weight;
    if (answer[cell] === solution[cell]) right += weight;
  }
  return (right / total) ** weights.completionPower;
}

/**
 * The mean over the classes of how much of each was found, less what one symbol everywhere would get: (m - 1/k) / (1 - 1/k).
 * Cells that were given do not count. A symbol that some cell keeps and another changes, as water in Bridges, is no gift.
 */
function classShare(answer: readonly string[], solution: readonly string[], initial: readonly string[]): number {
  const placeholders = new Set<string>();
  for (let cell = 0; cell < solution.length; cell++) {
    if (solution[cell] !== initial[cell]) placeholders.add(initial[cell]);
  }
  const classes = new Map<string, { cells: number; right: number; invented: number }>();
  const classOf = (symbol: string) => {
    let found = classes.get(symbol);
    if (found === undefined) classes.set(symbol, (found = { cells: 0, right: 0, invented: 0 }));
    return found;
  };
  for (let cell = 0; cell < solution.length; cell++) {
    if (solution[cell] === initial[cell] && !placeholders.has(initial[cell])) continue;
    classOf(solution[cell]).cells++;
    if (answer[cell] === solution[cell]) classOf(solution[cell]).right++;
    else classOf(answer[cell]).invented++;
  }
  let sum = 0;
  let count = 0;
  for (const { cells, right, invented } of classes.values()) {
    if (cells === 0) continue;
    // Found among what is there and what was said to be there (Jaccard): saying it everywhere is no way to find it.
    sum += right / (cells + invented);
    count++;
  }
  if (count < 2) return sum;
  return Math.max(0, (sum / count - 1 / count) / (1 - 1 / count));
}

export function rewardParts(
  parts: { readonly exact: boolean; readonly completion: number; readonly format: number },
  weights: RewardWeights = paperReward,
): RewardParts {
  const exact = parts.exact ? 1 : 0;
  const reward = weights.exact * exact + weights.completion * parts.completion + weights.format * parts.format;
  return { exact, completion: parts.completion, format: parts.format, reward };
}
