// GSPO, the token ratio with its clips, DAPO's additions, CISPO, and the covariance rules, on worked examples.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { cispoUpdates } from "../../src/training/cispo.ts";
import { clipCovTokens, klCovTokens, tokenCovariances } from "../../src/training/covariance.ts";
import { isMixed, overlongBounds, overlongPenalty } from "../../src/training/dapo.ts";
import { grpoUpdates } from "../../src/training/grpo.ts";
import { gspoTokenUpdates, gspoUpdate, sequenceRatio } from "../../src/training/gspo.ts";
import { objectiveSchema } from "../../src/training/objective.ts";
import { updateWeights } from "../../src/training/update.ts";
import { expectClose, times } from "./close.ts";
import { example } from "./example.ts";

describe("gspo", () => {
  const { current, sampled, advantages } = example;
  const ratios = [1.006688938, 0.9980019987, 0.9900498337];

  it.each([
    [
      "the recipe's window",
      { below: 2.5e-3, above: 5e-3 },
      [true, false, false],
      [0, -0.1663336664, 0.04125207641],
      -0.1673409727,
    ],
    ["GSPO's own window", { below: 3e-4, above: 4e-4 }, [true, true, false], [0, 0, 0.04125207641], -0.165241639],
    [
      "a window that nothing leaves",
      { below: 0.2, above: 0.2 },
      [false, false, false],
      [0.1118543265, -0.1663336664, 0.04125207641],
      -0.1679039522,
    ],
  ])("%s", (_, clip, clipped, weights, loss) => {
    const updates = current.map((lp, i) => gspoUpdate(lp, sampled[i], advantages[i], clip));
    expectClose(
      updates.map((update) => update.ratio),
      ratios,
      1e-9,
    );
    expect(updates.map((update) => update.clipped)).toEqual(clipped);
    expectClose(
      updates.map((update) => update.tokenWeight / 3),
      weights,
      1e-9,
    );
    expectClose([-updates.reduce((total, update) => total + update.objective, 0) / 3], [loss], 1e-9);
  });

  it("carries advantages of single tokens", () => {
    const tokenAdvantages = [
      [1, 0.5, 1.5],
      [-1, -0.25],
      [0.5, 0.5, 0.75, 0.5],
    ];
    const expected = [
      [0.1118543265, 0.05592716324, 0.1677814897],
      [-0.1663336664, -0.04158341661],
      [0.04125207641, 0.04125207641, 0.06187811461, 0.04125207641],
    ];
    current.forEach((lp, i) => {
      const ratio = sequenceRatio(lp, sampled[i]);
      const { weights } = gspoTokenUpdates(ratio, tokenAdvantages[i], { below: 2.5e-3, above: 1e-2 });
      expectClose(
        weights.map((weight) => weight / (3 * lp.length)),
        expected[i],
        1e-9,
      );
    });
  });

  it("stops by the sign of the advantage: only where a larger step would still pay", () => {
    const clip = { below: 0.1, above: 0.1 };
    expect(gspoUpdate([-0.5], [-1], 1, clip)).toMatchObject({ clipped: true, tokenWeight: 0 });
    expect(gspoUpdate([-0.5], [-1], -1, clip).clipped).toBe(false);
    expect(gspoUpdate([-1.5], [-1], -1, clip)).toMatchObject({ clipped: true, tokenWeight: 0 });
    expect(gspoUpdate([-1.5], [-1], 1, clip).clipped).toBe(false);
    expect(gspoUpdate([-1.5], [-1], 0, clip).clipped).toBe(false);
  });

  it("a ratio beyond e¹⁰ is held and pushes nothing", () => {
    const update = gspoUpdate([-1], [-500], -1, { below: 0.1, above: 0.1 });
    expect(update.ratio).toBeCloseTo(Math.exp(10), 6);
    expect(update.tokenWeight).toBe(0);
  });
});

describe("token ratio", () => {
  const ratios = [0.7, 1, 1.25, 1.3, 3.5];
  const current = ratios.map(Math.log);
  const sampled = times(5, 0);
  const weights = (advantage: number, clip: { below: number; above: number; dual?: number }) =>
    grpoUpdates(current, sampled, times(5, advantage), clip).weights;

  it.each([
    ["A = 1, symmetric", 1, { below: 0.2, above: 0.2 }, [0.7, 1, 0, 0, 0]],
    ["A = 1, clip higher", 1, { below: 0.2, above: 0.28 }, [0.7, 1, 1.25, 0, 0]],
    ["A = −1, symmetric", -1, { below: 0.2, above: 0.2 }, [0, -1, -1.25, -1.3, -3.5]],
    ["A = −1, clip higher", -1, { below: 0.2, above: 0.28 }, [0, -1, -1.25, -1.3, -3.5]],
    ["A = −1, dual clip", -1, { below: 0.2, above: 0.28, dual: 3 }, [0, -1, -1.25, -1.3, 0]],
  ])("%s", (_, advantage, clip, expected) => {
    expectClose(weights(advantage, clip), expected, 1e-12);
  });

  it("says which tokens it stopped and what the objective is", () => {
    const { clipped, terms } = grpoUpdates(current, sampled, times(5, -1), { below: 0.2, above: 0.28, dual: 3 });
    expect([...clipped]).toEqual([1, 0, 0, 0, 1]);
    expectClose(terms, [-0.8, -1, -1.25, -1.3, -3], 1e-12);
  });

  it("a log-ratio beyond ±20 is held and pushes nothing", () => {
    expectClose(grpoUpdates([0], [-30], [-1], { below: 0.2, above: 0.2 }).weights, [0]);
  });
});

