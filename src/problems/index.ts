// What a policy is asked: puzzles, synthetic mathematics, benchmarks.
export * from "./benchmarks/index.ts";
export * from "./problem.ts";
export * from "./puzzle-dataset.ts";
export * from "./puzzle-problems.ts";
export * from "./question-sets.ts";
export * from "./sources.ts";
export * from "./subset.ts";
export * from "./synthetic/index.ts";
