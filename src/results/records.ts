// What figures and tables are made from: plain records, read once from run folders and their analysis.

import type { Gap } from "../drawing/item.ts";
import type { Look } from "../drawing/panel.ts";
import type { EvaluationSummary } from "../evaluation/summary.ts";
import type { ProblemTally } from "../evaluation/tally.ts";
import type { ChosenStep } from "../runs/chosen-steps.ts";
import type { EvaluatedPolicy } from "../runs/evaluated-policy.ts";
import type { Analysis } from "../traces/analysis/analysis.ts";
import type { PairToRead } from "../traces/analysis/analysis-folder.ts";
import type { TrainingSeries } from "../traces/analysis/training-series.ts";
import type { ForkResult } from "../traces/forks/fork-folder.ts";
import type { RecordedRlStep } from "../training/recorded-events.ts";
import type { RecordedSignals, RolloutSignals } from "../training/signal-spread.ts";

export type ProblemRecord = {
  readonly id: string;
  readonly set: string;
  readonly kind?: "puzzle" | "mathematics";
  readonly puzzle?: string;
  /** `7x7` */
  readonly size?: string;
};

/** One evaluated policy, or one checkpoint of somebody's rollouts. */
export type CheckpointRecord = Look & {
  /** What the analysis calls it. */
  readonly key: string;
  /** `base`, `sft`, `vanilla`, `novelty`: its place in the recipe, where it has one. */
  readonly role?: string;
  readonly run: string;
  /** What its part of the run is called: `vanilla-step-10`, a model. */
  readonly policy: string;
  /** Its name there, which checkpoints of other runs may share. */
  readonly inRun: string;
  readonly problems: ReadonlyMap<string, ProblemRecord>;
  /** Absent until attempts are graded. */
  readonly tallies?: readonly ProblemTally[];
  readonly summary?: EvaluationSummary;
  /** Within-prompt signals under a reference, where `traces signal` has scored it. */
  readonly signals?: RecordedSignals;
  /** Who was asked and how, as far as the evaluation says. */
  readonly asked: EvaluatedPolicy;
};

/** Novelty signals of one rollout under the reference. */
export type RolloutSignal = RolloutSignals & { readonly problem: string; readonly step: number };

/** One RL run. */
export type TrainingRecord = Look & {
  readonly key: string;
  /** What it is called in its run. */
  readonly policy: string;
  /** Absolute; checkpoints lie inside. */
  readonly folder: string;
  readonly role?: string;
  readonly run: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly steps: readonly RecordedRlStep[];
  /** Undefined where rollouts were not kept. */
  readonly signals?: readonly RolloutSignal[];
  /** Its repertoire over steps, where the analysis has it. */
  readonly series?: TrainingSeries;
  /** The step that its recipe chose as the best, if it chose. */
  readonly chosen?: ChosenStep;
};

export type SftRecord = {
  readonly run: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly losses: readonly {
    readonly step: number;
    readonly loss: number;
    readonly gradientNorm?: number;
    readonly learningRate?: number;
  }[];
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
  /** The group that a reader put it in. */
  readonly group?: string;
  readonly config: Readonly<Record<string, unknown>>;
};

export type ReportData = {
  readonly runs: readonly RunRecord[];
  /** Absent where no trace could be read. */
  readonly analysis?: Analysis;
  readonly pairs: readonly PairToRead[];
  readonly checkpoints: readonly CheckpointRecord[];
  readonly training: readonly TrainingRecord[];
  readonly sft: readonly SftRecord[];
  /** What came of forks of its rollouts. */
  readonly forks: readonly ForkResult[];
  readonly gaps: readonly Gap[];
};
