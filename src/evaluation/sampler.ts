// What can answer problems: any engine of ours and any server behave the same to an evaluation.
import type { Problem } from "../problems/problem.ts";
import type { Rollout } from "../rollouts/rollout.ts";

export type Exchange = { readonly response: string; readonly reply: string };

export type SampleTask = {
  readonly problem: Problem;
  readonly attempt: number;
  readonly seed: number;
  /** What the response begins with already; its record has what follows. */
  readonly prefix?: string;
  /** The turns before this one: what the model said, and what it was told. */
  readonly said?: readonly Exchange[];
  /** What is asked next in its place; without it, or where there is none, the rollout is sent. */
  readonly next?: (rollout: Rollout) => SampleTask | undefined;
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
