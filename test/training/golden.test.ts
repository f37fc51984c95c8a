// Against TRL and PyTorch: `golden/objectives.py` makes the numbers and names the calls they come from.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { groupSignal } from "../../src/training/group-signal.ts";
import { type ObjectiveInput, objectiveSchema } from "../../src/training/objective.ts";
import { updateWeights } from "../../src/training/update.ts";
import { expectClose } from "./close.ts";

type Golden = {
  batch: Record<"sampled" | "current" | "reference" | "entropies", number[][]> & { advantages: number[] };
  losses: Record<string, { loss: number; weights: number[][]; entropyWeights?: number[][] }>;
  novelty: {
    k: number;
    divisor: "sample" | "population";
    rewards: number[];
    correct: boolean[];
    scores: number[];
    z: number[];
    advantages: number[];
  }[];
};
const golden: Golden = JSON.parse(readFileSync(new URL("golden/objectives.json", import.meta.url), "utf8"));
const { batch } = golden;
const step = batch.advantages.map((advantage, i) => ({
  advantage,
  current: batch.current[i],
  sampled: batch.sampled[i],
  reference: batch.reference[i],
  entropies: batch.entropies[i],
}));

const noKl = { coefficient: 0 };
const recipe = { below: 2.5e-3, above: 5e-3 };
const clip = { below: 0.2, above: 0.2 };
const entropy = { kind: "fixed", coefficient: 0.01 } as const;
const ours: Record<string, ObjectiveInput> = {
  gspo: { algorithm: "gspo", clip: recipe, kl: noKl },
  "gspo, wide": { algorithm: "gspo", clip: { below: 0.05, above: 0.05 }, kl: noKl },
  "gspo with KL": { algorithm: "gspo", clip: recipe, kl: { coefficient: 0.1, clamp: "none" } },
  grpo: { algorithm: "grpo", clip, kl: noKl },
  "grpo with KL": { algorithm: "grpo", clip, kl: { coefficient: 0.05, clamp: "none" } },
  "grpo, dual clip": { algorithm: "grpo", clip: { below: 0.2, above: 0.05, dual: 1.1 }, kl: noKl },
  "dr. grpo": { algorithm: "grpo", clip, kl: noKl, aggregation: { by: "constant-length", tokens: 20 } },
  dapo: { algorithm: "dapo", clip: { below: 0.2, above: 0.28 } },
  "dapo with entropy bonus": { algorithm: "dapo", clip: { below: 0.2, above: 0.28 }, entropy },
  "gspo with entropy bonus": { algorithm: "gspo", clip: recipe, kl: noKl, entropy },
  cispo: { algorithm: "cispo", bounds: { lowest: 0, highest: 1.1 } },
};

describe("losses of TRL", () => {
  it("every golden loss is compared", () => expect(Object.keys(ours)).toEqual(Object.keys(golden.losses)));

  it.each(Object.entries(ours))("%s", (name, input) => {
    const expected = golden.losses[name];
    const update = updateWeights(objectiveSchema.parse(input), step);
    expected.weights.forEach((weights, i) => {
      expectClose(update.weights[i], weights, 1e-13);
    });
    expectClose([update.report.loss], [expected.loss], 1e-13);
    expected.entropyWeights?.forEach((weights, i) => {
      expectClose(update.entropyWeights![i], weights, 1e-13);
    });
    expect(update.entropyWeights === undefined).toBe(expected.entropyWeights === undefined);
  });
});

describe("novelty by torch.topk", () => {
  it.each(golden.novelty)("k = $k, $divisor", ({ k, divisor, rewards, correct, scores, z, advantages }) => {
    const objective = objectiveSchema.parse({
      algorithm: "gspo",
      advantage: { estimator: "group", bonus: { kind: "novelty", top: { tokens: k }, divisor } },
    });
    const signal = groupSignal(
      objective,
      rewards.map((reward, i) => ({
        reward,
        correct: correct[i],
        sampled: batch.sampled[i],
        novelty: batch.reference[i],
      })),
    );
    expectClose(signal.novelty!.scores, scores, 1e-13);
    expectClose(signal.novelty!.z, z, 1e-12);
    expectClose(signal.advantages, advantages, 1e-12);
  });
});
