// The evaluation loop: asks for the rollouts that are missing and tells of each as it comes. It writes nothing; whoever
// reads the events keeps the records, and gives back at the next start which ones there are.
import { ConfigurationError, RemoteServiceError } from "../base/errors.ts";
import { Random } from "../base/random.ts";
import type { Problem } from "../problems/problem.ts";
import type { Rollout, RolloutState } from "../rollouts/rollout.ts";
import { Channel } from "./channel.ts";
import type { Sampler, SampleTask } from "./sampler.ts";

/** What the loop must know of a rollout that is there already. */
type KnownRollout = Pick<Rollout, "problem" | "attempt" | "state">;

export type EvaluationEvent =
  | {
      readonly type: "evaluation-plan";
      readonly present: number;
      readonly failedBefore: number;
      readonly missing: number;
    }
  | { readonly type: "evaluation-rollout"; readonly rollout: Rollout; readonly done: number; readonly missing: number }
  | {
      readonly type: "evaluation-end";
      readonly sampled: Readonly<Record<RolloutState, number>>;
      /** True when it was stopped before everything was asked. */
      readonly stopped: boolean;
    };

export type EvaluationInput = {
  readonly problems: readonly Problem[];
  readonly rolloutsPerProblem: number;
  readonly sampler: Sampler;
  /** Each rollout's seed is made from this, the problem and the attempt. */
  readonly seed: number | string;
  readonly known?: Iterable<KnownRollout>;
  readonly signal?: AbortSignal;
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
export function missingTasks(input: Omit<EvaluationInput, "sampler">): SampleTask[] {
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

export async function* sampleMissing(input: EvaluationInput): AsyncGenerator<EvaluationEvent> {
  const known = [...(input.known ?? [])];
  const tasks = missingTasks({ ...input, known });
  const failedBefore = known.filter(({ state }) => state === "failed").length;
  yield { type: "evaluation-plan", present: known.length - failedBefore, failedBefore, missing: tasks.length };

  const sampled: Record<RolloutState, number> = { complete: 0, truncated: 0, failed: 0 };
  const stop = new AbortController();
  const onAbort = () => stop.abort(input.signal?.reason);
  if (input.signal?.aborted) onAbort();
  input.signal?.addEventListener("abort", onAbort, { once: true });
  const arrivals = new Channel<Rollout>();
  const sampling = input.sampler
    .sample(tasks, (rollout) => arrivals.send(rollout), stop.signal)
    .then(
      () => arrivals.close(),
      (error) => arrivals.close(input.signal?.aborted ? undefined : error),
    );
  let done = 0;
  let failing = 0;
  try {
    for await (const rollout of arrivals) {
      done += 1;
      sampled[rollout.state] += 1;
      failing = rollout.state === "failed" ? failing + 1 : 0;
      yield { type: "evaluation-rollout", rollout, done, missing: tasks.length };
      if (failing >= failuresInARow) {
        throw new RemoteServiceError(
          `${failing} requests in a row failed, the last because ${rollout.failure}; the records are kept: repair the server and run again`,
        );
      }
    }
  } finally {
    stop.abort(new Error("the evaluation has ended"));
    input.signal?.removeEventListener("abort", onAbort);
    arrivals.abandon();
    await sampling;
  }
  yield { type: "evaluation-end", sampled, stopped: input.signal?.aborted ?? false };
}
