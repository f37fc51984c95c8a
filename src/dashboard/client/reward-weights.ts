// The parts of a reward as they count in its total.
import { paperReward } from "../../grading/reward.ts";
import type { RewardByPart } from "../api.ts";

const weights = { exact: paperReward.exact, completion: paperReward.completion, format: paperReward.format, bonus: 1 };

export const rewardParts = ["exact", "completion", "format", "bonus"] as const;

/** What each part is multiplied with; undefined where a run weighs its parts otherwise, which no grade says. */
export function rewardWeights(rewards: readonly RewardByPart[]): typeof weights | undefined {
  const explained = rewards.every(
    (reward) =>
      Math.abs(rewardParts.reduce((sum, part) => sum + weights[part] * (reward[part] ?? 0), 0) - reward.total) < 1e-3,
  );
  return explained ? weights : undefined;
}
