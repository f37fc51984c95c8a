// An objective as a plain record: which update rule, which advantage, which bonus, how far from the reference. Parts
// that do not go together cannot be written together. What the paper states is the default, from its record; defaults of
// other methods are in this file.
import { z } from "zod";
import { paperValue } from "../problems/paper.ts";
import { clipHigher } from "./dapo.ts";
import { noveltyScoreKinds, scoresByReference } from "./novelty.ts";

const share = z.number().gt(0).lte(1);
const count = z.number().int().positive();
const clip = z.strictObject({ below: z.number().positive(), above: z.number().positive() });
const tokenClip = clip.extend({ dual: z.number().gt(1).optional() });

const divisor = z.enum(["sample", "population"]);

const noveltyBonus = z.strictObject({
  kind: z.literal("novelty"),
  /** Below 0, novelty is punished. */
  weight: z.number().default(paperValue("novelty.weight")),
  /** What rollouts are ranked by; all but the paper's are controls. */
  score: z.enum(noveltyScoreKinds).default("top-tokens"),
  /** Which are ranked and paid; the paper's are the correct ones. */
  rollouts: z.enum(["correct", "all"]).default("correct"),
  /** Under which weights surprise is measured: those that RL starts from, as in the paper, or the model before SFT. */
  reference: z.enum(["start", "base"]).default("start"),
  top: z
    .union([z.strictObject({ tokens: count }), z.strictObject({ share })])
    .default({ tokens: paperValue("novelty.tokens") }),
  clip: z.number().positive().default(paperValue("novelty.clip")),
  divisor: divisor.default(paperValue("novelty.divisor")),
  /** Before normalization, as in the paper, the bonus is reward; after, it keeps its own scale in every group. */
  place: z.enum(["before-normalization", "after-normalization"]).default("before-normalization"),
  /** Temperature of the reference when it scores; frameworks that reuse their KL log-probs score at the sampling temperature. */
  scoringTemperature: z.number().positive().default(paperValue("novelty.scoringTemperature")),
});

const advantage = z.strictObject({
  /** Against the others of its group; the only way there is. */
  estimator: z.literal("group").default("group"),
  /** A control instead of the task's reward: paid is what most of the group answer, whether or not it is right. */
  reward: z.literal("agreement").optional(),
  baseline: z.enum(["mean", "leave-one-out"]).default("mean"),
  normalization: z
    .discriminatedUnion("by", [
      z.strictObject({ by: z.literal("none") }),
      z.strictObject({
        by: z.literal("deviation"),
        divisor: divisor.default(paperValue("rl.advantageDivisor")),
        epsilon: z.number().nonnegative().default(paperValue("rl.advantageEpsilon")),
        floor: z.number().nonnegative().default(paperValue("rl.advantageFloor")),
      }),
    ])
    .prefault({ by: "deviation" }),
  single: z.enum(["reward", "zero"]).default("reward"),
  /** A change of reward. */
  bonus: z
    .discriminatedUnion("kind", [z.strictObject({ kind: z.literal("none") }), noveltyBonus])
    .default({ kind: "none" }),
  overlong: z
    .discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("none") }),
      z.strictObject({
        kind: z.literal("penalty"),
        /** Where the penalty is whole, and over how many tokens it grows; from the longest response unless said. */
        maxTokens: count.optional(),
        buffer: count.optional(),
      }),
    ])
    .default({ kind: "none" }),
});

/** What is added to advantages after they are estimated. */
const exploration = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("none") }),
  z.strictObject({
    kind: z.literal("entropy-advantage"),
    weight: z.number().positive().default(0.4),
    limit: z.number().gt(1).default(2),
    /** `sampled-token` uses −logprob of the token drawn: a surrogate that needs no full distribution. */
    entropy: z.enum(["distribution", "sampled-token"]).default("distribution"),
  }),
]);

const kl = z.strictObject({
  /** β; 0 for no divergence in the loss. */
  coefficient: z.number().nonnegative().default(paperValue("rl.kl")),
  clamp: z.enum(["verl", "none"]).default(paperValue("rl.klClamp")),
});

