// What is said about training: curves over steps, and primitives over steps as an analysis read them.
import type { RecoveryMonitor, RlCurveId } from "../../training/curves.ts";
import type { Gap, RunState } from "./runs.ts";

// ---- GET /api/training?run=&stage=&after= ----------------------------------------------------------------------------
// The curves of one stage of kind rl. `after` (a step) asks only for later points; live updates use it.

export type TrainingReply = RlTraining;

export type RlTraining = {
  readonly kind: "rl";
  readonly stage: string;
  readonly state: RunState;
  /** Steps planned, where the configuration says. */
  readonly plannedSteps?: number;
  readonly points: readonly RlPoint[];
  /** Whether the moves that let a model leave a failing line survive training. */
  readonly monitor: RecoveryMonitor;
  /** Who counted the primitives. */
  readonly labeled?: string;
  readonly end?: { readonly steps: number; readonly checkpoint: string; readonly because: string };
  readonly gaps: readonly Gap[];
};

export type RlPoint = {
  readonly step: number;
  readonly problems: number;
  readonly rollouts: number;
  readonly reward: {
    readonly total: number;
    readonly exact: number;
    readonly completion: number;
    readonly format: number;
    readonly bonus: number;
  };
  /** By puzzle or set. */
  readonly solveRateByFamily: Readonly<Record<string, number>>;
  /** As `rlCurves` defines them; what the run does not have is absent. */
  readonly curves: Readonly<Partial<Record<RlCurveId, number>>>;
  readonly learningRate?: number;
  readonly groups?: { readonly allRight: number; readonly allWrong: number };
  readonly tokensPerSecond?: number;
  readonly seconds?: { readonly sampling: number; readonly scoring: number; readonly updating: number };
  /** Mean number of each label per trace, by a labeler that is known. */
  readonly primitives?: Readonly<Record<string, number>>;
  readonly recovery?: {
    readonly tracesWithRecovery: number;
    readonly accuracyWithRecovery?: number;
    readonly accuracyWithoutRecovery?: number;
  };
  readonly warnings: readonly string[];
};

// ---- GET /api/repertoire?run= ----------------------------------------------------------------------------------------
// Primitives over the steps of training, as the run's analysis has them: the monitor for anybody's rollouts.

export type RepertoireReply = { readonly series: readonly AnalyzedSeries[] };

export type AnalyzedSeries = {
  /** The training run, as the analysis calls it. */
  readonly series: string;
  readonly role?: string;
  readonly points: readonly {
    readonly step: number;
    readonly traces: number;
    /** By the id of `stepCurves`, those that the step has. */
    readonly curves: Readonly<Record<string, number>>;
    /** Mean number of each label per trace. */
    readonly primitives: Readonly<Record<string, number>>;
  }[];
  /** The labels that count as recovery. */
  readonly recover: readonly string[];
  readonly monitor: RecoveryMonitor;
};
