// What the golden values of TRL do not show: where GSPO and the token ratio stop, DAPO's additions, the covariance rules.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { clipCovTokens, klCovTokens, tokenCovariances } from "../../src/training/covariance.ts";
import { isMixed, overlongBounds, overlongPenalty } from "../../src/training/dapo.ts";
import { grpoUpdates } from "../../src/training/grpo.ts";
import { gspoUpdate } from "../../src/training/gspo.ts";
import { objectiveSchema } from "../../src/training/objective.ts";
import { updateWeights } from "../../src/training/update.ts";
import { expectClose, times } from "./close.ts";

describe("gspo", () => {
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
