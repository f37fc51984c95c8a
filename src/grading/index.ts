// Verdicts, rewards and the tags of a response. Pure: runs in a browser too.
export * from "./reasoning.ts";
export * from "./reward.ts";
export * from "./tags.ts";
export * from "./verdict.ts";
