// What can answer problems: any engine of ours and any server behave the same to an evaluation.
import type { Problem } from "../problems/problem.ts";
import type { Rollout } from "../rollouts/rollout.ts";

export type SampleTask = {
  readonly problem: Problem;
  readonly attempt: number;
  readonly seed: number;
  /** What the response begins with already; its record has what follows. */
  readonly prefix?: string;
};

export type SamplingSettings = {
  readonly temperature: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly maxTokens: number;
  readonly stop?: readonly string[];
  /** Said before every problem. */
  readonly system?: string;
};

export interface Sampler {
  /** A checkpoint's name or a server's model. */
  readonly policy: string;
  /**
   * Sends one record per task, as each ends and in any order; a task that cannot be answered is a record too. Waits for
   * `send`. Rejects only when no task can be answered any more, or with the signal's reason.
   */
  sample(tasks: readonly SampleTask[], send: (rollout: Rollout) => Promise<void>, signal?: AbortSignal): Promise<void>;
}

/** What every record of a task has. */
export function taskRecord(task: SampleTask, policy: string): Pick<Rollout, "problem" | "attempt" | "policy" | "seed"> {
  return { problem: task.problem.id, attempt: task.attempt, policy, seed: task.seed };
}
