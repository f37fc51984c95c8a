// Rewards and data for other trainers, as the command line and library users see them.
export { RewardServer, type RewardServerOptions, rewardServerOptionsSchema } from "./reward-server.ts";
