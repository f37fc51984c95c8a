// What a policy is asked: puzzles, synthetic mathematics, benchmarks. Stability: stable.
export { type Benchmark, benchmarkNamed, benchmarks } from "./benchmarks/catalog.ts";
export { type Columns, readColumns } from "./benchmarks/columns.ts";
export type { HubOptions } from "./benchmarks/hub.ts";
export {
  type LoadedProblems,
  loadBenchmark,
  loadDataFile,
  loadHubDataset,
} from "./benchmarks/load.ts";
export { paperModel, paperValue } from "./paper.ts";
export {
  type MathematicsProblem,
  mathematicsProblemSchema,
  type Problem,
  type PuzzleProblem,
  problemSchema,
  puzzleProblemSchema,
  type QuestionProblem,
  questionProblemSchema,
} from "./problem.ts";
export { type DatasetRequest, type DatasetRow, datasetRows } from "./puzzle-dataset.ts";
export { type PuzzleSet, puzzleProblems } from "./puzzle-problems.ts";
export { loadProblems } from "./sources.ts";
export { type SyntheticProblem, syntheticProblems, syntheticTestSet } from "./synthetic/index.ts";
