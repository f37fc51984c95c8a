// What an RL run tells while it goes: events as plain records. Everything in a step's event follows from seed and data
// alone, so two runs can be compared line by line; times are in events of their own.
import type { Reward, Rollout } from "../rollouts/rollout.ts";
import type { UpdateReport } from "./update.ts";

export type RlStepEvent = {
  readonly type: "rl-step";
  readonly step: number;
  readonly problems: number;
  readonly rollouts: number;
  /** Means, by part. */
  readonly reward: Readonly<Required<Reward>>;
  readonly solveRate: number;
  readonly solveRateByFamily: Readonly<Record<string, number>>;
  /** Shares of the groups that were sampled, before any were left out. */
  readonly groups: {
    readonly allRight: number;
    readonly allWrong: number;
    /** In these the bonus is the whole signal and normalization cancels its weight. */
    readonly bonusScaleCancels: number;
    readonly withoutBonus: number;
    readonly leftOut: number;
  };
  /** One per optimizer step. */
  readonly updates: readonly (UpdateReport & { readonly gradientNorm?: number })[];
  /** Of the policy that sampled, per token. */
  readonly entropy: number;
  readonly responseTokens: { readonly mean: number; readonly longest: number };
  readonly truncatedShare: number;
  readonly learningRate: number;
  /** Mean number of each label per trace, and whose labels they are, where somebody labels. */
  readonly primitives?: Readonly<Record<string, number>>;
  readonly labeledBy?: string;
  readonly warnings: readonly string[];
};

/** Where a run stands: with the checkpoint it names, enough to resume as if it had never stopped. */
export type RlState = {
  readonly checkpoint: string;
  readonly step: number;
  readonly nextProblem: number;
  /** What the alarms compare with. */
  readonly start?: { readonly entropy: number; readonly recovery: readonly number[] };
};

export type RlEvent =
  | RlStepEvent
  | { readonly type: "rl-rollouts"; readonly step: number; readonly rollouts: readonly Rollout[] }
  | { readonly type: "rl-checkpoint"; readonly state: RlState }
  | {
      readonly type: "rl-pace";
      readonly step: number;
      readonly seconds: { readonly sampling: number; readonly scoring: number; readonly updating: number };
      readonly sampledTokensPerSecond: number;
    }
  | { readonly type: "rl-end"; readonly steps: number; readonly checkpoint: string; readonly because: string };
