// What a bonus may rank rollouts by. The paper's is the surprise of their rarest tokens under the reference; the others are controls:
// whatever they keep as well, the paper's keeps for another reason than surprise.
import { Random } from "../base/random.ts";
import type { Logprobs } from "./gspo.ts";
import { mean } from "./moments.ts";
import { noveltyScore, type TopTokens } from "./novelty.ts";

export const noveltyScoreKinds = ["top-tokens", "mean-nll", "length", "random", "shuffled", "motifs"] as const;
export type NoveltyScoreKind = (typeof noveltyScoreKinds)[number];

/** Length, chance and motifs need nobody's log-probs. */
export const scoresByReference = (kind: NoveltyScoreKind): boolean => !["length", "random", "motifs"].includes(kind);

type ScoredEvidence = {
  readonly sampled: Logprobs;
  /** Under the reference. */
  readonly novelty?: Logprobs;
  /** Of the rollout itself: a run that resumes draws the same chance again. */
  readonly seed?: number;
  /** What its spans do, one label after the other. */
  readonly moves?: readonly string[];
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
    case "motifs":
      return motifRarities(group.map(movesOf), competing);
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

const motifLength = 3;

/** Every run of three moves, once; a shorter sequence is one motif. */
function motifsIn(moves: readonly string[]): string[] {
  const windows = Math.max(1, moves.length - motifLength + 1);
  return [...new Set(Array.from({ length: windows }, (_, i) => moves.slice(i, i + motifLength).join("→")))];
}

/**
 * How unlike the others of its group a rollout reasons, judged by nobody: the mean over its motifs of −ln of the share of competing
 * rollouts that have the motif. A motif of its own alone counts ln n, one that all have counts nothing.
 */
export function motifRarities(group: readonly (readonly string[])[], competing: readonly boolean[]): number[] {
  const holders = new Map<string, number>();
  const motifs = group.map(motifsIn);
  const among = competing.filter(Boolean).length;
  motifs.forEach((own, i) => {
    if (competing[i]) for (const motif of own) holders.set(motif, (holders.get(motif) ?? 0) + 1);
  });
  return motifs.map((own) => mean(own.map((motif) => Math.log(among / (holders.get(motif) ?? 1)))));
}

function movesOf({ moves }: ScoredEvidence): readonly string[] {
  if (moves === undefined) throw new Error("a bonus of rare motifs needs rollouts that somebody labels");
  return moves;
}

function chanceOf({ seed }: ScoredEvidence): number {
  if (seed === undefined) throw new Error("a bonus of chance needs the seeds of the rollouts");
  return Random.from(seed).child("bonus of chance").uniform();
}
