// Rewards and data for other trainers, as the command line and library users see them.
export { type Exported, type ExportRequest, exportFolder } from "./export-folder.ts";
export { type PuzzleKind, paperPuzzles } from "./export-rows.ts";
export { type Bonus, paperModel, paperSettings, paperStage, type Trainer, trainers } from "./paper-settings.ts";
export { RewardServer, type RewardServerOptions, rewardServerOptionsSchema } from "./reward-server.ts";
