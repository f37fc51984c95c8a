// The frozen-reference novelty bonus of the paper: among the correct rollouts of one problem, the ones whose rare
// decisions surprise the SFT reference most earn a little more.
//
//   s_i = (1/k) · Σ of the k largest −ref_t        z_i = clip((s_i − μ)/σ, −c, c) over the correct rollouts
//   r_i ← r_i + α · z_i, on the last valid token, for correct rollouts only
//
// A group with fewer than two correct rollouts, or whose scores do not differ, gets no bonus. The division has no ε.
// Among n values |z| ≤ (n−1)/√n (sample divisor), so the clip at 2 cannot act with five correct rollouts or fewer.
import { Random } from "../base/random.ts";
import { mean } from "../base/statistics/descriptive.ts";
import { type Divisor, deviation } from "./advantages.ts";
import type { RolloutEvidence } from "./group-signal.ts";
import type { Logprobs } from "./gspo.ts";

/** How many tokens are scored: a count, as in the paper, or a share of the response for short miniature traces. */
export type TopTokens = { readonly tokens: number } | { readonly share: number };

export type NoveltyOptions = {
  readonly top: TopTokens;
  /** α: reward for one standard deviation of surprisal. */
  readonly weight: number;
  readonly clip: number;
  readonly divisor: Divisor;
};

/** Scores that differ by less are the same score. */
const smallestSpread = 1e-6;

/**
 * The mean surprisal of the most surprising tokens. A response shorter than k is still divided by k, as the paper's
 * padded top-k does: short responses score low instead of being judged by their few tokens.
 */
export function noveltyScore(reference: Logprobs, top: TopTokens): number {
  const count = "tokens" in top ? top.tokens : Math.max(1, Math.round(top.share * reference.length));
  return largestSum(reference, count) / count;
}

/** The sum of the `count` largest surprisals −logprob. */
function largestSum(logprobs: Logprobs, count: number): number {
  const sorted = Float64Array.from(logprobs).sort();
  let total = 0;
  for (let i = 0; i < Math.min(count, sorted.length); i++) total -= sorted[i];
  return total;
}

export type NoveltyBonuses = {
  /** One per rollout; 0 for those that do not compete (in the paper, that are not correct) and in a skipped group. */
  readonly z: readonly number[];
  readonly bonuses: readonly number[];
  readonly skipped?: "fewer than two correct" | "no spread";
};

export function noveltyBonuses(
  scores: readonly number[],
  competing: readonly boolean[],
  { weight, clip, divisor }: Pick<NoveltyOptions, "weight" | "clip" | "divisor">,
): NoveltyBonuses {
  const nothing = scores.map(() => 0);
  const ranked = scores.filter((_, i) => competing[i]);
  if (ranked.length < 2) return { z: nothing, bonuses: nothing, skipped: "fewer than two correct" };
  const center = mean(ranked);
  const spread = deviation(ranked, divisor);
  if (spread < smallestSpread) return { z: nothing, bonuses: nothing, skipped: "no spread" };
  const z = scores.map((score, i) => (competing[i] ? Math.min(Math.max((score - center) / spread, -clip), clip) : 0));
  return { z, bonuses: z.map((value) => weight * value) };
}

// ---- What rollouts are ranked by -----------------------------------------------------------------------------------
// The paper's score is the surprise of the rarest tokens under the reference; the others are controls.

export const noveltyScoreKinds = ["top-tokens", "mean-nll", "length", "random", "shuffled", "motifs"] as const;
type NoveltyScoreKind = (typeof noveltyScoreKinds)[number];

/** Length, chance and motifs need nobody's log-probs. */
export const scoresByReference = (kind: NoveltyScoreKind): boolean => !["length", "random", "motifs"].includes(kind);

/** `competing`: whose scores are ranked; `shuffled` deals the paper's scores out among them. */
export function noveltyScores(
  group: readonly Omit<RolloutEvidence, "reward" | "correct">[],
  competing: readonly boolean[],
  { score, top }: { readonly score: NoveltyScoreKind; readonly top: TopTokens },
): number[] {
  const references = () => group.map(({ novelty }) => needed(novelty, "log-probs under the reference"));
  const chances = () =>
    group.map(({ seed }) => Random.from(needed(seed, "the seeds of the rollouts")).child("bonus of chance").uniform());
  switch (score) {
    case "top-tokens":
      return references().map((logprobs) => noveltyScore(logprobs, top));
    case "mean-nll":
      return references().map((logprobs) => (logprobs.length === 0 ? 0 : -mean(logprobs)));
    case "length":
      return group.map((rollout) => rollout.sampled.length);
    case "motifs":
      return motifRarities(
        group.map(({ moves }) => needed(moves, "rollouts that somebody labels")),
        competing,
      );
    case "random":
      return chances();
    case "shuffled": {
      const scores = references().map((logprobs) => noveltyScore(logprobs, top));
      const chance = chances();
      const places = group.flatMap((_, i) => (competing[i] ? [i] : []));
      const dealt = [...places].sort((a, b) => chance[a] - chance[b]);
      const result = [...scores];
      for (const [turn, place] of places.entries()) result[dealt[turn]] = scores[place];
      return result;
    }
  }
}

function needed<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`this bonus needs ${what}`);
  return value;
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
