// From a group of rollouts to what each of them is worth: reward changes, then the advantage, then what exploration adds.

import { mean } from "../base/statistics/descriptive.ts";
import type { TokenSequence } from "../engine/engine.ts";
import type { SampledRollout } from "../rollouts/collect.ts";
import { deviation, groupAdvantages } from "./advantages.ts";
import { agreementRewards } from "./agreement.ts";
import { isMixed, overlongBounds, overlongPenalty } from "./dapo.ts";
import type { Logprobs } from "./gspo.ts";
import { type NoveltyBonuses, noveltyBonuses, noveltyScores } from "./novelty.ts";
import type { Objective } from "./objective.ts";
import { outcomeBonuses } from "./outcome-exploration.ts";
import { passAtKAdvantages } from "./pass-at-k-advantage.ts";
import { unlikelinessRewards } from "./unlikeliness.ts";

/** A rollout with everything that its group's signal and the updates of its step need. */
export type ScoredRollout = SampledRollout & {
  /** The task's reward, without any bonus. */
  readonly reward: number;
  readonly correct: boolean;
  readonly sequence: TokenSequence;
  /** Under the policy that sampled it, by a forward pass of the trainer; and the entropies of that policy at each position. */
  readonly sampled: Logprobs;
  readonly entropies?: ArrayLike<number>;
  /** Under the frozen reference. */
  readonly reference?: Logprobs;
  /** Under the reference of a novelty bonus, at the temperature that it scores at; those of the KL where there is no bonus. */
  readonly novelty?: Logprobs;
  readonly noveltyTemperature: number;
  /** What its spans do, one label after the other; needed for a bonus of rare motifs. */
  readonly moves?: readonly string[];
  /** The final answer in one spelling; needed for outcome exploration and for agreement. */
  readonly answer?: string;
};

/** What an objective looks at; the seed is needed for a bonus of chance. */
export type RolloutEvidence = Pick<ScoredRollout, "reward" | "correct" | "sampled" | "novelty" | "moves" | "answer"> &
  Partial<Pick<ScoredRollout, "seed">>;

export type GroupSignal = {
  readonly advantages: readonly number[];
  /** After every change of reward. */
  readonly rewards: readonly number[];
  /** What bonus and penalty changed, per rollout. */
  readonly bonuses: readonly number[];
  readonly novelty?: NoveltyBonuses & { readonly scores: readonly number[] };
  /**
   * The task rewards do not differ, so after normalization the bonus is the whole signal and its weight cancels: any
   * weight gives the same advantages.
   */
  readonly bonusScaleCancels: boolean;
  /** Whether dynamic sampling keeps the group. */
  readonly kept: boolean;
};

export type ScoredGroup = { readonly rollouts: readonly ScoredRollout[]; readonly signal: GroupSignal };

/** `longest` is how many tokens a response may have: what a penalty on length counts from. */
export function groupSignal(
  objective: Objective,
  group: readonly RolloutEvidence[],
  longest = Number.POSITIVE_INFINITY,
): GroupSignal {
  const { bonusInReward, task, ...estimated } = estimate(objective, group, longest);
  const { advantage, exploration, dynamicSampling } = objective;
  const addition =
    exploration.kind === "outcome"
      ? outcomeBonuses(group.map((rollout) => rollout.answer)).map((bonus, i) =>
          exploration.rollouts === "wrong" && group[i].correct ? 0 : exploration.weight * bonus,
        )
      : group.map(() => 0);
  const correct = group.map((rollout) => rollout.correct);
  return {
    ...estimated,
    advantages: estimated.advantages.map((value, i) => value + addition[i]),
    bonusScaleCancels:
      advantage.estimator === "group" &&
      advantage.normalization.by === "deviation" &&
      bonusInReward &&
      group.length > 1 &&
      deviation(task, "population") < smallestSpread &&
      deviation(estimated.rewards, advantage.normalization.divisor) > advantage.normalization.floor + smallestSpread,
    kept: dynamicSampling.kind === "none" || isMixed(dynamicSampling.by === "verdict" ? correct : estimated.rewards),
  };
}

const smallestSpread = 1e-6;

type Estimate = Pick<GroupSignal, "advantages" | "rewards" | "bonuses" | "novelty"> & {
  readonly task: readonly number[];
  readonly bonusInReward: boolean;
};

function estimate({ advantage }: Objective, group: readonly RolloutEvidence[], longest: number): Estimate {
  const agreement = advantage.estimator === "group" && advantage.reward === "agreement";
  const task = agreement
    ? agreementRewards(group.map((rollout) => rollout.answer))
    : group.map((rollout) => rollout.reward);
  const correct = group.map((rollout) => rollout.correct);
  if (advantage.estimator !== "group") {
    const advantages = passAtKAdvantages(correct, advantage);
    return { advantages, task, rewards: task, bonuses: task.map(() => 0), bonusInReward: false };
  }

  const { bonus, overlong } = advantage;
  const bounds = overlong.kind === "penalty" ? overlongBounds(overlong, longest) : undefined;
  const bounded =
    bounds === undefined ? task : group.map(({ sampled }, i) => task[i] + overlongPenalty(sampled.length, bounds));
  const since = (rewards: readonly number[]) => rewards.map((reward, i) => reward - task[i]);
  switch (bonus.kind) {
    case "none":
      return {
        advantages: groupAdvantages(bounded, advantage),
        task,
        rewards: bounded,
        bonuses: since(bounded),
        bonusInReward: false,
      };
    case "unlikeliness": {
      const likelihoods = group.map((rollout) => mean(rollout.sampled));
      const rewards = unlikelinessRewards(bounded, correct, likelihoods, bonus);
      const advantages = groupAdvantages(rewards, advantage);
      return { advantages, task, rewards, bonuses: since(rewards), bonusInReward: true };
    }
    case "novelty": {
      const competing = bonus.rollouts === "all" ? group.map(() => true) : correct;
      const scores = noveltyScores(group, competing, bonus);
      const novelty = { scores, ...noveltyBonuses(scores, competing, bonus) };
      const rewards = bounded.map((reward, i) => reward + novelty.bonuses[i]);
      const bonusInReward = bonus.place === "before-normalization";
      const advantages = bonusInReward
        ? groupAdvantages(rewards, advantage)
        : groupAdvantages(bounded, advantage).map((value, i) => value + novelty.bonuses[i]);
      return { advantages, task, rewards, bonuses: since(rewards), novelty, bonusInReward };
    }
  }
}
