// From advantages and log-probs to the weights that `Engine.accumulate` takes: w = −d loss / d logprob for every token
// of one optimizer step, with everything that a log wants to know about the step.
//
//   loss = Σ_it a_it · ( −J_it + β·kl_it ) − c · mean_it H_it
import { type Aggregation, tokenShares } from "./aggregation.ts";
import { cispoUpdates } from "./cispo.ts";
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

/** `step` is the whole optimizer step: averages are over all of it. */
export function updateWeights(objective: Objective, step: readonly UpdateSequence[]): Update {
  const { kl, entropy } = objective;
  const shares = tokenShares(
    step.map((sequence) => sequence.sampled.length),
    aggregationOf(objective),
  );
  const through = (way: "distribution" | "sampled-token") =>
    entropy.kind !== "none" && entropy.through === way ? entropy.coefficient : 0;
  const viaSample = through("sampled-token");
  const updates = step.map((sequence) =>
    ruleUpdates(objective, sequence, tokenAdvantages(objective, sequence, viaSample)),
  );

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
        const term = klTerm(current[t], reference[t], kl.clamp);
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
  const viaGradient = through("distribution");
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
      return grpoUpdates(current, sampled, advantages, objective.clip);
    case "cispo":
      return cispoUpdates(current, sampled, advantages, objective.bounds);
  }
}