/** `sampled-token` adds −c·logprob to token advantages: the same expected gradient, on-policy, without full distributions. */
const through = z.enum(["distribution", "sampled-token"]).default("distribution");
const entropy = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("none") }),
  z.strictObject({ kind: z.literal("fixed"), coefficient: z.number().positive(), through }),
]);

const dynamicSampling = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("none") }),
  z.strictObject({
    kind: z.literal("mixed"),
    /** `verdict` drops all-right groups and with them every bonus on them; `reward` keeps what a bonus tells apart. */
    by: z.enum(["verdict", "reward"]).default("verdict"),
    /** How many batches may be sampled to fill one. */
    generationBatches: count.default(10),
  }),
]);

const aggregation = z.discriminatedUnion("by", [
  z.strictObject({ by: z.literal("token-mean") }),
  z.strictObject({ by: z.literal("sequence-mean") }),
  z.strictObject({ by: z.literal("sequence-sum") }),
  z.strictObject({ by: z.literal("constant-length"), tokens: count }),
]);

const shared = {
  advantage: advantage.prefault({}),
  exploration: exploration.default({ kind: "none" }),
  kl: kl.prefault({}),
  entropy: entropy.default({ kind: "none" }),
  dynamicSampling: dynamicSampling.default({ kind: "none" }),
};

export const objectiveSchema = z.discriminatedUnion("algorithm", [
  z.strictObject({
    algorithm: z.literal("gspo"),
    clip: clip.default({ below: paperValue("rl.clipBelow"), above: paperValue("rl.clipAbove") }),
    ...shared,
  }),
  z.strictObject({
    algorithm: z.literal("grpo"),
    clip: tokenClip.default({ below: 0.2, above: 0.2 }),
    aggregation: aggregation.default({ by: "sequence-mean" }),
    ...shared,
  }),
  z.strictObject({
    algorithm: z.literal("dapo"),
    clip: tokenClip.default(clipHigher),
    ...shared,
    kl: kl.prefault({ coefficient: 0 }),
    dynamicSampling: dynamicSampling.prefault({ kind: "mixed" }),
  }),
  z.strictObject({
    algorithm: z.literal("cispo"),
    bounds: z
      .strictObject({ lowest: z.number().nonnegative(), highest: z.number().positive() })
      .default({ lowest: 0, highest: 5 }),
    aggregation: aggregation.default({ by: "token-mean" }),
    ...shared,
    kl: kl.prefault({ coefficient: 0 }),
  }),
]);

/** Every default filled in. */
export type Objective = z.output<typeof objectiveSchema>;
/** As a person writes it. */
export type ObjectiveInput = z.input<typeof objectiveSchema>;

/** What a loop must measure for an objective. */
type ObjectiveNeeds = {
  readonly reference: boolean;
  /** Novelty wants the reference scored at this temperature, which need not be the one that KL uses. */
  readonly noveltyTemperature?: number;
  /** Novelty is measured under the model before SFT. */
  readonly base?: boolean;
  /** Labels of the rollouts, for a bonus of rare motifs. */
  readonly moves?: boolean;
  /** Entropy of the current policy at every position, before weights are computed: for advantages, or for the loss that is reported. */
  readonly entropies: boolean;
};

export function objectiveNeeds(objective: Objective): ObjectiveNeeds {
  const { advantage, exploration, entropy, kl } = objective;
  const { bonus } = advantage;
  const novelty = bonus.kind === "novelty" && scoresByReference(bonus.score) ? bonus : undefined;
  return {
    reference: kl.coefficient > 0 || novelty?.reference === "start",
    ...(novelty && { noveltyTemperature: novelty.scoringTemperature }),
    ...(novelty?.reference === "base" && { base: true }),
    ...(bonus.kind === "novelty" && bonus.score === "motifs" && { moves: true }),
    entropies:
      (exploration.kind === "entropy-advantage" && exploration.entropy === "distribution") ||
      (entropy.kind !== "none" && entropy.through === "distribution"),
  };
}
