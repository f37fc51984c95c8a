// Reading traces: importers, spans, primitives, motifs, depth, judges, and what training did to them. Stability: evolving.

export { parseInput, type ReadOptions, type TraceInput } from "../imports/plan.ts";
export type { Trace } from "../imports/trace.ts";
export type { Analysis, AnalysisOptions } from "./analysis/analysis.ts";
export { readAnalysis } from "./analysis/analysis-folder.ts";
export { queryAnalysis } from "./analysis/analysis-query.ts";
export type { CheckpointSummary } from "./analysis/checkpoint-summary.ts";
export type { Claim } from "./analysis/claims.ts";
export type { Comparison } from "./analysis/comparison.ts";
export type { ScopeAnalysis } from "./analysis/scope-analysis.ts";
export { type AnalyzeEvent, type AnalyzeRequest, analyzeTraces } from "./analyze-traces.ts";
export { BuiltinClassifier } from "./classifier/builtin-classifier.ts";
export { OnnxClassifier } from "./classifier/onnx-classifier.ts";
export type { ClassifierQuality } from "./classifier/quality.ts";
export { chainDepth, exploitRuns } from "./depth.ts";
export { JudgeClassifier } from "./judges/judge-classifier.ts";
export { type Labeler, type LabelerDescription, labelerWords } from "./labeler.ts";
export { defaultLabeler, type LabelerSpec, readerOf } from "./labeler-spec.ts";
export { grammarLabeler } from "./labelers/grammar.ts";
export { type Motif, type MotifCount, motifCounts, motifText } from "./motifs.ts";
export { type ReadTraces, readTraces } from "./read-traces.ts";
export { analyzeRun } from "./run-analysis.ts";
export {
  paperSegmentation,
  type Segmentation,
  type Span,
  segment,
  stepSegmentation,
  terseSegmentation,
} from "./segmentation.ts";
export { type Alphabet, alphabetOf, labelsOf, type PrimitiveSequence, paperAlphabet, sequenceOf } from "./sequence.ts";
export type { SpanClassifier, SpanInContext, SpanLabel } from "./span-classifier.ts";
export { TraceReader } from "./trace-reader.ts";
export type { TraceRecord } from "./trace-record.ts";