describe("dapo", () => {
  it("penalizes the last stretch of length, to −1 and no further", () => {
    expectClose(
      [16384, 16385, 17408, 18432, 20480, 21504].map((tokens) => overlongPenalty(tokens, overlongBounds({}, 20_480))),
      [0, -0.000244140625, -0.25, -0.5, -1, -1],
      1e-12,
    );
  });
  it("follows the longest response that is sampled, unless told; and is refused where it could not act", () => {
    expect(overlongBounds({}, 512)).toEqual({ maxTokens: 512, buffer: 103 });
    expect(overlongBounds({ buffer: 12 }, 512)).toEqual({ maxTokens: 512, buffer: 12 });
    expect(overlongBounds({ maxTokens: 600 }, 512)).toEqual({ maxTokens: 600, buffer: 120 });
    expect(() => overlongBounds({ maxTokens: 20_480, buffer: 4096 }, 512)).toThrow(/would never act; lower maxTokens/);
  });
  it("keeps groups with right and wrong rollouts, and groups of one", () => {
    const groups = ["1111", "0000", "1000", "1101", "1"].map((verdicts) => [...verdicts].map((v) => v === "1"));
    expect(groups.map(isMixed)).toEqual([false, false, true, true, true]);
  });
});

describe("cispo", () => {
  const ratios = [0.05, 0.5, 1, 1.2, 6];
  it.each([
    ["up to 1.2", { lowest: 0, highest: 1.2 }, [0.01, 0.1, 0.2, 0.24, 0.24]],
    ["up to 5", { lowest: 0, highest: 5 }, [0.01, 0.1, 0.2, 0.24, 1]],
    ["up to 4", { lowest: 0, highest: 4 }, [0.01, 0.1, 0.2, 0.24, 0.8]],
  ])("%s, times the advantage of either sign", (_, bounds, expected) => {
    for (const advantage of [1, -1, 0.5, -3]) {
      const { weights } = cispoUpdates(ratios.map(Math.log), times(5, 0), times(5, advantage), bounds);
      expectClose(
        weights.map((weight) => weight / 5),
        expected.map((weight) => advantage * weight),
        1e-12,
      );
    }
  });
});

describe("covariance rules", () => {
  const advantages = [...times(3, 1.5), ...times(3, -1.5)];
  const current = [-0.1, -3, -0.2, -2.5, -0.05, -4];
  const sampled = [-0.15, -3, -0.2, -2.4, -0.05, -3.9];
  const covariances = tokenCovariances(advantages, current);
  const step = [
    { advantage: 1.5, current: current.slice(0, 3), sampled: sampled.slice(0, 3) },
    { advantage: -1.5, current: current.slice(3), sampled: sampled.slice(3) },
  ];
  const flat = (weights: readonly Float64Array[]) => weights.flatMap((row) => [...row]);
  const plain = [0.2628177741, 0.25, 0.25, -0.2262093545, -0.25, -0.2262093545];

  it("measures how advantage and log-prob rise together", () => {
    expectClose(covariances, [2.3125, -2.0375, 2.1625, 1.2875, -2.3875, 3.5375], 1e-12);
  });

  it("Clip-Cov draws at random among the unclipped tokens in its window", () => {
    const options = { share: 2e-4, lower: 1, upper: 5 };
    const drawn = new Set<number>();
    for (let seed = 0; seed < 100; seed++) {
      const tokens = clipCovTokens(covariances, times(6, 0), options, Random.from(seed));
      expect(tokens).toHaveLength(1);
      drawn.add(tokens[0]);
    }
    expect([...drawn].sort()).toEqual([0, 2, 3, 5]);
    expect(clipCovTokens(covariances, [1, 0, 1, 1, 0, 0], options, Random.from(1))).toEqual([5]);
  });

  it("Clip-Cov silences the drawn token and keeps the divisor", () => {
    const objective = objectiveSchema.parse({ algorithm: "clip-cov" });
    for (let seed = 0; seed < 20; seed++) {
      const weights = flat(updateWeights(objective, step, { random: Random.from(seed) }).weights);
      const silenced = weights.indexOf(0);
      expect([0, 2, 3, 5]).toContain(silenced);
      expectClose(
        weights,
        plain.map((weight, t) => (t === silenced ? 0 : weight)),
        1e-9,
      );
    }
  });

  it("KL-Cov holds the token of largest covariance to the sampling policy", () => {
    expect(klCovTokens(covariances, { share: 2e-3 })).toEqual([5]);
    expect(klCovTokens([3, 1, 3, 3], { share: 0.5 })).toEqual([0, 2]);
    const objective = objectiveSchema.parse({ algorithm: "kl-cov" });
    expectClose(flat(updateWeights(objective, step).weights), [...plain.slice(0, 5), -0.05954268784], 1e-9);
  });

  it("on-policy, KL-Cov does nothing", () => {
    const objective = objectiveSchema.parse({ algorithm: "kl-cov" });
    const onPolicy = step.map((sequence) => ({ ...sequence, sampled: sequence.current }));
    expectClose(flat(updateWeights(objective, onPolicy).weights), [...times(3, 0.25), ...times(3, -0.25)], 1e-12);
  });
});
