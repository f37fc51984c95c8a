// From advantages and log-probs to the weights that `Engine.accumulate` takes: w = −d loss / d logprob for every token
// of one optimizer step, with everything that a log wants to know about the step.
//
//   loss = Σ_it a_it · ( −J_it + β·kl_it ) − c · mean_it H_it
import type { Random } from "../base/random.ts";
import { type Aggregation, tokenShares } from "./aggregation.ts";
import { cispoUpdates } from "./cispo.ts";
import { clipCovTokens, klCovTokens, tokenCovariances } from "./covariance.ts";
import { entropyAdvantages } from "./entropy-advantage.ts";
import type { ScoredRollout } from "./group-signal.ts";
import { grpoUpdates, tokenRatio } from "./grpo.ts";
import { gspoTokenUpdates, gspoUpdate, type Logprobs, noUpdates, sequenceRatio, type TokenUpdates } from "./gspo.ts";
import { klTerm } from "./kl.ts";
import type { Objective } from "./objective.ts";

/** One response in an optimizer step; the reference is needed when the KL coefficient is not 0, entropies by objectives with one. */
export type UpdateSequence = Pick<ScoredRollout, "sampled" | "reference" | "entropies"> & {
  readonly advantage: number;
  /** Under the weights that the step will change; `entropies` are of this policy, too. */
  readonly current: Logprobs;
};

export type UpdateReport = {
  readonly loss: number;
  readonly policyLoss: number;
  readonly klLoss: number;
  /** Of sequences for GSPO, of tokens for the others. */
  readonly ratio: { readonly mean: number; readonly smallest: number; readonly largest: number };
  /** Share of tokens whose update the clip stopped. */
  readonly clipFraction: number;
  /** Mean k3 of a token after clamping, and the share of tokens that the clamp silences. */
  readonly kl?: number;
  readonly klClampedShare?: number;
  /** Mean of a token, where full distributions were asked for: what other weights drew tells nothing of it. */
  readonly entropy?: number;
  readonly tokens: number;
};

export type Update = {
  readonly weights: readonly Float64Array[];
  /** Weights on the gradient of the entropy, where the objective has such a term. */
  readonly entropyWeights?: readonly Float64Array[];
  readonly report: UpdateReport;
};

export type UpdateOptions = {
  /** The entropy coefficient of this step; see `appliedCoefficient`. */
  readonly entropyCoefficient?: number;
  /** Clip-Cov draws its tokens from here. */
  readonly random?: Random;
};

/** `step` is the whole optimizer step: averages are over all of it. */
export function updateWeights(
  objective: Objective,
  step: readonly UpdateSequence[],
  options: UpdateOptions = {},
): Update {
  const { entropyCoefficient = 0 } = options;
  const { kl, entropy } = objective;
  const shares = tokenShares(
    step.map((sequence) => sequence.sampled.length),
    aggregationOf(objective),
  );
  const viaSample = entropy.kind !== "none" && entropy.through === "sampled-token" ? entropyCoefficient : 0;
  const shaped = step.map((sequence) => tokenAdvantages(objective, sequence, viaSample));
  const updates = step.map((sequence, i) => ruleUpdates(objective, sequence, shaped[i]));
  holdBackCovariantTokens(objective, step, shaped, updates, options.random);

  let policyLoss = 0;
  let klLoss = 0;
  let klTotal = 0;
  let klClamped = 0;
  let clipped = 0;
  let tokens = 0;
  let entropyTotal = 0;
  const ratio = { total: 0, count: 0, smallest: Number.POSITIVE_INFINITY, largest: 0 };
  const see = (value: number) => {
    ratio.total += value;
    ratio.count += 1;
    ratio.smallest = Math.min(ratio.smallest, value);
    ratio.largest = Math.max(ratio.largest, value);
  };
  const weights = step.map(({ current, sampled, reference, entropies }, i) => {
    const { weights: own, terms, clipped: stopped } = updates[i];
    const length = sampled.length;
    if (objective.algorithm === "gspo" && length > 0) see(sequenceRatio(current, sampled).ratio);
    if (kl.coefficient > 0 && reference === undefined)
      throw new Error("the KL term needs log-probs under the reference");
    const result = new Float64Array(length);
    for (let t = 0; t < length; t++) {
      let weight = own[t];
      policyLoss -= shares[i] * terms[t];
      if (reference !== undefined) {
        const term = klTerm(current[t], sampled[t], reference[t], kl);
        weight -= kl.coefficient * term.derivative;
        klLoss += shares[i] * kl.coefficient * term.value;
        klTotal += term.value;
        if (term.clamped) klClamped += 1;
      }
      result[t] = shares[i] * weight;
      clipped += stopped[t];
      entropyTotal += entropies?.[t] ?? Number.NaN;
      if (objective.algorithm !== "gspo") see(tokenRatio(current[t], sampled[t]).ratio);
    }
    tokens += length;
    return result;
  });
  const known = step.every((sequence) => sequence.entropies !== undefined);
  const viaGradient = entropy.kind !== "none" && entropy.through === "distribution" ? entropyCoefficient : 0;
  const referenced = step.some((sequence) => sequence.reference !== undefined);
  return {
    weights,
    ...(viaGradient > 0 && {
      // The mean entropy of a token, however the policy's own terms are averaged (as in TRL).
      entropyWeights: step.map(({ sampled }) => new Float64Array(sampled.length).fill(viaGradient / tokens)),
    }),
    report: {
      loss: policyLoss + klLoss - (viaGradient === 0 ? 0 : (viaGradient * entropyTotal) / tokens),
      policyLoss,
      klLoss,
      ratio: { mean: ratio.total / ratio.count, smallest: ratio.smallest, largest: ratio.largest },
      clipFraction: clipped / tokens,
      ...(referenced && { kl: klTotal / tokens, klClampedShare: klClamped / tokens }),
      ...(known && { entropy: entropyTotal / tokens }),
      tokens,
    },
  };
}

