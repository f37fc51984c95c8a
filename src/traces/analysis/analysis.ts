// The whole analysis of a collection of traces, computed once from its records. Terminal, report and dashboard read it.
import type { InputFile } from "../../imports/inputs.ts";
import type { Taxonomy } from "../../rollouts/taxonomy.ts";
import type { PoliciesByRole, PuzzlePools } from "../../runs/recipe-names.ts";
import { type LabelerDescription, labelerId } from "../labeler.ts";
import type { ReadTraces } from "../read-traces.ts";
import { alphabetOf } from "../sequence.ts";
import type { TraceRecord } from "../trace-record.ts";
import { type CheckpointSummary, checkpointSummary } from "./checkpoint-summary.ts";
import { type Claim, claims } from "./claims.ts";
import { type Comparison, comparison } from "./comparison.ts";
import { type DrawnRecord, withDrawnLabels } from "./label-error.ts";
import { type ProblemSplit, problemSplit } from "./problem-split.ts";
import { analyzeScope, type ScopeAnalysis } from "./scope-analysis.ts";
import { inScope, scopesOf } from "./scopes.ts";
import { type TrainingSeries, trainingSeries } from "./training-series.ts";
import { type Workspace, workspace } from "./workspace.ts";

export const analysisVersion = 5;

export type AnalysisOptions = {
  readonly replicates: number;
  readonly motifsPerLength: number;
};

export const defaultAnalysis: AnalysisOptions = { replicates: 2000, motifsPerLength: 20 };

export type Analysis = {
  readonly version: typeof analysisVersion;
  readonly taxonomy: Taxonomy;
  /** Everybody who labeled a trace of it. */
  readonly labelers: readonly LabelerDescription[];
  readonly options: AnalysisOptions;
  /** What was read, to notice when it has changed. */
  readonly inputs: readonly InputFile[];
  readonly input: {
    readonly traces: number;
    readonly spans: number;
    readonly skipped: ReadTraces["skipped"];
    readonly oddities: ReadTraces["oddities"];
    /** Every paragraph is a span, because cut as usual a trace would have had only this many (the median). */
    readonly spansBefore?: number;
  };
  /** Everything first, then puzzles and mathematics together, and each set. */
  readonly scopes: readonly ScopeAnalysis[];
  readonly teacher?: CheckpointSummary;
  readonly training: readonly TrainingSeries[];
  /** What of the paper these traces show; empty where they are not from its recipe. */
  readonly claims: readonly Claim[];
  /** Of labels that rose or fell between two checkpoints, some spans of the one that has more, the least sure first. */
  readonly moved?: readonly MovedSpan[];
};

export type MovedSpan = {
  readonly checkpoint: string;
  readonly label: string;
  readonly problem: string;
  readonly attempt: number;
  readonly text: string;
  readonly confidence?: number;
};

type AnalysisInput = Pick<ReadTraces, "records" | "skipped" | "oddities" | "spans" | "labelers"> & {
  readonly taxonomy: Taxonomy;
  readonly inputs: readonly InputFile[];
  readonly policiesByRole?: PoliciesByRole;
  readonly pools?: PuzzlePools;
  readonly spansBefore?: number;
};

export function analyze(read: AnalysisInput, options: AnalysisOptions = defaultAnalysis): Analysis {
  const { taxonomy, labelers } = read;
  const records = drawnRecords(read.records, read);
  const work = (chosen: readonly DrawnRecord[]) => workspaceOf(chosen, taxonomy, labelers, options);
  const compared = comparedRecords(records);
  const trained = trainedRecords(records);
  const validated =
    compared.length < records.length && compared.some(({ stage, step }) => stage !== "training" && step !== undefined);
  const scopes = scopesOf(compared, read.pools).map((scope) => {
    const within = (chosen: readonly DrawnRecord[]) => work(chosen.filter((record) => inScope(scope, record)));
    const own = within(compared);
    return analyzeScope(scope, own, options.motifsPerLength, read.policiesByRole, validated ? within(trained) : own);
  });
  const teacher = work(
    records.filter(({ stage }) => stage === "teacher").map((record) => ({ ...record, checkpoint: "teacher" })),
  );
  const training = trainingSeries(work(trained));
  return {
    version: analysisVersion,
    taxonomy,
    labelers,
    options,
    inputs: read.inputs,
    input: {
      ...{ traces: records.length, spans: read.spans, skipped: read.skipped, oddities: read.oddities },
      ...(read.spansBefore !== undefined && { spansBefore: read.spansBefore }),
    },
    scopes,
    ...(teacher.records.length > 0 && { teacher: checkpointSummary(teacher, "teacher") }),
    training,
    claims: claims(scopes, training, read.policiesByRole),
  };
}

/** Evaluations are what is compared; a collection without any, or a trainer's with a single validation, as it is. */
export function comparedRecords<One extends TraceRecord>(records: readonly One[]): readonly One[] {
  const evaluated = records.filter(({ stage }) => stage === "evaluation");
  const validated = new Set(evaluated.map(({ step }) => step));
  const trained = records.filter(({ stage }) => stage === "training");
  if (validated.size === 1 && !validated.has(undefined) && trained.length > 0) return trained;
  return evaluated.length > 0 ? evaluated : records;
}

/** Steps of training; validation that a trainer ran at some of them is none, unless there is nothing else. */
function trainedRecords<One extends TraceRecord>(records: readonly One[]): readonly One[] {
  const stepped = records.filter(({ step }) => step !== undefined);
  const trained = stepped.filter(({ stage }) => stage === "training");
  return trained.length > 0 ? trained : stepped;
}

const byId = (labelers: readonly LabelerDescription[]) =>
  new Map(labelers.map((labeler) => [labelerId(labeler), labeler]));

/** With what their labels may be; drawn from all records of an analysis, so that any part of them has the same numbers. */
export function drawnRecords(
  records: readonly DrawnRecord[],
  { taxonomy, labelers }: Pick<Analysis, "taxonomy" | "labelers">,
): readonly DrawnRecord[] {
  if (records.some(({ drawn }) => drawn !== undefined)) return records;
  return withDrawnLabels(records, byId(labelers), alphabetOf(taxonomy)) ?? records;
}

function workspaceOf(
  records: readonly DrawnRecord[],
  taxonomy: Taxonomy,
  labelers: readonly LabelerDescription[],
  { replicates }: AnalysisOptions,
): Workspace {
  return workspace(records, alphabetOf(taxonomy), byId(labelers), replicates);
}

/** Two checkpoints over any records of an analysis, at any time after it: what `compare` and limited views show. */
export function comparePair(
  records: readonly TraceRecord[],
  analysis: Pick<Analysis, "taxonomy" | "labelers" | "options">,
  names: readonly [string, string],
): { readonly comparison: Comparison; readonly split: ProblemSplit } {
  const two = drawnRecords(records, analysis).filter(({ checkpoint }) => names.includes(checkpoint));
  const work = workspaceOf(two, analysis.taxonomy, analysis.labelers, analysis.options);
  return { comparison: comparison(work, ...names), split: problemSplit(work, names) };
}

/** Some of the records of an analysis, as a scope of their own. */
export function analyzeLimited(
  records: readonly TraceRecord[],
  analysis: Pick<Analysis, "taxonomy" | "labelers" | "options">,
  name: string,
): ScopeAnalysis {
  const own = comparedRecords(drawnRecords(records, analysis));
  const work = workspaceOf(own, analysis.taxonomy, analysis.labelers, analysis.options);
  return analyzeScope({ name }, work, analysis.options.motifsPerLength);
}
