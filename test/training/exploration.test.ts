// The alternatives to novelty: entropy in the loss and in the advantage.
import { describe, expect, it } from "vitest";
import { entropyAdvantages } from "../../src/training/entropy-advantage.ts";
import { objectiveSchema } from "../../src/training/objective.ts";
import { updateWeights } from "../../src/training/update.ts";
import { expectClose } from "./close.ts";

describe("entropy bonus", () => {
  it("through the sampled token adds −c·logprob to the advantage", () => {
    const objective = objectiveSchema.parse({
      algorithm: "grpo",
      kl: { coefficient: 0 },
      entropy: { kind: "fixed", coefficient: 0.1, through: "sampled-token" },
    });
    const logprobs = [-0.5, -2];
    const { weights, entropyWeights } = updateWeights(objective, [
      { advantage: 1, current: logprobs, sampled: logprobs },
    ]);
    expectClose(weights[0], [(1 + 0.05) / 2, (1 + 0.2) / 2], 1e-12);
    expect(entropyWeights).toBeUndefined();
  });
});

describe("entropy-shaped advantage", () => {
  it.each([
    [1, 2, 1.5],
    [-1, 2, -0.5],
    [1, 0.5, 1.2],
    [-1, 0.5, -0.8],
    [0, 2, 0],
  ])("A %d, H %d → %d", (advantage, entropy, shaped) => {
    expectClose(entropyAdvantages(advantage, [entropy], { weight: 0.4, limit: 2 }), [shaped], 1e-12);
  });

  it("travels on GSPO's token form", () => {
    const objective = objectiveSchema.parse({
      algorithm: "gspo",
      kl: { coefficient: 0 },
      exploration: { kind: "entropy-advantage" },
    });
    const logprobs = [-1, -1];
    const { weights } = updateWeights(objective, [
      { advantage: -1, current: logprobs, sampled: logprobs, entropies: [2, 0.5] },
    ]);
    expectClose(weights[0], [-0.25, -0.4], 1e-12);
  });
});
