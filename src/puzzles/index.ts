// The puzzles: make, solve, show, verify. Pure: runs in a browser too. Stability: stable.
export type { BridgesBoard, BridgesInstance, BridgesParams } from "./bridges/index.ts";
export { catalog, type PuzzleName, puzzleNamed, puzzleNames, puzzleOfId, puzzles } from "./catalog.ts";
export type { GalaxiesBoard, GalaxiesInstance, GalaxiesParams } from "./galaxies/index.ts";
export { type MixedPuzzle, type MixRequest, mixedPuzzles, readWeightedKind, type WeightedKind } from "./mix.ts";
export { paramsFor } from "./params.ts";
export type { PatternBoard, PatternInstance, PatternParams } from "./pattern/index.ts";
export { type PromptStyle, type PromptVariant, puzzlePrompt, puzzleResponse } from "./prompt.ts";
export {
  type AnyPuzzle,
  type Cell,
  type Generated,
  GenerationError,
  type Judgment,
  type Puzzle,
  PuzzleFormatError,
  type PuzzleParams,
  type ReadBoard,
  type SolveBudget,
  type Solved,
  type Violation,
} from "./puzzle.ts";
export { type Rating, rated } from "./rating.ts";
export type { SlitherlinkBoard, SlitherlinkInstance, SlitherlinkParams } from "./slitherlink/index.ts";
export { type SplitName, type SplitPuzzle, type SplitRequest, splitOf, splitPuzzles } from "./splits.ts";
export type { UndeadBoard, UndeadInstance, UndeadParams } from "./undead/instance.ts";
export {
  type GradingKey,
  gradeAnswer,
  gradeResponse,
  gradingKey,
  type PuzzleGrade,
  violationsOf,
} from "./verification.ts";
