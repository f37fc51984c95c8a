// The novelty bonus on hand-worked groups, its limits, and the signal table.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agreementRewards } from "../../src/training/agreement.ts";
import { groupSignal } from "../../src/training/group-signal.ts";
import { motifRarities, noveltyBonuses, noveltyScore } from "../../src/training/novelty.ts";
import { type ObjectiveInput, objectiveNeeds, objectiveSchema } from "../../src/training/objective.ts";
import { rolloutSignals, signalSpread } from "../../src/training/signal-spread.ts";
import { expectClose, times } from "./close.ts";

const surprisals = [
  [3, 1, 0, 0],
  [2, 2, 1, 0],
  [5, 4, 0, 1],
  [9, 9, 9, 9],
];
const right = [true, true, true, false];
const top = { tokens: 2 };
const group = surprisals.map((nll, i) => {
  const logprobs = nll.map((value) => -value);
  return { reward: right[i] ? 1 : 0, correct: right[i], sampled: logprobs, novelty: logprobs };
});
const objective = (bonus: object, advantage: object = {}) =>
  objectiveSchema.parse({
    algorithm: "gspo",
    advantage: { estimator: "group", bonus: { kind: "novelty", top, ...bonus }, ...advantage },
  } as ObjectiveInput);

describe("novelty bonus", () => {
  it("scores the mean of the most surprising tokens", () => {
    expectClose(
      group.map((rollout) => noveltyScore(rollout.novelty, top)),
      [2, 2, 4.5, 9],
      1e-12,
    );
  });

  it("divides by k even where the response is shorter", () => {
    expect(noveltyScore([-3, -1], { tokens: 8 })).toBe(0.5);
  });

  it("takes k as a share of the response when asked, at least one token", () => {
    expect(noveltyScore([-3, -1, -2, -4], { share: 0.5 })).toBe(3.5);
    expect(noveltyScore([-3, -1], { share: 0.1 })).toBe(3);
  });

  it.each([
    [
      "sample",
      [-0.5773502692, -0.5773502692, 1.154700538, 0],
      [0.3795024457, 0.3795024457, 0.7213835002, -1.480388392],
    ],
    [
      "population",
      [-Math.SQRT1_2, -Math.SQRT1_2, Math.SQRT2, 0],
      [0.3516145992, 0.3516145992, 0.7676389305, -1.470868129],
    ],
  ])("compares correct rollouts only (%s divisor)", (divisor, z, advantages) => {
    const signal = groupSignal(objective({ divisor }), group);
    expectClose(signal.novelty!.z, z, 1e-9);
    expectClose(
      signal.bonuses,
      z.map((value) => 0.1 * value),
      1e-9,
    );
    expectClose(
      signal.rewards,
      z.map((value, i) => group[i].reward + 0.1 * value),
      1e-9,
    );
    expectClose(signal.advantages, advantages, 1e-9);
    expect(signal.bonusScaleCancels).toBe(false);
  });

  it("in an all-correct group the weight of the bonus cancels, and the signal says so", () => {
    const allRight = group.slice(0, 3);
    const signals = [0.03, 0.1, 0.3].map((weight) => groupSignal(objective({ weight }), allRight));
    expectClose(signals[1].advantages, [-0.5773444957, -0.5773444957, 1.154688991], 1e-9);
    for (const signal of signals) {
      expectClose(signal.advantages, signals[1].advantages, 1e-4);
      expect(signal.bonusScaleCancels).toBe(true);
    }
  });

  it.each([
    ["after normalization", { place: "after-normalization" }, {}],
    ["without dividing by the deviation", {}, { normalization: { by: "none" } }],
    ["with a floor under the deviation", {}, { normalization: { by: "deviation", floor: 1, epsilon: 0 } }],
  ])("%s the bonus keeps its scale in an all-correct group", (_, bonus, advantage) => {
    const signal = groupSignal(objective(bonus, advantage), group.slice(0, 3));
    expectClose(signal.advantages, [-0.05773502692, -0.05773502692, 0.1154700538], 1e-9);
    expect(signal.bonusScaleCancels).toBe(false);
  });

  it("skips groups with fewer than two correct rollouts and groups without spread", () => {
    const options = { weight: 0.1, clip: 2, divisor: "sample" } as const;
    expect(noveltyBonuses([1, 5], [true, false], options)).toEqual({
      z: [0, 0],
      bonuses: [0, 0],
      skipped: "fewer than two correct",
    });
    expect(noveltyBonuses([1, 1 + 1e-7, 9], [true, true, false], options).skipped).toBe("no spread");
  });

  it("clips, which needs more than five correct rollouts to happen", () => {
    const options = { weight: 1, clip: 2, divisor: "sample" } as const;
    const outlier = (count: number) =>
      noveltyBonuses([100, ...times(count - 1, 0)], times(count, 1).map(Boolean), options).z[0];
    expectClose([outlier(5), outlier(6), outlier(9)], [4 / Math.sqrt(5), 2, 2], 1e-12);
  });

  it("never touches a rollout that is not correct, and adds nothing in total while nothing is clipped", () => {
    const rollouts = fc.array(fc.tuple(fc.double({ min: 0, max: 9, noNaN: true }), fc.boolean()), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(rollouts, (rows) => {
        const scores = rows.map(([score]) => score);
        const correct = rows.map(([, verdict]) => verdict);
        const { z } = noveltyBonuses(scores, correct, { weight: 0.1, clip: 1e9, divisor: "sample" });
        rows.forEach(([, verdict], i) => {
          if (!verdict) expect(z[i]).toBe(0);
        });
        expect(Math.abs(z.reduce((total, value) => total + value, 0))).toBeLessThan(1e-6);
      }),
    );
  });
});

