// Collecting rollouts from an engine: one sample per (problem, attempt) with a seed of its own, graded as it comes.
import type { Random } from "../base/random.ts";
import type { Engine, Sample } from "../engine/engine.ts";
import type { Grade } from "./rollout.ts";

/** A problem as an engine sees it: tokens to continue, and a way to grade the continuation. */
export type PromptedProblem = {
  readonly id: string;
  /** What solve rates are counted by: the puzzle's name, a set of mathematics. */
  readonly family: string;
  readonly prompt: readonly number[];
  /** What is asked, as text: for labelers that look at it. */
  readonly question?: string;
  /** At once for puzzles; others ask a worker, a module or a service. */
  readonly grade: (response: string) => Grade | Promise<Grade>;
};

export type SamplingOptions = {
  readonly temperature: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly maxTokens: number;
  readonly stopTokens?: readonly number[];
  readonly stopStrings?: readonly string[];
};

/** One graded attempt with its tokens, as training needs it; `Rollout` is how it is written down. */
export type SampledRollout = {
  readonly problem: PromptedProblem;
  readonly attempt: number;
  readonly seed: number;
  readonly sample: Sample;
  readonly grade: Grade;
};

type CollectOptions = {
  readonly rolloutsPerProblem: number;
  readonly sampling: SamplingOptions;
  /** Every rollout's seed is a child of this, named by problem and attempt: who else is sampled does not matter. */
  readonly random: Random;
  readonly signal?: AbortSignal;
  readonly onRollout?: (done: number, total: number) => void;
};

export async function collectRollouts(
  engine: Engine,
  problems: readonly PromptedProblem[],
  { rolloutsPerProblem, sampling, random, signal, onRollout }: CollectOptions,
): Promise<SampledRollout[][]> {
  // A problem that is asked twice goes on counting its attempts: the same seeds would give the same rollouts.
  const asked = new Map<string, number>();
  const plan = problems.flatMap((problem) => {
    const first = asked.get(problem.id) ?? 0;
    asked.set(problem.id, first + rolloutsPerProblem);
    return Array.from({ length: rolloutsPerProblem }, (_, i) => {
      const attempt = first + i;
      return { problem, attempt, seed: random.child("rollout", problem.id, attempt).uint32() };
    });
  });
  let done = 0;
  const samples = await engine.sample(
    plan.map(({ problem, seed }) => ({ ...sampling, prompt: problem.prompt, seed })),
    { signal, onSample: () => onRollout?.(++done, plan.length) },
  );
  const grades = await Promise.all(plan.map(({ problem }, i) => problem.grade(samples[i].text)));
  const rollouts = plan.map((entry, i) => ({ ...entry, sample: samples[i], grade: grades[i] }));
  return problems.map((_, p) => rollouts.slice(p * rolloutsPerProblem, (p + 1) * rolloutsPerProblem));
}
