// Rewards and data for other trainers: the reward server, and folders from which they start. Stability: stable.
export { type Exported, type ExportRequest, exportFolder } from "./export-folder.ts";
export { Recording, type RecordingOptions } from "./recording.ts";
export { RewardServer, type RewardServerOptions, rewardServerOptionsSchema } from "./reward-server.ts";
export { trainers } from "./trainers/index.ts";
export type { Bonus } from "./trainers/trainer.ts";
