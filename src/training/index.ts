// Objectives, loops and what they tell.
export * from "./objectives.ts";
export * from "./rl-events.ts";
export * from "./rl-loop.ts";
export * from "./rl-options.ts";
export * from "./sft-loop.ts";
export * from "./sft-options.ts";
