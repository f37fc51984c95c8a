// A graded attempt, the primitives it is read in, and how attempts are collected.
export * from "./collect.ts";
export * from "./equivalence.ts";
export * from "./own-grader.ts";
export * from "./paper-taxonomy.ts";
export * from "./primitives.ts";
export * from "./problem-grading.ts";
export * from "./prompted-problem.ts";
export * from "./puzzle-grading.ts";
export * from "./rollout.ts";
export * from "./rollout-labeller.ts";
export * from "./taxonomy.ts";
