// The evaluation loop: asks for the rollouts that are missing and hands each over as it comes. It writes nothing; whoever
// takes them keeps the records, and gives back at the next start which ones there are.
import { ConfigurationError, RemoteServiceError } from "../base/errors.ts";
import { Random } from "../base/random.ts";
import type { Problem } from "../problems/problem.ts";
import type { Rollout, RolloutState } from "../rollouts/rollout.ts";
import type { RolloutStore } from "./rollout-store.ts";
import type { Sampler, SampleTask } from "./sampler.ts";

/** What the loop must know of a rollout that is there already. */
type KnownRollout = Pick<Rollout, "problem" | "attempt" | "state">;

type SamplingPlan = { readonly present: number; readonly failedBefore: number; readonly missing: number };

export type EvaluationInput = {
  readonly problems: readonly Problem[];
  readonly rolloutsPerProblem: number;
  readonly sampler: Sampler;
  /** Each rollout's seed is made from this, the problem and the attempt. */
  readonly seed: number | string;
  readonly known?: Iterable<KnownRollout>;
  readonly signal?: AbortSignal;
  /** Hears what is to be asked, before anything is. */
  readonly onPlan?: (plan: SamplingPlan) => void;
  /** Hears of each rollout; who answered waits until it has been taken, so that nothing piles up. */
  readonly onRollout: (rollout: Rollout) => void | Promise<void>;
};

export type EvaluationEnd = {
  readonly sampled: Readonly<Record<RolloutState, number>>;
  /** True when it was stopped before everything was asked. */
  readonly stopped: boolean;
};

/** So many failures in a row mean that something is wrong with the server and not with the requests. */
const failuresInARow = 64;

/** 31 bits: many servers read seeds as signed numbers, and what is recorded should be what was asked. */
const rolloutSeed = (seed: number | string, problem: string, attempt: number): number =>
  Random.from(seed).child("rollout", problem, attempt).uint32() >>> 1;

/** All of them are listed in memory, where a set has at most 2^24 members. */
const mostRollouts = 10_000_000;

export function refuseTooMany(problems: number, rolloutsPerProblem: number): void {
  const all = problems * rolloutsPerProblem;
  if (all > mostRollouts)
    throw new ConfigurationError(
      `${rolloutsPerProblem.toLocaleString("en-US")} rollouts of ${problems.toLocaleString("en-US")} problems are ` +
        `${all.toLocaleString("en-US")}; one evaluation has at most ${mostRollouts.toLocaleString("en-US")}: ask for fewer rollouts or problems`,
    );
}

/** All problems once, then all again: whoever stops early has a balanced evaluation with fewer rollouts. */
export function missingTasks(input: Omit<EvaluationInput, "sampler" | "onRollout">): SampleTask[] {
  refuseTooMany(input.problems.length, input.rolloutsPerProblem);
  const answered = new Set<string>();
  for (const { problem, attempt, state } of input.known ?? []) {
    if (state !== "failed") answered.add(`${problem}\u0000${attempt}`);
  }
  const tasks: SampleTask[] = [];
  for (let attempt = 0; attempt < input.rolloutsPerProblem; attempt++) {
    for (const problem of input.problems) {
      if (answered.has(`${problem.id}\u0000${attempt}`)) continue;
      tasks.push({ problem, attempt, seed: rolloutSeed(input.seed, problem.id, attempt) });
    }
  }
  return tasks;
}

export async function sampleMissing({ onPlan, onRollout, ...input }: EvaluationInput): Promise<EvaluationEnd> {
  const known = [...(input.known ?? [])];
  const tasks = missingTasks({ ...input, known });
  const failedBefore = known.filter(({ state }) => state === "failed").length;
  onPlan?.({ present: known.length - failedBefore, failedBefore, missing: tasks.length });

  const sampled: Record<RolloutState, number> = { complete: 0, truncated: 0, failed: 0 };
  const broken = new AbortController();
  const signal = input.signal === undefined ? broken.signal : AbortSignal.any([input.signal, broken.signal]);
  let failing = 0;
  const take = async (rollout: Rollout): Promise<void> => {
    sampled[rollout.state] += 1;
    failing = rollout.state === "failed" ? failing + 1 : 0;
    const inARow = failing;
    try {
      await onRollout(rollout);
      if (inARow < failuresInARow) return;
      throw new RemoteServiceError(
        `${inARow} requests in a row failed, the last because ${rollout.failure}; the records are kept: repair the server and run again`,
      );
    } catch (error) {
      // Nobody is asked any more, and the first reason is the one that is told.
      broken.abort(error);
    }
  };
  try {
    await input.sampler.sample(tasks, take, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (broken.signal.aborted) throw broken.signal.reason;
  return { sampled, stopped: input.signal?.aborted ?? false };
}

/** Every rollout is on the disk before anybody else hears of it. */
export function sampleIntoStore(
  store: RolloutStore,
  { onRollout, ...input }: Omit<EvaluationInput, "known" | "onRollout"> & Partial<Pick<EvaluationInput, "onRollout">>,
): Promise<EvaluationEnd> {
  const keep = async (rollout: Rollout) => {
    await store.append(rollout);
    await onRollout?.(rollout);
  };
  return sampleMissing({ ...input, known: store.entries(), onRollout: keep });
}
