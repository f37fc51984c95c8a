// DAPO (Yu et al. 2025, arXiv:2503.14476): what it adds to the token ratio of `grpo.ts` and the token mean of
// `aggregation.ts`, namely a higher upper clip, groups that carry a signal, and a soft penalty on length.
import { ConfigurationError } from "../base/errors.ts";
import type { TokenClip } from "./grpo.ts";

export const clipHigher: TokenClip = { below: 0.2, above: 0.28, dual: 10 };

/**
 * Whether a group has anything to teach: some rollouts right and some not. A group of one is kept. Looking at rewards
 * instead of verdicts also keeps groups that only a bonus or a partial reward tells apart.
 */
export function isMixed(values: readonly (boolean | number)[]): boolean {
  return values.length === 1 || values.some((value) => value !== values[0]);
}

export type OverlongPenalty = { readonly maxTokens: number; readonly buffer: number };

/** Unless said, whole at the longest response that is sampled, and over the last fifth of it: in DAPO 4,096 of 20,480 tokens. */
export function overlongBounds(given: Partial<OverlongPenalty>, longest: number): OverlongPenalty {
  const { maxTokens = longest } = given;
  const { buffer = Math.ceil(maxTokens / 5) } = given;
  if (buffer >= maxTokens)
    throw new ConfigurationError(
      `the overlong penalty would grow over ${buffer} tokens up to ${maxTokens}, and so on every response; lower buffer`,
    );
  if (maxTokens - buffer < longest) return { maxTokens, buffer };
  throw new ConfigurationError(
    `the overlong penalty begins after ${maxTokens - buffer} tokens and responses end at ${longest}, so it would never act; ` +
      "lower maxTokens, or leave it out to follow sampling.maxTokens",
  );
}

/** 0 up to maxTokens − buffer, then linear down to −1 at maxTokens; added to the task reward. */
export function overlongPenalty(tokens: number, { maxTokens, buffer }: OverlongPenalty): number {
  return Math.max(-1, Math.min(0, (maxTokens - buffer - tokens) / buffer));
}