function aggregationOf(objective: Objective): Aggregation {
  switch (objective.algorithm) {
    case "gspo":
      return { by: "sequence-mean" };
    case "grpo":
    case "cispo":
      return objective.aggregation;
    case "dapo":
    case "clip-cov":
    case "kl-cov":
      return { by: "token-mean" };
  }
}

/** One number where all tokens share it, so that GSPO stays a rule of sequences. */
function tokenAdvantages(objective: Objective, sequence: UpdateSequence, viaSample: number): number | Float64Array {
  const { advantage, current, entropies } = sequence;
  const { exploration } = objective;
  let shaped: number | Float64Array = advantage;
  if (exploration.kind === "entropy-advantage") {
    const surprisal = exploration.entropy === "sampled-token" ? Float64Array.from(current, (lp) => -lp) : entropies;
    if (surprisal === undefined) throw new Error("the entropy-shaped advantage needs the policy's entropies");
    shaped = entropyAdvantages(advantage, surprisal, exploration);
  }
  if (viaSample === 0) return shaped;
  return Float64Array.from(current, (lp, t) => (typeof shaped === "number" ? shaped : shaped[t]) - viaSample * lp);
}

function ruleUpdates(objective: Objective, sequence: UpdateSequence, advantage: number | Float64Array): TokenUpdates {
  const { current, sampled } = sequence;
  if (sampled.length === 0) return noUpdates(0);
  if (objective.algorithm === "gspo") {
    if (typeof advantage !== "number") {
      return gspoTokenUpdates(sequenceRatio(current, sampled), advantage, objective.clip);
    }
    const update = gspoUpdate(current, sampled, advantage, objective.clip);
    return {
      weights: new Float64Array(sampled.length).fill(update.tokenWeight * sampled.length),
      terms: new Float64Array(sampled.length).fill(update.objective),
      clipped: new Uint8Array(sampled.length).fill(update.clipped ? 1 : 0),
    };
  }
  const advantages = typeof advantage === "number" ? new Float64Array(sampled.length).fill(advantage) : advantage;
  switch (objective.algorithm) {
    case "grpo":
    case "dapo":
    case "clip-cov":
      return grpoUpdates(current, sampled, advantages, objective.clip);
    case "kl-cov":
      return grpoUpdates(current, sampled, advantages, unclipped);
    case "cispo":
      return cispoUpdates(current, sampled, advantages, objective.bounds);
  }
}

const unclipped = { below: Number.POSITIVE_INFINITY, above: Number.POSITIVE_INFINITY };

/** Clip-Cov and KL-Cov choose among all tokens of the step, so they come after every sequence has its updates. */
function holdBackCovariantTokens(
  objective: Objective,
  step: readonly UpdateSequence[],
  shaped: readonly (number | Float64Array)[],
  updates: readonly TokenUpdates[],
  random: Random | undefined,
): void {
  if (objective.algorithm !== "clip-cov" && objective.algorithm !== "kl-cov") return;
  const starts = [0];
  for (const { weights } of updates) starts.push(starts[starts.length - 1] + weights.length);
  const tokens = starts[starts.length - 1];
  if (tokens === 0) return;
  const advantages = new Float64Array(tokens);
  const logprobs = new Float64Array(tokens);
  step.forEach(({ current }, i) => {
    const advantage = shaped[i];
    if (typeof advantage === "number") advantages.fill(advantage, starts[i], starts[i + 1]);
    else advantages.set(advantage, starts[i]);
    logprobs.set(Float64Array.from(current), starts[i]);
  });
  const covariances = tokenCovariances(advantages, logprobs);
  const place = (token: number) => {
    const i = starts.findLastIndex((start) => start <= token);
    return { sequence: step[i], update: updates[i], t: token - starts[i] };
  };

  if (objective.algorithm === "clip-cov") {
    if (random === undefined) throw new Error("Clip-Cov draws tokens at random and needs a generator");
    const stopped = new Uint8Array(tokens);
    updates.forEach(({ clipped }, i) => {
      stopped.set(clipped, starts[i]);
    });
    for (const token of clipCovTokens(covariances, stopped, objective, random)) {
      const { update, t } = place(token);
      update.weights[t] = 0;
      update.terms[t] = 0;
      update.clipped[t] = 1;
    }
    return;
  }
  for (const token of klCovTokens(covariances, objective)) {
    const { sequence, update, t } = place(token);
    const drift = sequence.current[t] - sequence.sampled[t];
    update.weights[t] -= objective.coefficient * Math.sign(drift);
    update.terms[t] -= objective.coefficient * Math.abs(drift);
  }
}
