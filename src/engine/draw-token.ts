// Draws one token from a distribution: top-k, then top-p, then one uniform number.
import type { Random } from "../base/random.ts";

export type DrawOptions = { readonly temperature: number; readonly topK?: number; readonly topP?: number };

/** The softmax of logits/temperature (of the logits themselves where the temperature is 0). */
export type TokenDistribution = {
  readonly probabilities: ArrayLike<number>;
  /** Logarithm of Σ exp(logit/temperature), and of Σ exp(logit). */
  readonly temperedTotal: number;
  readonly plainTotal: number;
};

type DrawnToken = {
  readonly token: number;
  /** Under the plain distribution. */
  readonly logprob: number;
  /** Under the tempered distribution, before top-k and top-p; 0 when greedy, where no other token could be drawn. */
  readonly temperedLogprob: number;
};

/** What the logits are divided by for the distribution to draw from. */
export const softmaxTemperature = ({ temperature }: DrawOptions) => (temperature === 0 ? 1 : temperature);

export function drawToken(distribution: TokenDistribution, options: DrawOptions, random: Random): DrawnToken {
  const { probabilities, temperedTotal, plainTotal } = distribution;
  if (!Number.isFinite(temperedTotal) || !Number.isFinite(plainTotal)) {
    throw new RangeError("the logits are not finite");
  }
  // Every call takes one number, so that a token's draw does not depend on how the ones before it were made.
  const uniform = random.uniform();
  const greedy = options.temperature === 0;
  const cut = options.topK !== undefined || (options.topP !== undefined && options.topP < 1);
  const token = greedy
    ? indexOfLargest(probabilities)
    : cut
      ? drawAmong(largestTokens(probabilities, options), uniform)
      : drawAll(probabilities, uniform);
  const temperedLogprob = Math.log(probabilities[token]);
  const logit = softmaxTemperature(options) * (temperedLogprob + temperedTotal);
  return { token, logprob: logit - plainTotal, temperedLogprob: greedy ? 0 : temperedLogprob };
}

/** For engines that have logits in hand. */
export function tokenDistribution(logits: ArrayLike<number>, options: DrawOptions): TokenDistribution {
  const temperature = softmaxTemperature(options);
  const temperedTotal = logTotal(logits, temperature);
  return {
    probabilities: Float64Array.from(logits, (logit) => Math.exp(logit / temperature - temperedTotal)),
    temperedTotal,
    plainTotal: temperature === 1 ? temperedTotal : logTotal(logits, 1),
  };
}

function logTotal(logits: ArrayLike<number>, temperature: number): number {
  const largest = logits[indexOfLargest(logits)];
  let total = 0;
  for (let i = 0; i < logits.length; i++) total += Math.exp((logits[i] - largest) / temperature);
  return largest / temperature + Math.log(total);
}

function indexOfLargest(values: ArrayLike<number>): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[best]) best = i;
  return best;
}

function drawAll(probabilities: ArrayLike<number>, uniform: number): number {
  let passed = 0;
  for (let i = 0; i < probabilities.length; i++) {
    passed += probabilities[i];
    if (passed > uniform) return i;
  }
  // Rounding can leave the number a hair above the sum.
  return indexOfLargest(probabilities);
}

type Candidate = { readonly token: number; readonly share: number };

function largestTokens(probabilities: ArrayLike<number>, options: DrawOptions): readonly Candidate[] {
  const candidates: Candidate[] = [];
  for (let token = 0; token < probabilities.length; token++) {
    candidates.push({ token, share: probabilities[token] });
  }
  candidates.sort((a, b) => b.share - a.share || a.token - b.token);
  const kept = candidates.slice(0, options.topK ?? candidates.length);
  const { topP } = options;
  if (topP === undefined || topP >= 1) return kept;
  // Top-p counts shares of what top-k left.
  const base = kept.reduce((sum, { share }) => sum + share, 0);
  let passed = 0;
  const end = kept.findIndex(({ share }) => (passed += share / base) >= topP);
  return end === -1 ? kept : kept.slice(0, end + 1);
}

function drawAmong(candidates: readonly Candidate[], uniform: number): number {
  const total = candidates.reduce((sum, { share }) => sum + share, 0);
  let passed = 0;
  for (const { token, share } of candidates) {
    passed += share;
    if (passed > uniform * total) return token;
  }
  return candidates[0].token;
}
