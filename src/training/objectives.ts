// Every objective as pure functions. Pure: runs in a browser too.
export { type GroupBaseline, groupAdvantages, type Normalization, verlNormalization } from "./advantages.ts";
export { type Aggregation, tokenShares } from "./aggregation.ts";
export { cispoUpdates } from "./cispo.ts";
export { clipHigher, type OverlongPenalty, overlongPenalty } from "./dapo.ts";
export { entropyAdvantages } from "./entropy-advantage.ts";
export { type GroupSignal, groupSignal } from "./group-signal.ts";
export { grpoUpdates, type TokenClip } from "./grpo.ts";
export { type ClipRange, gspoUpdate, type Logprobs } from "./gspo.ts";
export { klTerm } from "./kl.ts";
export { type NoveltyOptions, noveltyBonuses, noveltyScore, type TopTokens } from "./novelty.ts";
export {
  type Objective,
  type ObjectiveInput,
  objectiveNeeds,
  objectiveSchema,
} from "./objective.ts";
export { type Schedule, scheduleFactor } from "./schedules.ts";
export { updateWeights } from "./update.ts";
