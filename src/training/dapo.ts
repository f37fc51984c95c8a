// DAPO (Yu et al. 2025, arXiv:2503.14476): what it adds to the token ratio of `grpo.ts` and the token mean of
// `aggregation.ts`, namely a higher upper clip, groups that carry a signal, and a soft penalty on length.
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

export const dapoOverlong: OverlongPenalty = { maxTokens: 20_480, buffer: 4_096 };

/** 0 up to maxTokens − buffer, then linear down to −1 at maxTokens; added to the task reward. */
export function overlongPenalty(tokens: number, { maxTokens, buffer }: OverlongPenalty): number {
  return Math.max(-1, Math.min(0, (maxTokens - buffer - tokens) / buffer));
}
