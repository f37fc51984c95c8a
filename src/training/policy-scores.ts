// Log-probs of rollouts under the policy that sampled them: by a pass over all of them, or, where the sampler agrees with such
// a pass on some, the sampler's own for the others.
import { EngineError } from "../base/errors.ts";
import type { Engine, Sample, SequenceScores, TokenSequence } from "../engine/engine.ts";
import type { SampledRollout } from "../rollouts/collect.ts";
import { objectiveNeeds } from "./objective.ts";
import type { RlOptions } from "./rl-options.ts";

/** How many rollouts of a batch are compared. */
export const comparedRollouts = 16;

type PolicyScores = { readonly scores: readonly SequenceScores[]; readonly note?: string };

type Input = {
  readonly engine: Engine;
  readonly rollouts: readonly SampledRollout[];
  readonly sequences: readonly TokenSequence[];
  readonly temperature: number;
  readonly options: Pick<RlOptions, "objective" | "sampling" | "samplerWithin">;
  readonly signal?: AbortSignal;
};

export async function policyScores(input: Input): Promise<PolicyScores> {
  const { engine, rollouts, sequences, temperature, options, signal } = input;
  const scored = (some: readonly TokenSequence[]) =>
    engine.logprobs(some, { temperature, entropies: true, signal }) as Promise<readonly SequenceScores[]>;
  const bound = options.samplerWithin;
  const told = bound === undefined ? undefined : samplerLogprobs(rollouts, temperature, options);
  if (bound === undefined || told === undefined || rollouts.length <= comparedRollouts)
    return { scores: await scored(sequences) };

  const compared = spread(rollouts.length, comparedRollouts);
  const scores = await scored(compared.map((i) => sequences[i]));
  const apart = Math.max(...compared.map((i, c) => Math.abs(meanDifference(scores[c].logprobs, told[i]))));
  if (!(apart <= bound)) {
    const note = `sampler and policy are ${apart.toExponential(1)} apart per token, more than ${bound}: all rollouts were scored`;
    return { scores: await scored(sequences), note };
  }
  const byRollout = new Map(compared.map((i, c) => [i, scores[c]]));
  return { scores: told.map((logprobs, i) => byRollout.get(i) ?? { logprobs: Float32Array.from(logprobs) }) };
}

/** Undefined where the sampler does not say what is needed: another temperature, or entropies that the objective asks for. */
function samplerLogprobs(
  rollouts: readonly SampledRollout[],
  temperature: number,
  { objective, sampling }: Input["options"],
): readonly (readonly number[])[] | undefined {
  if (objectiveNeeds(objective).entropies) return undefined;
  const told = rollouts.map(({ sample }) => recordedLogprobs(sample, temperature, sampling.temperature));
  return told.every((logprobs) => logprobs !== undefined) ? told : undefined;
}

/** What the sampler said of its tokens, at the temperature of scores; undefined where it spoke of another. */
const recordedLogprobs = (sample: Sample, temperature: number, sampledAt: number): readonly number[] | undefined =>
  temperature === sampledAt ? sample.temperedLogprobs : temperature === 1 ? sample.logprobs : undefined;

/**
 * Log-probs under the policies that drew a rollout: the sampler's where its first tokens were drawn ahead, by weights that are gone; the
 * pass over it for the rest.
 */
export function behaviorScores(
  { sample, aheadTokens = 0 }: SampledRollout,
  scores: SequenceScores,
  temperature: number,
  sampledAt: number,
): SequenceScores {
  if (aheadTokens === 0) return scores;
  const told = recordedLogprobs(sample, temperature, sampledAt)?.slice(0, aheadTokens);
  if (told === undefined || told.some(Number.isNaN)) {
    throw new EngineError(
      `the engine's samples have no log-probs at temperature ${temperature}, which rollouts that were begun ahead need; ` +
        "sample and score at temperature 1, or leave out samplingAhead",
    );
  }
  const logprobs = Float32Array.from(scores.logprobs);
  logprobs.set(told);
  return { ...scores, logprobs };
}

/** GSPO's ratio is the exponential of this: the mean over a response's tokens. */
function meanDifference(one: ArrayLike<number>, other: readonly number[]): number {
  const total = other.reduce((sum, value, t) => sum + one[t] - value, 0);
  return total / Math.max(1, other.length);
}

/** Places all over a batch, so that every kind of problem has its chance. */
const spread = (length: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => Math.floor((i * length) / count));
