// What a bonus may rank rollouts by. The paper's is the surprise of their rarest tokens under the reference; the others are controls:
// whatever they keep as well, the paper's keeps for another reason than surprise.
import { Random } from "../base/random.ts";
import type { Logprobs } from "./gspo.ts";
import { mean } from "./moments.ts";
import { noveltyScore, type TopTokens } from "./novelty.ts";

export const noveltyScoreKinds = ["top-tokens", "mean-nll", "length", "random", "shuffled"] as const;
export type NoveltyScoreKind = (typeof noveltyScoreKinds)[number];

/** Length and chance need nobody's log-probs. */
export const scoresByReference = (kind: NoveltyScoreKind): boolean => kind !== "length" && kind !== "random";

type ScoredEvidence = {
  readonly sampled: Logprobs;
  /** Under the reference. */
  readonly novelty?: Logprobs;
  /** Of the rollout itself: a run that resumes draws the same chance again. */
  readonly seed?: number;
};

export type NoveltyScoring = { readonly score: NoveltyScoreKind; readonly top: TopTokens };

/** `competing`: whose scores are ranked; `shuffled` deals the paper's scores out among them. */
export function noveltyScores(
  group: readonly ScoredEvidence[],
  competing: readonly boolean[],
  { score, top }: NoveltyScoring,
): number[] {
  switch (score) {
    case "top-tokens":
      return group.map((rollout) => noveltyScore(referenceOf(rollout), top));
    case "mean-nll":
      return group.map((rollout) => (referenceOf(rollout).length === 0 ? 0 : -mean(referenceOf(rollout))));
    case "length":
      return group.map((rollout) => rollout.sampled.length);
    case "random":
      return group.map(chanceOf);
    case "shuffled": {
      const scores = group.map((rollout) => noveltyScore(referenceOf(rollout), top));
      const places = group.flatMap((_, i) => (competing[i] ? [i] : []));
      const dealt = [...places].sort((a, b) => chanceOf(group[a]) - chanceOf(group[b]));
      const result = [...scores];
      for (const [turn, place] of places.entries()) result[dealt[turn]] = scores[place];
      return result;
    }
  }
}

function referenceOf({ novelty }: ScoredEvidence): Logprobs {
  if (novelty === undefined) throw new Error("this novelty bonus needs log-probs under the reference");
  return novelty;
}

function chanceOf({ seed }: ScoredEvidence): number {
  if (seed === undefined) throw new Error("a bonus of chance needs the seeds of the rollouts");
  return Random.from(seed).child("bonus of chance").uniform();
}
