// A graded attempt and how attempts are collected.

export * from "./primitives.ts";
export * from "./rollout.ts";
