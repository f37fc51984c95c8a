// Rewards and data for other trainers, as the command line and library users see them.
export { type PuzzleKind, paperModel, paperValue } from "../problems/paper.ts";
export { type Exported, type ExportRequest, exportFolder } from "./export-folder.ts";
export { RewardServer, type RewardServerOptions, rewardServerOptionsSchema } from "./reward-server.ts";
export { trainerNamed, trainers } from "./trainers/index.ts";
export { paperStage } from "./trainers/paper-stage.ts";
export type { Bonus } from "./trainers/trainer.ts";
