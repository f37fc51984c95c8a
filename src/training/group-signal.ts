// From a group of rollouts to what each of them is worth: reward changes, then the advantage.
import type { TokenSequence } from "../engine/engine.ts";
import type { SampledRollout } from "../rollouts/collect.ts";
import { deviation, groupAdvantages } from "./advantages.ts";
import { agreementRewards } from "./agreement.ts";
import { isMixed, overlongBounds, overlongPenalty } from "./dapo.ts";
import type { Logprobs } from "./gspo.ts";
import { type NoveltyBonuses, noveltyBonuses, noveltyScores } from "./novelty.ts";
import type { Objective } from "./objective.ts";

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
  /** The final answer in one spelling; needed for agreement. */
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
  { advantage, dynamicSampling }: Objective,
  group: readonly RolloutEvidence[],
  longest = Number.POSITIVE_INFINITY,
): GroupSignal {
  const { bonus, overlong, normalization } = advantage;
  const correct = group.map((rollout) => rollout.correct);
  const task =
    advantage.reward === "agreement"
      ? agreementRewards(group.map((rollout) => rollout.answer))
      : group.map((rollout) => rollout.reward);
  const bounds = overlong.kind === "penalty" ? overlongBounds(overlong, longest) : undefined;
  const bounded =
    bounds === undefined ? task : group.map(({ sampled }, i) => task[i] + overlongPenalty(sampled.length, bounds));
  const { bonuses, novelty } = bonusOf(bonus, group, correct);
  const rewards = bounded.map((reward, i) => reward + bonuses[i]);
  const afterwards = bonus.kind === "novelty" && bonus.place === "after-normalization";
  return {
    advantages: afterwards
      ? groupAdvantages(bounded, advantage).map((value, i) => value + bonuses[i])
      : groupAdvantages(rewards, advantage),
    rewards,
    bonuses: rewards.map((reward, i) => reward - task[i]),
    ...(novelty && { novelty }),
    bonusScaleCancels:
      normalization.by === "deviation" &&
      bonus.kind !== "none" &&
      !afterwards &&
      group.length > 1 &&
      deviation(task, "population") < smallestSpread &&
      deviation(rewards, normalization.divisor) > normalization.floor + smallestSpread,
    kept: dynamicSampling.kind === "none" || isMixed(dynamicSampling.by === "verdict" ? correct : rewards),
  };
}

const smallestSpread = 1e-6;

type Bonus = Objective["advantage"]["bonus"];

/** What a bonus adds to each reward. */
function bonusOf(
  bonus: Bonus,
  group: readonly RolloutEvidence[],
  correct: readonly boolean[],
): { readonly bonuses: readonly number[]; readonly novelty?: GroupSignal["novelty"] } {
  switch (bonus.kind) {
    case "none":
      return { bonuses: group.map(() => 0) };
    case "novelty": {
      const competing = bonus.rollouts === "all" ? group.map(() => true) : correct;
      const scores = noveltyScores(group, competing, bonus);
      const novelty = { scores, ...noveltyBonuses(scores, competing, bonus) };
      return { bonuses: novelty.bonuses, novelty };
    }
  }
}
