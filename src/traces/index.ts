// Reading traces: importers, spans, primitives, motifs, depth, judges, and what training did to them.
export * from "./analysis/analysis.ts";
export * from "./analysis/analysis-folder.ts";
export type { CheckpointSummary, DepthBySuccess, DepthGroup } from "./analysis/checkpoint-summary.ts";
export type { Claim, Verdict } from "./analysis/claims.ts";
export type { Change, Comparison, MeasureChange, PassChange } from "./analysis/comparison.ts";
export { type MeasureName, measureNames } from "./analysis/measures.ts";
export type { EnrichmentRow, MotifRow, PassCorrelation } from "./analysis/motif-tables.ts";
export {
  type ProblemSplit,
  type SplitPart,
  type SplitSide,
  splitParts,
} from "./analysis/problem-split.ts";
export { defaultPairs, type PairOptions, type ReadingPair, readingPairs } from "./analysis/reading-pairs.ts";
export type { ScopeAnalysis } from "./analysis/scope-analysis.ts";
export type { Limits, Scope } from "./analysis/scopes.ts";
export type { TrainingPoint, TrainingSeries } from "./analysis/training-series.ts";
export * from "./analyze-traces.ts";
export * from "./categories.ts";
export { BuiltinClassifier } from "./classifier/builtin-classifier.ts";
export { OnnxClassifier } from "./classifier/onnx-classifier.ts";
export type { ClassifierQuality } from "./classifier/quality.ts";
export * from "./depth.ts";
export { juryAgreement, juryOutcome } from "./judges/agreement.ts";
export { JudgeClassifier } from "./judges/judge-classifier.ts";
export { collectVotes, type JurySpan, readVotes, type Vote } from "./judges/jury.ts";
export * from "./labeller.ts";
export * from "./labeller-spec.ts";
export { grammarLabeller } from "./labellers/grammar.ts";
export * from "./motifs.ts";
export {
  parseInput,
  planSlices,
  type ReadOptions,
  type ReadTraces,
  readTraces,
  type TraceInput,
} from "./read-traces.ts";
export * from "./segmentation.ts";
export * from "./sequence.ts";
export * from "./span-classifier.ts";
export type { Trace } from "./trace.ts";
export { TraceReader } from "./trace-reader.ts";
export type { TraceRecord } from "./trace-record.ts";
