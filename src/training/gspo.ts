// Group Sequence Policy Optimization (Zheng et al. 2025, arXiv:2507.18071).
// The importance ratio belongs to the sequence: the geometric mean of its token ratios.
//
//   J = mean_i min(s_i A_i, clip(s_i, 1 − below, 1 + above) A_i),   s_i = exp(mean_t(lp_t − old_t))

/** Log-probability of each token of a response. */
export type Logprobs = ArrayLike<number>;

/** How far a ratio may leave 1 before the update stops. */
export type ClipRange = { readonly below: number; readonly above: number };

/** Beyond this the ratio is held, without gradient, so that one broken sequence cannot overflow (as verl does). */
const largestLogRatio = 10;

type SequenceUpdate = {
  readonly ratio: number;
  readonly clipped: boolean;
  /** d objective / d logprob of every token, before the mean over sequences. */
  readonly tokenWeight: number;
  /** min(s·A, clip(s)·A) */
  readonly objective: number;
};

/** `held`: the true ratio lies beyond where its gradient stops. */
type SequenceRatio = { readonly ratio: number; readonly held: boolean };

export function sequenceRatio(current: Logprobs, sampled: Logprobs): SequenceRatio {
  let difference = 0;
  for (let t = 0; t < sampled.length; t++) difference += current[t] - sampled[t];
  const logRatio = difference / sampled.length;
  return { ratio: Math.exp(Math.min(logRatio, largestLogRatio)), held: logRatio > largestLogRatio };
}

// min(r·A, clip(r)·A) is flat only on the side where a larger step would still pay.
export const stopsAt = (ratio: number, advantage: number, clip: ClipRange): boolean =>
  (advantage > 0 && ratio > 1 + clip.above) || (advantage < 0 && ratio < 1 - clip.below);

export const clippedRatio = (ratio: number, clip: ClipRange): number =>
  Math.min(Math.max(ratio, 1 - clip.below), 1 + clip.above);

export function gspoUpdate(current: Logprobs, sampled: Logprobs, advantage: number, clip: ClipRange): SequenceUpdate {
  const { ratio, held } = sequenceRatio(current, sampled);
  const clipped = stopsAt(ratio, advantage, clip);
  return {
    ratio,
    clipped,
    tokenWeight: clipped || held ? 0 : (ratio * advantage) / sampled.length,
    objective: (clipped ? clippedRatio(ratio, clip) : ratio) * advantage,
  };
}

/** What a rule says of each token of one response, before aggregation. */
export type TokenUpdates = {
  /** d objective / d logprob. */
  readonly weights: Float64Array;
  /** The token's own part of the objective. */
  readonly terms: Float64Array;
  /** 1 where the ratio stopped the update. */
  readonly clipped: Uint8Array;
};

export const noUpdates = (length: number): TokenUpdates => ({
  weights: new Float64Array(length),
  terms: new Float64Array(length),
  clipped: new Uint8Array(length),
});

/**
 * GSPO-token: each token has an advantage of its own but the sequence's ratio, s_it = sg(s_i)·exp(lp_t − sg(lp_t)).
 * The same as GSPO when all advantages of a sequence are equal.
 */
export function gspoTokenUpdates(
  { ratio, held }: SequenceRatio,
  advantages: ArrayLike<number>,
  clip: ClipRange,
): TokenUpdates {
  const updates = noUpdates(advantages.length);
  for (let t = 0; t < advantages.length; t++) {
    const stopped = stopsAt(ratio, advantages[t], clip);
    updates.terms[t] = (stopped ? clippedRatio(ratio, clip) : ratio) * advantages[t];
    if (stopped) updates.clipped[t] = 1;
    else if (!held) updates.weights[t] = ratio * advantages[t];
  }
  return updates;
}
