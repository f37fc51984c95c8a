// What a policy is asked: puzzles, synthetic mathematics, benchmarks. Stability: stable.
export { type Benchmark, benchmarks } from "./benchmarks/catalog.ts";
export type { Columns } from "./benchmarks/columns.ts";
export type { HubOptions } from "./benchmarks/hub.ts";
export { type LoadedProblems, loadBenchmark } from "./benchmarks/load.ts";
export { paperModel, paperValue } from "./paper.ts";
export {
  type MathematicsProblem,
  type Problem,
  type PuzzleProblem,
  problemSchema,
  type QuestionProblem,
} from "./problem.ts";
export { type DatasetRequest, type DatasetRow, datasetRows } from "./puzzle-dataset.ts";
export { type PuzzleSet, puzzleProblems } from "./puzzle-problems.ts";
export { loadProblems } from "./sources.ts";
export { type SyntheticProblem, syntheticProblems } from "./synthetic/index.ts";
