// What figures and tables are made from: plain records, read once from run folders. Nothing here knows about files.
import type { EvaluationSummary } from "../evaluation/summary.ts";
import type { ProblemTally } from "../evaluation/tally.ts";
import type { PrimitiveSequence } from "../traces/sequence.ts";
import type { RecordedRlStep } from "../training/recorded-events.ts";
import type { DotShape } from "./charts/marks.ts";
import type { LabelledSpan } from "./labelling.ts";

/** Something a figure would need and the runs do not hold. */
export type Gap = { readonly missing: string; readonly where: string; readonly remedy: string };

export type TraceRecord = {
  readonly problem: string;
  readonly attempt: number;
  /** Undefined where nobody graded it; that is not the same as wrong. */
  readonly correct: boolean | undefined;
  readonly sequence: PrimitiveSequence;
  readonly tokens?: number;
};

export type ProblemRecord = {
  readonly id: string;
  readonly set: string;
  readonly kind: "puzzle" | "mathematics";
  readonly puzzle?: string;
  /** `7x7` */
  readonly size?: string;
};

/** How something is drawn, the same in every figure. */
export type Look = { readonly name: string; readonly ink: string; readonly symbol: DotShape; readonly dash?: string };

/** One evaluated policy. */
export type CheckpointRecord = Look & {
  /** `base`, `sft`, `vanilla`, `novelty`: its place in the recipe, where it has one. */
  readonly role?: string;
  readonly run: string;
  readonly folder: string;
  readonly problems: ReadonlyMap<string, ProblemRecord>;
  /** Absent until attempts are graded. */
  readonly tallies?: readonly ProblemTally[];
  readonly summary?: EvaluationSummary;
  /** Absent where traces could not be labelled. */
  readonly traces?: readonly TraceRecord[];
  readonly labelled?: string;
  /** The text of one attempt, span by span. */
  readonly spansOf: (problem: string, attempt: number) => Promise<readonly LabelledSpan[]>;
};

export type TeacherRecord = Look & {
  readonly traces: readonly TraceRecord[];
  readonly problems: ReadonlyMap<string, ProblemRecord>;
  readonly labelled: string;
};

export type TrainingRollout = {
  readonly problem: string;
  readonly step: number;
  readonly sequence?: PrimitiveSequence;
  readonly surprise?: { readonly mean: number; readonly top: readonly number[] };
};

/** One RL run. */
export type TrainingRecord = Look & {
  readonly role?: string;
  readonly run: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly steps: readonly RecordedRlStep[];
  /** Undefined where rollouts were not kept. */
  readonly rollouts?: readonly TrainingRollout[];
};

export type SftRecord = {
  readonly run: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly losses: readonly { readonly step: number; readonly loss: number }[];
  readonly epochs: readonly {
    readonly epoch: number;
    readonly passAt1: number;
    readonly rollouts: number;
    readonly lastStep: number;
  }[];
  readonly bestEpoch?: number;
};

export type RunRecord = {
  readonly path: string;
  readonly name: string;
  readonly kind: string;
  readonly created: string;
};

export type ReportData = {
  readonly runs: readonly RunRecord[];
  readonly checkpoints: readonly CheckpointRecord[];
  readonly teacher?: TeacherRecord;
  readonly training: readonly TrainingRecord[];
  readonly sft: readonly SftRecord[];
  readonly gaps: readonly Gap[];
};

/** Names of sets in the order in which they were asked. */
export function setsOf(checkpoints: readonly CheckpointRecord[], kind?: ProblemRecord["kind"]): string[] {
  const sets = new Set<string>();
  for (const { problems } of checkpoints)
    for (const problem of problems.values()) if (kind === undefined || problem.kind === kind) sets.add(problem.set);
  return [...sets];
}
