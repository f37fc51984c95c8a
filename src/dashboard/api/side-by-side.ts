// What is said about several runs at once: curves, pass@k and how their traces reason, to be laid over each other.
import type { Gap, Interval, RunEntry, RunState } from "./runs.ts";

// ---- GET /api/side-by-side?run=* -------------------------------------------------------------------------------------
// Up to 24 runs, in the order in which they are named. Read from what runs wrote down (events, summaries, analyses), not
// from their rollouts, so that many runs cost no more than their files.

export type SideBySideReply = { readonly runs: readonly SideRun[] };

export type SideRun = {
  readonly id: string;
  readonly name: string;
  readonly kind: RunEntry["kind"];
  readonly state: RunState;
  readonly config: Readonly<Record<string, unknown>>;
  /** One for each training run in it. */
  readonly training: readonly SideTraining[];
  /** In the recipe's order. */
  readonly checkpoints: readonly SideCheckpoint[];
  /** Who labeled what primitives and depth are counted over. */
  readonly labeled: readonly string[];
  readonly gaps: readonly Gap[];
};

export type SideTraining = {
  readonly name: string;
  readonly role?: string;
  /** The one that its recipe chose for it, by name. */
  readonly color?: string;
  readonly steps: readonly number[];
  /** By curve: those of `rlCurves`, `recovery`, and `primitive <label>`; null at a step that has no value. */
  readonly curves: Readonly<Record<string, readonly (number | null)[]>>;
};

export type SideCheckpoint = {
  readonly name: string;
  readonly role?: string;
  /** The one that its recipe chose for it, by name. */
  readonly color?: string;
  readonly sets: readonly {
    readonly set: string;
    readonly problems: number;
    readonly passAtK: readonly { readonly k: number; readonly value: number; readonly interval?: Interval }[];
  }[];
  /** How its traces reason, scope by scope of the run's analysis: each label per trace, depth and run length. */
  readonly reasoning: readonly {
    readonly scope: string;
    readonly traces: number;
    readonly measures: Readonly<Record<string, { readonly value: number; readonly interval?: Interval }>>;
  }[];
};
