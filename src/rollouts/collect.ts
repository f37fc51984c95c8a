// Collecting rollouts from an engine: one sample per (problem, attempt) with a seed of its own, graded as it comes.
import type { Random } from "../base/random.ts";
import type { Engine, Sample, SampleRequest } from "../engine/engine.ts";
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
  /** So many of its first tokens were drawn ahead, by the policy of the step before. */
  readonly aheadTokens?: number;
};

/** The first problems of the next step, begun behind those of this one: they fill the room that its last, long rollouts leave. */
export type Ahead = {
  readonly problems: readonly PromptedProblem[];
  readonly random: Random;
  /** No more than so many tokens of each; the next step goes on from there. */
  readonly tokens: number;
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
  options: CollectOptions,
): Promise<SampledRollout[][]> {
  return (await collectAhead(engine, problems, options)).groups;
}

/**
 * As `collectRollouts`, with rollouts of the first problems that were begun before, and beginning some of the next step's. Nothing that was
 * begun is thrown away: what ends early would be chosen over what is long.
 */
export async function collectAhead(
  engine: Engine,
  problems: readonly PromptedProblem[],
  options: CollectOptions & { readonly begun?: readonly Sample[]; readonly ahead?: Ahead },
): Promise<{ readonly groups: SampledRollout[][]; readonly begun: readonly Sample[] }> {
  const { rolloutsPerProblem, sampling, random, signal, onRollout, begun = [], ahead } = options;
  const plan = planned(problems, rolloutsPerProblem, random);
  const open = plan.flatMap(({ problem, attempt, seed }, i) => {
    const before = begun[i];
    if (before === undefined) return [{ i, request: { ...sampling, prompt: problem.prompt, seed } }];
    const left = sampling.maxTokens - before.tokens.length;
    const prompt = [...problem.prompt, ...before.tokens];
    if (before.finish === "stop" || left <= 0 || prompt.length >= engine.contextLength) return [];
    const again = random.child("rollout", problem.id, attempt, "continued").uint32();
    return [{ i, request: { ...sampling, prompt, seed: again, maxTokens: left } }];
  });
  const next = ahead === undefined ? [] : planned(ahead.problems, rolloutsPerProblem, ahead.random);
  const maxTokens = Math.min(sampling.maxTokens, ahead?.tokens ?? 0);
  // Engines take requests in their order: those of the next step begin when there is room for them.
  const requests: SampleRequest[] = [
    ...open.map(({ request }) => request),
    ...next.map(({ problem, seed }) => ({ ...sampling, prompt: problem.prompt, seed, maxTokens })),
  ];
  let done = plan.length - open.length;
  const drawn = await engine.sample(requests, {
    signal,
    onSample: (index) => index < open.length && onRollout?.(++done, plan.length),
  });
  const samples = plan.map((_, i) => begun[i]);
  open.forEach(({ i }, at) => {
    samples[i] = begun[i] === undefined ? drawn[at] : joined(engine, begun[i], drawn[at]);
  });
  const grades = await Promise.all(plan.map(({ problem }, i) => problem.grade(samples[i].text)));
  const rollouts = plan.map((entry, i) => ({
    ...entry,
    sample: samples[i],
    grade: grades[i],
    ...(begun[i] !== undefined && { aheadTokens: begun[i].tokens.length }),
  }));
  return {
    groups: problems.map((_, p) => rollouts.slice(p * rolloutsPerProblem, (p + 1) * rolloutsPerProblem)),
    begun: drawn.slice(open.length),
  };
}

function planned(problems: readonly PromptedProblem[], rolloutsPerProblem: number, random: Random) {
  // A problem that is asked twice goes on counting its attempts: the same seeds would give the same rollouts.
  const asked = new Map<string, number>();
  return problems.flatMap((problem) => {
    const first = asked.get(problem.id) ?? 0;
    asked.set(problem.id, first + rolloutsPerProblem);
    return Array.from({ length: rolloutsPerProblem }, (_, i) => {
      const attempt = first + i;
      return { problem, attempt, seed: random.child("rollout", problem.id, attempt).uint32() };
    });
  });
}

function joined(engine: Engine, first: Sample, rest: Sample): Sample {
  const tokens = [...first.tokens, ...rest.tokens];
  // A character's bytes may lie on both sides, so its text is read from all tokens, but for one that ended the response.
  const unspoken = engine.tokenizer.decode(rest.tokens) === rest.text ? 0 : 1;
  return {
    tokens,
    text: engine.tokenizer.decode(tokens.slice(0, tokens.length - unspoken)),
    logprobs: [...first.logprobs, ...rest.logprobs],
    temperedLogprobs: [...first.temperedLogprobs, ...rest.temperedLogprobs],
    finish: rest.finish,
  };
}
