// Draws one token from a row of logits: temperature, then top-k, then top-p, then one uniform number.
import type { Random } from "../base/random.ts";

export type DrawOptions = { readonly temperature: number; readonly topK?: number; readonly topP?: number };

export type DrawnToken = {
  readonly token: number;
  /** Under the plain distribution. */
  readonly logprob: number;
  /** Under the tempered distribution, before top-k and top-p; 0 when greedy, where no other token could be drawn. */
  readonly temperedLogprob: number;
};

export function drawToken(logits: ArrayLike<number>, options: DrawOptions, random: Random): DrawnToken {
  const { temperature } = options;
  const best = indexOfLargest(logits);
  const largest = logits[best];
  const plainTotal = totalWeight(logits, largest, 1);
  if (!Number.isFinite(largest) || !Number.isFinite(plainTotal)) throw new RangeError("the logits are not finite");
  const logprobOf = (token: number) => logits[token] - largest - Math.log(plainTotal);
  // Every call takes one number, so that a token's draw does not depend on how the ones before it were made.
  const uniform = random.uniform();
  if (temperature === 0) return { token: best, logprob: logprobOf(best), temperedLogprob: 0 };

  const total = temperature === 1 ? plainTotal : totalWeight(logits, largest, temperature);
  const cut = options.topK !== undefined || (options.topP !== undefined && options.topP < 1);
  const token = cut
    ? drawAmong(largestTokens(logits, largest, total, options), uniform)
    : drawAll(logits, largest, temperature, uniform * total, best);
  return {
    token,
    logprob: logprobOf(token),
    temperedLogprob: (logits[token] - largest) / temperature - Math.log(total),
  };
}

function indexOfLargest(logits: ArrayLike<number>): number {
  let best = 0;
  for (let i = 1; i < logits.length; i++) if (logits[i] > logits[best]) best = i;
  return best;
}

function totalWeight(logits: ArrayLike<number>, largest: number, temperature: number): number {
  let total = 0;
  for (let i = 0; i < logits.length; i++) total += Math.exp((logits[i] - largest) / temperature);
  return total;
}

function drawAll(
  logits: ArrayLike<number>,
  largest: number,
  temperature: number,
  threshold: number,
  best: number,
): number {
  let passed = 0;
  for (let i = 0; i < logits.length; i++) {
    passed += Math.exp((logits[i] - largest) / temperature);
    if (passed > threshold) return i;
  }
  // Rounding can leave the threshold a hair above the sum.
  return best;
}

type Candidate = { readonly token: number; readonly weight: number };

function largestTokens(
  logits: ArrayLike<number>,
  largest: number,
  total: number,
  options: DrawOptions,
): readonly Candidate[] {
  const candidates: Candidate[] = [];
  for (let token = 0; token < logits.length; token++) {
    candidates.push({ token, weight: Math.exp((logits[token] - largest) / options.temperature) });
  }
  candidates.sort((a, b) => b.weight - a.weight || a.token - b.token);
  const kept = candidates.slice(0, options.topK ?? candidates.length);
  const { topP } = options;
  if (topP === undefined || topP >= 1) return kept;
  // Top-p counts shares of what top-k left.
  const base = options.topK === undefined ? total : kept.reduce((sum, { weight }) => sum + weight, 0);
  let share = 0;
  const end = kept.findIndex(({ weight }) => (share += weight / base) >= topP);
  return end === -1 ? kept : kept.slice(0, end + 1);
}

function drawAmong(candidates: readonly Candidate[], uniform: number): number {
  const total = candidates.reduce((sum, { weight }) => sum + weight, 0);
  let passed = 0;
  for (const { token, weight } of candidates) {
    passed += weight;
    if (passed > uniform * total) return token;
  }
  return candidates[0].token;
}
