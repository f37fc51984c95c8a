// Verdicts, rewards and the tags of a response. Pure: runs in a browser too. Stability: stable.
export { type ReasoningPart, reasoningPart } from "./reasoning.ts";
export {
  balancedReward,
  paperReward,
  type RewardName,
  type RewardParts,
  type RewardWeights,
  rewardNames,
  rewardParts,
  rewardsByName,
} from "./reward.ts";
export { type AnswerText, answerText, formatReward, reasoningText } from "./tags.ts";
export type { Verdict } from "./verdict.ts";
