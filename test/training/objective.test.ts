// The objective as a record: the paper's defaults, what cannot be written, what a loop must measure, and the order in
// which its parts act.
import { describe, expect, it } from "vitest";
import { groupSignal } from "../../src/training/group-signal.ts";
import { type ObjectiveInput, objectiveNeeds, objectiveSchema } from "../../src/training/objective.ts";
import { updateWeights } from "../../src/training/update.ts";
import { expectClose } from "./close.ts";

const parse = (input: ObjectiveInput) => objectiveSchema.parse(input);

describe("objective record", () => {
  it("defaults to the paper's GSPO", () => {
    expect(parse({ algorithm: "gspo" })).toEqual({
      algorithm: "gspo",
      clip: { below: 2.5e-3, above: 5e-3 },
      advantage: {
        estimator: "group",
        baseline: "mean",
        normalization: { by: "deviation", divisor: "sample", epsilon: 1e-6, floor: 0 },
        single: "reward",
        bonus: { kind: "none" },
        overlong: { kind: "none" },
      },
      exploration: { kind: "none" },
      kl: { coefficient: 1e-3, clamp: "verl" },
      entropy: { kind: "none" },
      dynamicSampling: { kind: "none" },
    });
  });

  it("the paper's novelty bonus is one word", () => {
    const { advantage } = parse({ algorithm: "gspo", advantage: { estimator: "group", bonus: { kind: "novelty" } } });
    expect(advantage).toMatchObject({
      bonus: { weight: 0.1, top: { tokens: 100 }, clip: 2, divisor: "sample", place: "before-normalization" },
    });
  });

  it("DAPO clips higher, samples dynamically and has no KL", () => {
    expect(parse({ algorithm: "dapo" })).toMatchObject({
      clip: { below: 0.2, above: 0.28 },
      kl: { coefficient: 0 },
      dynamicSampling: { kind: "mixed", by: "verdict", generationBatches: 10 },
    });
  });

  it.each([
    ["an unknown key", { algorithm: "gspo", clipp: {} }],
    ["an unknown algorithm", { algorithm: "ppo" }],
    ["an aggregation for GSPO, which has its own", { algorithm: "gspo", aggregation: { by: "token-mean" } }],
    ["an advantage without the group", { algorithm: "gspo", advantage: { estimator: "pass-at-k", k: 4 } }],
    ["a window for CISPO, which has bounds", { algorithm: "cispo", clip: { below: 1, above: 1 } }],
    [
      "an entropy advantage that could flip signs",
      { algorithm: "gspo", exploration: { kind: "entropy-advantage", limit: 1 } },
    ],
    ["a negative coefficient", { algorithm: "gspo", kl: { coefficient: -1 } }],
  ])("refuses %s", (_, input) => {
    expect(objectiveSchema.safeParse(input).success).toBe(false);
  });

  it("says what must be measured", () => {
    expect(objectiveNeeds(parse({ algorithm: "dapo" }))).toEqual({
      reference: false,
      entropies: false,
    });
    expect(
      objectiveNeeds(
        parse({
          algorithm: "dapo",
          advantage: { estimator: "group", bonus: { kind: "novelty", scoringTemperature: 0.8 } },
          exploration: { kind: "entropy-advantage" },
          entropy: { kind: "fixed", coefficient: 0.01 },
        }),
      ),
    ).toEqual({ reference: true, noveltyTemperature: 0.8, entropies: true });
  });
});

describe("signals of a group", () => {
  const rollout = (correct: boolean, tokens = 2) => ({
    reward: correct ? 1 : 0,
    correct,
    sampled: new Array<number>(tokens).fill(-1),
  });

  it("the overlong penalty is part of the reward", () => {
    const objective = parse({
      algorithm: "dapo",
      advantage: {
        estimator: "group",
        normalization: { by: "none" },
        overlong: { kind: "penalty", maxTokens: 10, buffer: 4 },
      },
    });
    const signal = groupSignal(objective, [rollout(true, 6), rollout(true, 8)]);
    expectClose(signal.rewards, [1, 0.5], 1e-12);
    expectClose(signal.advantages, [0.25, -0.25], 1e-12);
  });

  it("unless it says, it counts from the longest response that is sampled", () => {
    const objective = parse({
      algorithm: "dapo",
      advantage: { estimator: "group", normalization: { by: "none" }, overlong: { kind: "penalty" } },
    });
    const four = [400, 440, 480, 512].map((tokens) => rollout(false, tokens));
    // A fifth of 512 is 103 tokens: nothing up to 409.
    expectClose(groupSignal(objective, four, 512).bonuses, [0, -31 / 103, -71 / 103, -1], 1e-12);
  });

  it("dynamic sampling by verdict drops what by reward it keeps", () => {
    const group = [
      { ...rollout(true), reward: 1 },
      { ...rollout(true), reward: 1.1 },
    ];
    const kept = (by: "verdict" | "reward") =>
      groupSignal(parse({ algorithm: "dapo", dynamicSampling: { kind: "mixed", by } }), group).kept;
    expect([kept("verdict"), kept("reward")]).toEqual([false, true]);
    expect(groupSignal(parse({ algorithm: "gspo" }), group).kept).toBe(true);
  });
});

describe("updates", () => {
  it("a response without tokens neither counts nor breaks", () => {
    const empty = { advantage: 1, current: [], sampled: [], reference: [] };
    const one = { advantage: 1, current: [-1, -2], sampled: [-1, -2], reference: [-1, -2] };
    for (const algorithm of ["gspo", "grpo", "dapo", "cispo"] as const) {
      const { weights, report } = updateWeights(parse({ algorithm }), [empty, one]);
      expect(weights[0]).toHaveLength(0);
      expectClose(weights[1], [0.5, 0.5], 1e-12);
      expect(report.tokens).toBe(2);
    }
  });

  it("on-policy every rule is the plain policy gradient, nothing clipped", () => {
    const step = [1, -2].map((advantage) => ({
      advantage,
      current: [-1, -0.3],
      sampled: [-1, -0.3],
      reference: [-1, -0.3],
    }));
    for (const algorithm of ["gspo", "grpo", "dapo", "cispo"] as const) {
      const { weights, report } = updateWeights(parse({ algorithm }), step);
      weights.forEach((row, i) => {
        expectClose(row, [step[i].advantage / 4, step[i].advantage / 4], 1e-12);
      });
      expect(report).toMatchObject({
        clipFraction: 0,
        ratio: { mean: 1, smallest: 1, largest: 1 },
        kl: 0,
        klClampedShare: 0,
      });
    }
  });

  it("reports how much of the KL its clamp silences", () => {
    const step = [{ advantage: 0, current: [-4, -1], sampled: [-4, -1], reference: [-1, -1.5] }];
    const { report } = updateWeights(parse({ algorithm: "gspo" }), step);
    expect(report.klClampedShare).toBe(0.5);
    expectClose([report.kl!], [(10 + 0.1065306597) / 2], 1e-9);
  });

  it("says which log-probs are missing", () => {
    const step = [{ advantage: 1, current: [-1], sampled: [-1] }];
    expect(() => updateWeights(parse({ algorithm: "gspo" }), step)).toThrow("needs log-probs under the reference");
    const shaped = parse({ algorithm: "dapo", exploration: { kind: "entropy-advantage" } });
    expect(() => updateWeights(shaped, step)).toThrow("needs the policy's entropies");
  });
});
