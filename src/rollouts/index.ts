// A graded attempt, the taxonomy it is read in, and how attempts are collected. Stability: stable.
export { MathGrader, type MathGraderOptions } from "../grading/math/math-grader.ts";
export { collectRollouts, type PromptedProblem, type SampledRollout, type SamplingOptions } from "./collect.ts";
export type { GraderQuestion, GraderReply } from "./own-grader.ts";
export { paperTaxonomy } from "./paper-taxonomy.ts";
export { type Primitive, primitives } from "./primitives.ts";
export { ProblemGraders, type ProblemGradersOptions, promptedProblem, type ResponseGrader } from "./problem-grading.ts";
export { puzzleGrader } from "./puzzle-grading.ts";
export {
  type Grade,
  type Reward,
  type Rollout,
  type RolloutState,
  rolloutSchema,
  type VerdictName,
} from "./rollout.ts";
export type { RolloutLabeler } from "./taxonomy.ts";
export { readTaxonomy, type Taxonomy, taxonomySchema } from "./taxonomy.ts";
