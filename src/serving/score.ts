// A rollout's score as every trainer gets it: one number, the verdict, and the parts that the number is made of.
import type { Grade, VerdictName } from "../rollouts/rollout.ts";

export type Score = {
  /** Null when the rollout could not be graded at all; a number that trains must never stand for a failure. */
  readonly score: number | null;
  readonly verdict: VerdictName | "failed";
  readonly because: string;
  readonly exact: number;
  readonly completion: number;
  readonly format: number;
};

/** Every key is always there: trainers that collect extra columns need the same ones from every rollout. */
export function scoreOf({ verdict, because, reward }: Grade): Score {
  const { exact, completion = 0, format = 0, total } = reward;
  return { score: total, verdict, because: because ?? "", exact, completion, format };
}

export function failedScore(because: string): Score {
  return { score: null, verdict: "failed", because, exact: 0, completion: 0, format: 0 };
}
