// The alternatives to novelty: entropy in the loss and in the advantage, unlikeliness, outcomes, pass@k.
import { describe, expect, it } from "vitest";
import { mean } from "../../src/base/statistics/descriptive.ts";
import { deviation, groupAdvantages, verlNormalization } from "../../src/training/advantages.ts";
import { entropyAdvantages } from "../../src/training/entropy-advantage.ts";
import { groupSignal } from "../../src/training/group-signal.ts";
import { objectiveSchema } from "../../src/training/objective.ts";
import { outcomeBonuses } from "../../src/training/outcome-exploration.ts";
import { combinationRatio, passAtKAdvantages } from "../../src/training/pass-at-k-advantage.ts";
import { likelihoodRanks, unlikelinessRewards } from "../../src/training/unlikeliness.ts";
import { updateWeights } from "../../src/training/update.ts";
import { expectClose, times } from "./close.ts";

const verl = { baseline: "mean", normalization: verlNormalization, single: "reward" } as const;

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

  it("through the sampled token has the expected gradient of the entropy", () => {
    const policy = [0.5, 0.3, 0.15, 0.05];
    const entropy = (p: readonly number[]) => -p.reduce((total, value) => total + value * Math.log(value), 0);
    const logits = policy.map(Math.log);
    const softmaxEntropy = (moved: readonly number[]) => {
      const total = moved.reduce((sum, logit) => sum + Math.exp(logit), 0);
      return entropy(moved.map((logit) => Math.exp(logit) / total));
    };
    const gradient = logits.map((_, j) => {
      const at = (h: number) => softmaxEntropy(logits.map((logit, i) => (i === j ? logit + h : logit)));
      return (at(1e-6) - at(-1e-6)) / 2e-6;
    });
    const expected = logits.map((_, j) =>
      policy.reduce((total, p, a) => total + p * -Math.log(p) * ((a === j ? 1 : 0) - policy[j]), 0),
    );
    expectClose(expected, gradient, 1e-8);
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

describe("unlikeliness", () => {
  const rewards = [1, 1, 0, 1];
  const right = [true, true, false, true];
  const likelihoods = [-0.2, -0.9, -0.1, -0.5];
  const options = { strength: 0.25 };
  it("as the released code has it", () => {
    expect(likelihoodRanks(likelihoods)).toEqual([2, 0, 3, 1]);
    const changed = unlikelinessRewards(rewards, right, likelihoods, options);
    expectClose(changed, [0.875, 1, 0, 0.9375], 1e-12);
    expectClose(groupAdvantages(changed, verl), [0.3645121794, 0.6296119463, -1.491186189, 0.4970620629], 1e-9);
  });

  it("leaves all-right and all-wrong groups alone: there the factor would be the whole signal", () => {
    expect(unlikelinessRewards(times(4, 1), times(4, 1).map(Boolean), likelihoods, options)).toEqual(times(4, 1));
    expect(unlikelinessRewards([1], [true], [-1], options)).toEqual([1]);
    // What it would be otherwise.
    const alone = [0.875, 1, 0.8125, 0.9375];
    expectClose(groupAdvantages(alone, verl), [-0.3872935347, 1.161880604, -1.161880604, 0.3872935347], 1e-8);
  });

  it("a wrong rollout keeps its partial reward", () => {
    const changed = unlikelinessRewards([1, 0.4], [true, false], [-1, -2], options);
    expectClose(changed, [0.875, 0.4], 1e-12);
  });

  it("ties keep their order", () => expect(likelihoodRanks([-1, -1, -2, -1])).toEqual([1, 2, 0, 3]));
});

describe("outcome exploration", () => {
  const answers = ["a", "a", "b", "b", "b", "c"];
  const group = answers.map((answer, i) => ({ reward: i < 3 ? 1 : 0, correct: i < 3, sampled: [-1], answer }));
  const plain = groupAdvantages([1, 1, 1, 0, 0, 0], verl);
  it("holds back what others of the group answered too", () => {
    expectClose(outcomeBonuses(answers), [-1 / 6, -1 / 6, -2 / 6, -2 / 6, -2 / 6, 0], 1e-12);
  });
  it.each([
    ["all", [-1, -1, -2, -2, -2, 0]],
    ["wrong", [0, 0, 0, -2, -2, 0]],
  ] as const)("is added after normalization, to %s", (rollouts, sixths) => {
    const exploration = { kind: "outcome", weight: 0.1, rollouts } as const;
    const objective = objectiveSchema.parse({ algorithm: "gspo", exploration });
    const expected = plain.map((advantage, i) => advantage + (0.1 * sixths[i]) / 6);
    expectClose(groupSignal(objective, group).advantages, expected, 1e-9);
  });
  it("unreadable answers are nobody's duplicate, and an answer may be called anything", () => {
    expectClose(outcomeBonuses([undefined, undefined, "x"]), [0, 0, 0]);
    expectClose(outcomeBonuses(["toString", "toString"]), [-0.5, -0.5], 1e-12);
  });
  it("has one bonus: others count answers of batches that are not kept", () => {
    const exploration = { kind: "outcome", weight: 0.1, bonus: { kind: "naive" } };
    expect(() => objectiveSchema.parse({ algorithm: "gspo", exploration })).toThrow(/bonus/);
  });
});

function* subsets(items: readonly number[], k: number, from = 0): Generator<number[]> {
  if (k === 0) yield [];
  else
    for (let i = from; i <= items.length - k; i++) {
      for (const rest of subsets(items, k - 1, i + 1)) yield [items[i], ...rest];
    }
}
const indices = (count: number) => Array.from({ length: count }, (_, i) => i);
const verdicts = (count: number, right: number) => indices(count).map((i) => i < right);

describe("pass@k advantage", () => {
  it("with the epsilon of the authors' code", () => {
    const advantages = passAtKAdvantages(verdicts(8, 3), { k: 4, epsilon: 1e-6 });
    expectClose([advantages[0], advantages[7]], [0.2773490212, -0.1664094127], 1e-9);
  });

  it("is the mean over all sets that contain the rollout, for every group up to eight", () => {
    for (let count = 1; count <= 8; count++) {
      for (let right = 0; right <= count; right++) {
        for (let k = 1; k <= count; k++) {
          const correct = verdicts(count, right);
          const sets = [...subsets(indices(count), k)];
          const passed = sets.map((set) => (set.some((i) => correct[i]) ? 1 : 0));
          const spread = deviation(passed, "population");
          const expected = correct.map((_, i) => {
            const own = passed.filter((_, s) => sets[s].includes(i));
            return spread < 1e-12 ? 0 : (mean(own) - mean(passed)) / spread;
          });
          expectClose(passAtKAdvantages(correct, { k, epsilon: 0 }), expected, 1e-9);
        }
      }
    }
  });

  it("refuses k larger than the group", () => {
    expect(() => passAtKAdvantages(verdicts(4, 1), { k: 5, epsilon: 0 })).toThrow(
      "pass@5 advantage needs groups of at least 5",
    );
  });

  it("does not overflow", () => expect(combinationRatio(5000, 10_000, 1000)).toBeLessThan(1e-290));
});
