// A graded attempt and how attempts are collected.
export * from "./rollout.ts";
