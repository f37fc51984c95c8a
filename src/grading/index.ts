// Verdicts, rewards and the tags of a response. Pure: runs in a browser too. Stability: stable.
export {
  paperReward,
  type RewardName,
  type RewardParts,
  type RewardWeights,
  rewardParts,
  rewardsByName,
} from "./reward.ts";
export { type AnswerText, answerText } from "./tags.ts";
export type { Verdict } from "./verdict.ts";
