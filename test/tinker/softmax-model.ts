// The arithmetic of the test server: the logits of the next token are a table row chosen by the last token. Gradients, Adam
// and reductions are real, so that a wrong sign, offset or scale in a client shows.
import { Random } from "../../src/base/random.ts";
import { drawToken, tokenDistribution } from "../../src/engine/draw-token.ts";
import type { Capabilities, OptimizerField } from "../../src/engine/tinker/capabilities.ts";
import type { ReceivedDatum, ReceivedPass } from "./wire-format.ts";

export type Weights = { logits: Float64Array; momentum: Float64Array; variance: Float64Array; steps: number };

/** Gradients belong to a place on the server, which models come and go in. */
export type Place = { gradient: Float64Array; sequences: number };

export type Adam = {
  learning_rate: number;
  beta1: number;
  beta2: number;
  eps: number;
  weight_decay: number;
  grad_clip_norm: number;
};

export function newWeights(logits: Float64Array): Weights {
  const zeros = () => new Float64Array(logits.length);
  return { logits: logits.slice(), momentum: zeros(), variance: zeros(), steps: 0 };
}

export const copied = ({ logits, momentum, variance, steps }: Weights): Weights => ({
  logits: logits.slice(),
  momentum: momentum.slice(),
  variance: variance.slice(),
  steps,
});

const rowOf = (logits: Float64Array, token: number) => {
  const size = Math.sqrt(logits.length);
  return logits.subarray(token * size, (token + 1) * size);
};

export function logprobsAfter(logits: Float64Array, token: number): Float64Array {
  const row = rowOf(logits, token);
  const largest = Math.max(...row);
  const total = Math.log(row.reduce((sum, value) => sum + Math.exp(value - largest), 0)) + largest;
  return row.map((value) => value - total);
}

export const scored = (logits: Float64Array, { tokens, inputs }: ReceivedDatum): number[] =>
  tokens.map((token, i) => logprobsAfter(logits, token)[inputs.target_tokens[i]]);

/** d loss / d logits. Losses: cross-entropy −Σ w·lp, importance sampling −Σ exp(lp − q)·A. */
export function addGradient(
  { weights: { logits }, place }: { readonly weights: Weights; readonly place: Place },
  { tokens, inputs }: ReceivedDatum,
  logprobs: readonly number[],
  { lossFunction }: ReceivedPass,
  reduction: Capabilities["reduction"],
): void {
  const { target_tokens: targets, weights, advantages, logprobs: sampled } = inputs;
  const slopes = tokens.map((_, i) =>
    lossFunction === "cross_entropy" ? -weights[i] : -Math.exp(logprobs[i] - sampled[i]) * advantages[i],
  );
  const mass = (weights ?? tokens.map(() => 1)).reduce((sum, weight) => sum + weight, 0);
  const scale = reduction === "token-sum" ? 1 : 1 / Math.max(mass, 1e-9);
  const size = Math.sqrt(logits.length);
  tokens.forEach((token, i) => {
    const shares = logprobsAfter(logits, token).map(Math.exp);
    for (let next = 0; next < size; next++)
      place.gradient[token * size + next] += scale * slopes[i] * ((next === targets[i] ? 1 : 0) - shares[next]);
  });
  place.sequences += 1;
}

/** One Adam step; the norm of its gradient. */
export function adamStep(
  { weights, place }: { readonly weights: Weights; readonly place: Place },
  given: Adam,
  behavior: Pick<Capabilities, "optimizerFields" | "reduction">,
): number {
  const honored = (field: OptimizerField) => behavior.optimizerFields.includes(field);
  const [beta1, beta2] = honored("betas") ? [given.beta1, given.beta2] : [0.9, 0.95];
  const eps = honored("epsilon") ? given.eps : 1e-12;
  const decay = honored("weightDecay") ? given.weight_decay : 0;
  const limit = honored("maxGradientNorm") ? given.grad_clip_norm : 0;
  const { gradient } = place;
  if (behavior.reduction === "sequence-normalized")
    gradient.forEach((slope, i) => {
      gradient[i] = slope / Math.max(place.sequences, 1);
    });
  const norm = Math.hypot(...gradient);
  const scale = limit > 0 && norm > limit ? limit / norm : 1;
  weights.steps += 1;
  gradient.forEach((slope, i) => {
    const g = slope * scale;
    weights.momentum[i] = beta1 * weights.momentum[i] + (1 - beta1) * g;
    weights.variance[i] = beta2 * weights.variance[i] + (1 - beta2) * g * g;
    const mean = weights.momentum[i] / (1 - beta1 ** weights.steps);
    const spread = Math.sqrt(weights.variance[i] / (1 - beta2 ** weights.steps));
    weights.logits[i] -= given.learning_rate * (mean / (spread + eps) + decay * weights.logits[i]);
  });
  gradient.fill(0);
  place.sequences = 0;
  return norm;
}

export type SampleParameters = { max_tokens: number; seed?: number; temperature?: number; stop?: number[] };

export function drawn(logits: Float64Array, prompt: readonly number[], parameters: SampleParameters) {
  const { max_tokens: most, seed = 0, temperature = 1, stop = [] } = parameters;
  const random = Random.from(seed);
  const [tokens, raw, tempered]: number[][] = [[], [], []];
  while (tokens.length < most && !stop.includes(tokens[tokens.length - 1])) {
    const last = tokens[tokens.length - 1] ?? prompt[prompt.length - 1];
    const one = drawToken(tokenDistribution(rowOf(logits, last), { temperature }), { temperature }, random);
    tokens.push(one.token);
    raw.push(one.logprob);
    tempered.push(one.temperedLogprob);
  }
  return { tokens, raw, tempered, stopped: stop.includes(tokens[tokens.length - 1]) };
}