describe("rarity of motifs", () => {
  it("is the mean of −ln of the share of competing rollouts that hold each run of three moves, by hand", () => {
    const [compute, check, turn] = ["compute", "check", "backtrack"];
    const group = [
      [compute, check, compute, check],
      [compute, check, compute],
      [turn, compute, check, compute],
      [turn],
    ];
    // CKC in 3 of 4, KCK and BCK in one, and a single B is a motif of its own.
    const rare = [
      (Math.log(4 / 3) + Math.log(4)) / 2,
      Math.log(4 / 3),
      (Math.log(4) + Math.log(4 / 3)) / 2,
      Math.log(4),
    ];
    expectClose(motifRarities(group, [true, true, true, true]), rare, 1e-12);
    // Of those that do not compete nobody is counted.
    expectClose(motifRarities(group, [true, true, false, false]).slice(0, 2), [Math.log(2) / 2, 0], 1e-12);
  });

  it("ranks the correct rollouts of a group, and needs labels", () => {
    const moves = [["compute"], ["compute"], ["backtrack"], ["compute"]];
    const labeled = group.map((rollout, i) => ({ ...rollout, correct: true, moves: moves[i] }));
    expectClose(groupSignal(objective({ score: "motifs" }), labeled).novelty!.z, [-0.5, -0.5, 1.5, -0.5], 1e-12);
    expect(() => groupSignal(objective({ score: "motifs" }), group)).toThrow(/somebody labels/);
  });
});

describe("agreement as reward", () => {
  it("pays whoever says what most say, right or wrong", () => {
    expect(agreementRewards(["7", "7", "8", undefined])).toEqual([1, 1, 0, 0]);
    expect(agreementRewards(["7", "8", "8", "7", "9"])).toEqual([0.5, 0.5, 0.5, 0.5, 0]);
    expect(agreementRewards([undefined, undefined])).toEqual([0, 0]);
    const agreeing = objectiveSchema.parse({
      algorithm: "gspo",
      advantage: { estimator: "group", reward: "agreement" },
    });
    const answers = ["7", "7", "7", "8"];
    const voted = group.map((rollout, i) => ({
      ...rollout,
      reward: i === 3 ? 1 : 0,
      correct: i === 3,
      answer: answers[i],
    }));
    const { rewards, advantages } = groupSignal(agreeing, voted);
    expect(rewards).toEqual([1, 1, 1, 0]);
    expect(advantages[3]).toBeLessThan(0);
  });
});

