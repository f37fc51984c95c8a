// Evaluation: sampling, grading, pass@k with its intervals, and comparing checkpoints. Stability: evolving.
export {
  type AccuracyComparison,
  compareCheckpoints,
  type ProblemCount,
} from "./comparison.ts";
export { endpointSampler } from "./endpoint-sampler.ts";
export { engineSampler } from "./engine-sampler.ts";
export { newProblemsIntervals, sameProblemsInterval } from "./intervals.ts";
export { majorityVote } from "./majority.ts";
export { meanPassAtK, passAtK, type SolveCount } from "./pass-at-k.ts";
export { RolloutStore } from "./rollout-store.ts";
export type { Sampler, SamplingSettings } from "./sampler.ts";
export { type EvaluationEnd, type EvaluationInput, sampleIntoStore, sampleMissing } from "./sampling-loop.ts";
export { writeSummary } from "./summarize.ts";
export { type EvaluationSummary, evaluationSummarySchema, type SetSummary } from "./summary.ts";
