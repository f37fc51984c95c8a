// Every weight is minus the derivative of the loss: checked by central differences through a small softmax model whose
// parameters several tokens share.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { type ObjectiveInput, objectiveSchema } from "../../src/training/objective.ts";
import { type UpdateSequence, updateWeights } from "../../src/training/update.ts";

const unclamped = { coefficient: 0.1, clamp: "none" } as const;
/** Objectives whose loss is a true function of the current log-probs, without terms that stop the gradient. */
const objectives: Record<string, ObjectiveInput> = {
  "gspo with KL": { algorithm: "gspo", kl: unclamped },
  "gspo, wide window": { algorithm: "gspo", clip: { below: 0.3, above: 0.3 }, kl: { coefficient: 0 } },
  "gspo, clamped KL": { algorithm: "gspo", kl: { coefficient: 0.1 } },
  grpo: { algorithm: "grpo", kl: unclamped },
  "grpo, dual clip": { algorithm: "grpo", clip: { below: 0.2, above: 0.2, dual: 1.4 }, kl: unclamped },
  "dr. grpo": { algorithm: "grpo", aggregation: { by: "constant-length", tokens: 30 }, kl: unclamped },
  "grpo, sums": { algorithm: "grpo", aggregation: { by: "sequence-sum" }, kl: unclamped },
  dapo: { algorithm: "dapo" },
};

/** Away from the places where the loss has a corner, by more than the difference step. */
function isSmooth(step: readonly UpdateSequence[]): boolean {
  const corners = [0.7, 0.8, 0.9975, 1.005, 1.2, 1.28, 1.3, 1.4, 10];
  const away = (ratio: number) => corners.every((corner) => Math.abs(ratio - corner) > 1e-4);
  return step.every(({ current, sampled, reference }) => {
    const drifts = Array.from(current, (lp, t) => lp - sampled[t]);
    const distances = Array.from(current, (lp, t) => reference![t] - lp);
    return (
      away(Math.exp(drifts.reduce((a, b) => a + b, 0) / drifts.length)) &&
      drifts.every((drift) => away(Math.exp(drift))) &&
      distances.every((x) => Math.abs(Math.expm1(x) - x - 10) > 1e-2)
    );
  });
}

const vocabulary = 4;
type Parameters = readonly (readonly number[])[];

function distribution(logits: readonly number[]): number[] {
  const powers = logits.map(Math.exp);
  const total = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / total);
}

/** A table of logits by previous token: the smallest model in which tokens and sequences share parameters. */
function score(parameters: Parameters, tokens: readonly number[]) {
  const rows = tokens.map((token, t) => ({ previous: t === 0 ? 0 : tokens[t - 1], token }));
  const logprobs = rows.map(({ previous, token }) => Math.log(distribution(parameters[previous])[token]));
  const entropies = rows.map(({ previous }) =>
    distribution(parameters[previous]).reduce((total, p) => total - p * Math.log(p), 0),
  );
  return { rows, logprobs, entropies };
}

const randomParameters = (random: Random, scale: number): Parameters =>
  Array.from({ length: vocabulary }, () => Array.from({ length: vocabulary }, () => scale * random.normal()));

const modelObjectives: Record<string, ObjectiveInput> = {
  ...objectives,
  "gspo with entropy bonus": { algorithm: "gspo", kl: unclamped, entropy: { kind: "fixed", coefficient: 0.05 } },
  "dapo with entropy bonus": { algorithm: "dapo", entropy: { kind: "fixed", coefficient: 0.05 } },
};

describe("the gradient of the whole objective through a softmax model", () => {
  it.each(Object.entries(modelObjectives))("%s", (_, input) => {
    const objective = objectiveSchema.parse(input);
    let compared = 0;
    for (let trial = 0; trial < 25; trial++) {
      const random = Random.from(`softmax ${trial}`);
      const old = randomParameters(random.child("old"), 1);
      const reference = randomParameters(random.child("reference"), 1);
      const parameters = old.map((row) => row.map((logit) => logit + 0.15 * random.normal()));
      const texts = Array.from({ length: 5 }, () =>
        Array.from({ length: 1 + random.below(6) }, () => random.below(vocabulary)),
      );
      const advantages = texts.map(() => random.normal());
      const stepAt = (at: Parameters): UpdateSequence[] =>
        texts.map((tokens, i) => {
          const { logprobs: current, entropies } = score(at, tokens);
          const advantage = advantages[i];
          return {
            advantage,
            current,
            entropies,
            sampled: score(old, tokens).logprobs,
            reference: score(reference, tokens).logprobs,
          };
        });
      if (!isSmooth(stepAt(parameters))) continue;
      const { weights, entropyWeights } = updateWeights(objective, stepAt(parameters));

      // What an engine does with the weights: Σ w ∇ logprob + Σ u ∇ entropy, by hand for a softmax.
      const ascent = parameters.map((row) => row.map(() => 0));
      texts.forEach((tokens, i) => {
        const { rows, entropies } = score(parameters, tokens);
        rows.forEach(({ previous, token }, t) => {
          const p = distribution(parameters[previous]);
          for (let j = 0; j < vocabulary; j++) {
            ascent[previous][j] += weights[i][t] * ((j === token ? 1 : 0) - p[j]);
            ascent[previous][j] -= (entropyWeights?.[i][t] ?? 0) * p[j] * (Math.log(p[j]) + entropies[t]);
          }
        });
      });
      for (let row = 0; row < vocabulary; row++) {
        for (let j = 0; j < vocabulary; j++) {
          const lossAt = (h: number) =>
            updateWeights(
              objective,
              stepAt(
                parameters.map((logits, r) => logits.map((logit, c) => (r === row && c === j ? logit + h : logit))),
              ),
            ).report.loss;
          const numeric = -(lossAt(1e-5) - lossAt(-1e-5)) / 2e-5;
          expect(Math.abs(ascent[row][j] - numeric)).toBeLessThan(1e-7);
          compared += 1;
        }
      }
    }
    expect(compared).toBeGreaterThan(100);
  });
});
