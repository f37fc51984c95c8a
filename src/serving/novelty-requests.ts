// The novelty bonus over HTTP: groups of scores, or of surprisals to score, in; bonuses out. The formulas and their
// defaults are training's own.
import { z } from "zod";
import { noveltyBonuses, noveltyScore } from "../training/novelty.ts";
import { objectiveSchema } from "../training/objective.ts";

const paper = paperNovelty();

const group = z.union([
  z.strictObject({ scores: z.array(z.number()), correct: z.array(z.boolean()) }),
  /** −logprob of tokens under the reference, a list a rollout: all of them, or the k largest. */
  z.strictObject({ surprisals: z.array(z.array(z.number())), correct: z.array(z.boolean()) }),
]);

const noveltyRequest = z.strictObject({
  groups: z.array(
    group.refine(
      (given) => ("scores" in given ? given.scores : given.surprisals).length === given.correct.length,
      "a group needs one verdict in `correct` for each of its rollouts",
    ),
  ),
  weight: z.number().nonnegative().default(paper.weight),
  clip: z.number().positive().default(paper.clip),
  divisor: z.enum(["sample", "population"]).default(paper.divisor),
  /** How many tokens a score is the mean of. */
  tokens: z.number().int().positive().default(paper.tokens),
});

export function noveltyReply(body: unknown) {
  const { groups, weight, clip, divisor, tokens } = noveltyRequest.parse(body);
  return {
    groups: groups.map((given) => {
      const scores =
        "scores" in given
          ? given.scores
          : given.surprisals.map((list) =>
              noveltyScore(
                list.map((surprisal) => -surprisal),
                { tokens },
              ),
            );
      return { scores, ...noveltyBonuses(scores, given.correct, { weight, clip, divisor }) };
    }),
    weight,
    clip,
    divisor,
    tokens,
  };
}

/** The paper's bonus, as training has it. */
export function paperNovelty() {
  const { advantage } = objectiveSchema.parse({
    algorithm: "gspo",
    advantage: { bonus: { kind: "novelty" } },
  });
  if (advantage.bonus.kind !== "novelty" || !("tokens" in advantage.bonus.top))
    throw new Error("the default novelty bonus no longer counts tokens");
  const { weight, clip, divisor, top } = advantage.bonus;
  return { weight, clip, divisor, tokens: top.tokens };
}
