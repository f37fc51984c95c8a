// What a curve of RL means: the one definition that the loop's alarms, the report and the dashboard share.
import { mean } from "../base/statistics/descriptive.ts";
import type { RecordedRlStep } from "./recorded-events.ts";

/** Over the optimizer steps of a training step: a step has several, and the last alone is mostly luck. */
function overUpdates(step: RecordedRlStep, name: "kl" | "clipFraction" | "gradientNorm"): number | undefined {
  const values = step.updates.flatMap((update) => update[name] ?? []);
  return values.length === 0 ? undefined : mean(values);
}

export type RlCurve = {
  readonly id: string;
  readonly title: string;
  /** What is on the axis. */
  readonly label: string;
  readonly unit?: "share";
  /** Undefined where the run has no such thing: without a reference there is no KL, some servers report no gradient norm. */
  readonly read: (step: RecordedRlStep) => number | undefined;
};

export const rlCurves = [
  { id: "reward", title: "Reward", label: "mean reward", read: ({ reward }) => reward.total },
  { id: "solve-rate", title: "Solve rate", label: "solved", unit: "share", read: ({ solveRate }) => solveRate },
  { id: "entropy", title: "Entropy of the sampling policy", label: "nats per token", read: ({ entropy }) => entropy },
  {
    id: "kl",
    title: "KL from the reference, mean of the step's updates",
    label: "nats per token",
    read: (step) => overUpdates(step, "kl"),
  },
  {
    id: "clip-fraction",
    title: "Clip fraction, mean of the step's updates",
    label: "of tokens",
    unit: "share",
    read: (step) => overUpdates(step, "clipFraction"),
  },
  {
    id: "gradient-norm",
    title: "Gradient norm, mean of the step's updates",
    label: "before clipping",
    read: (step) => overUpdates(step, "gradientNorm"),
  },
  {
    id: "response-tokens",
    title: "Response length",
    label: "tokens",
    read: ({ responseTokens }) => responseTokens.mean,
  },
  {
    id: "truncated",
    title: "Truncated responses",
    label: "of rollouts",
    unit: "share",
    read: ({ truncatedShare }) => truncatedShare,
  },
  {
    ...{ id: "dead-groups", title: "Groups without a gradient", label: "all right or all wrong", unit: "share" },
    read: ({ groups }) => groups && groups.allRight + groups.allWrong,
  },
  { id: "bonus", title: "Bonus in the reward", label: "mean", read: ({ reward }) => reward.bonus || undefined },
  { id: "learning-rate", title: "Learning rate", label: "of the optimizer", read: ({ learningRate }) => learningRate },
] as const satisfies readonly RlCurve[];
export type RlCurveId = (typeof rlCurves)[number]["id"];

export const rlCurve = (id: RlCurveId): RlCurve => rlCurves.find((curve) => curve.id === id)!;

/** Steps whose mean is the start, and whose mean is now: a single step is mostly luck. */
export const monitorWindow = 3;

/** Below this share of its start, recovery is vanishing. */
export const defaultRecoveryShare = 0.5;

export type RecoveryMonitor = {
  /** The share below which it warns. */
  readonly share: number;
  /** Recovery moves per trace: mean of the first steps, and of the last ones as soon as those are others. */
  readonly start?: number;
  readonly now?: number;
  readonly warning?: string;
};

/** Whether the moves of recovery survive training. `moves` are per trace, one number a step. */
export function recoveryMonitor(
  moves: readonly number[],
  recover: readonly string[],
  share: number = defaultRecoveryShare,
): RecoveryMonitor {
  if (moves.length === 0) return { share };
  const start = mean(moves.slice(0, monitorWindow));
  // Before the windows part the last steps are the first, and 100% of them would be left whatever happened.
  if (moves.length <= monitorWindow) return { share, start };
  const now = mean(moves.slice(-monitorWindow));
  if (start === 0 || now >= share * start) return { share, start, now };
  const percent = Math.round((100 * now) / start);
  const warning =
    `recovery is vanishing: ${recover.join(" and ")} fell to ${now.toFixed(2)} per trace, ${percent}% of the initial ${start.toFixed(2)}; ` +
    "a novelty bonus is meant to prevent this";
  return { share, start, now, warning };
}

/** Recovery moves per trace of one step; undefined where its rollouts were not labeled. */
export const recoveryMoves = (
  counts: Readonly<Record<string, number>> | undefined,
  recover: readonly string[],
): number | undefined => counts && recover.reduce((total, label) => total + (counts[label] ?? 0), 0);