describe("controls of the bonus", () => {
  const seeded = group.map((rollout, i) => ({ ...rollout, seed: 100 + i }));
  const z = (bonus: object, given: Parameters<typeof groupSignal>[1] = seeded) =>
    groupSignal(objective(bonus), given).novelty!;

  it("rank by mean surprisal or by length", () => {
    expectClose(z({ score: "mean-nll" }).scores, [1, 1.25, 2.5, 9], 1e-12);
    const lengths = [[-1], [-1, -1], [-1, -1, -1], [-1]];
    const uneven = seeded.map((rollout, i) => ({ ...rollout, sampled: lengths[i], novelty: undefined }));
    expectClose(z({ score: "length" }, uneven).z, [-1, 0, 1, 0], 1e-12);
  });

  it("of chance are drawn by the rollout's own seed: the same again, other ones for other seeds, whatever was said", () => {
    const first = z({ score: "random" });
    const unread = seeded.map((rollout) => ({ ...rollout, novelty: undefined, sampled: [-7] }));
    expect(z({ score: "random" }, unread)).toEqual(first);
    const other = seeded.map((rollout) => ({ ...rollout, seed: rollout.seed + 50 }));
    expect(z({ score: "random" }, other).scores).not.toEqual(first.scores);
    const many = Array.from({ length: 2_000 }, (_, i) => ({ ...seeded[0], seed: i }));
    const { scores } = z({ score: "random" }, many);
    const average = scores.reduce((sum, one) => sum + one / scores.length, 0);
    // Uniform draws: five standard errors of the mean of 2,000.
    expect(Math.abs(average - 0.5)).toBeLessThan(5 * Math.sqrt(1 / 12 / 2_000));
    expect(() => groupSignal(objective({ score: "random" }), group)).toThrow(/seeds/);
  });

  it("shuffled, have the same scores among the correct ones, in an order that has nothing to do with them", () => {
    const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b);
    const real = z({}).scores;
    const kept = Array.from({ length: 3_000 }, (_, trial) => {
      const { scores } = z(
        { score: "shuffled" },
        seeded.map((rollout, i) => ({ ...rollout, seed: 4 * trial + i })),
      );
      expect(sorted(scores.slice(0, 3))).toEqual(sorted(real.slice(0, 3)));
      expect(scores[3]).toBe(real[3]);
      return scores[2] === real[2] ? 1 : 0;
    });
    const share = kept.reduce((sum: number, one) => sum + one, 0) / kept.length;
    // One of three places each time: five standard errors.
    expect(Math.abs(share - 1 / 3)).toBeLessThan(5 * Math.sqrt((1 / 3) * (2 / 3) * (1 / 3_000)));
  });

  it("negative, pay for what does not surprise; on all rollouts, wrong ones compete, too", () => {
    const usual = groupSignal(objective({ weight: 0.5 }), seeded);
    const negative = groupSignal(objective({ weight: -0.5 }), seeded);
    expectClose(
      negative.bonuses,
      usual.bonuses.map((bonus) => -bonus),
      1e-12,
    );
    const scores = [2, 2, 4.5, 9];
    const deviation = Math.sqrt(scores.reduce((sum, score) => sum + (score - 4.375) ** 2, 0) / 3);
    expectClose(
      z({ rollouts: "all" }).z,
      scores.map((score) => (score - 4.375) / deviation),
      1e-12,
    );
  });

  it("say what the loop must score: chance and length nothing, the base's surprise another model", () => {
    const needs = (bonus: object) => {
      const parsed = objectiveSchema.parse({
        algorithm: "gspo",
        kl: { coefficient: 0 },
        advantage: { estimator: "group", bonus: { kind: "novelty", ...bonus } },
      } as ObjectiveInput);
      const { reference, noveltyTemperature, base } = objectiveNeeds(parsed);
      return [reference, noveltyTemperature, base ?? false];
    };
    expect(needs({})).toEqual([true, 1, false]);
    for (const score of ["random", "length"]) expect(needs({ score })).toEqual([false, undefined, false]);
    for (const score of ["mean-nll", "shuffled"]) expect(needs({ score })).toEqual([true, 1, false]);
    expect(needs({ reference: "base" })).toEqual([false, 1, true]);
  });
});

describe("signal table", () => {
  it("has the paper's 10, 100 and 200 most surprising tokens", () => {
    const logprobs = Array.from({ length: 300 }, (_, i) => -1 - i);
    // The k largest of 1 to 300 have the mean 300.5 − k/2.
    const { mean, top } = rolloutSignals(logprobs);
    expect(mean).toBeCloseTo(150.5, 9);
    expectClose(top, [295.5, 250.5, 200.5]);
    const rows = signalSpread([[rolloutSignals(logprobs), rolloutSignals(logprobs.slice(0, 250))]]);
    expect(rows.map(({ signal }) => signal).slice(1)).toEqual(["top-10 NLL", "top-100 NLL", "top-200 NLL"]);
  });

  it("is the mean over problems of the deviation inside each", () => {
    const groups = [
      [
        [-1, -1, -4],
        [-1, -1, -7],
      ],
      [
        [-2, -2, -2],
        [-2, -2, -8],
      ],
      [[-5, -5, -5]],
    ].map((problem) => problem.map((logprobs) => rolloutSignals(logprobs, [1, 2])));
    const half = Math.SQRT2;
    const rows = signalSpread(groups, [1, 2]);
    expect(rows.map((row) => row.signal)).toEqual(["mean NLL (full response)", "top-1 NLL", "top-2 NLL"]);
    expect(rows.map((row) => row.problems)).toEqual([2, 2, 2]);
    // Two values that differ by d deviate by d/√2: means 1 and 2 apart, top-1 3 and 6, top-2 1.5 and 3.
    expectClose(
      rows.map((row) => row.withinProblem),
      [1.5 / half, 4.5 / half, 2.25 / half],
      1e-12,
    );
    expectClose(
      rows.map((row) => row.amplification),
      [1, 3, 1.5],
      1e-12,
    );
  });
});
