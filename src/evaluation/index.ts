// Evaluation: sampling, grading, pass@k with its intervals, and comparing checkpoints.
export * from "./comparison.ts";
export * from "./endpoint-sampler.ts";
export * from "./engine-sampler.ts";
export * from "./evaluation-folder.ts";
export * from "./grades.ts";
export * from "./intervals.ts";
export * from "./majority.ts";
export * from "./pass-at-k.ts";
export * from "./recorded-sampling.ts";
export * from "./rollout-store.ts";
export * from "./sampler.ts";
export * from "./sampling-loop.ts";
export * from "./summarise.ts";
export * from "./summary.ts";
export * from "./tally.ts";
