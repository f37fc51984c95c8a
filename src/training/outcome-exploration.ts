// Outcome-based exploration (Song et al. 2025, arXiv:2509.06941): a bonus for rare final answers, added to the
// advantage after normalization. N counts how often an answer was seen for the problem before this batch.
//
//   b(a) = min(1, N(a)^−½)
//   naive: b      mean: b − mean of b over the group      constant: b − b₀      batch: −(1/G) · #{j ≠ i: a_j = a_i}
//
// Unreadable answers share no label: they earn no bonus and are no one's duplicate.
//
// Our RL loop sees no problem twice, so there N is 0 for every answer and only `batch` tells answers of a group apart: it
// refuses the others, which are for loops that come back to a problem and keep its counts.
import { mean } from "./moments.ts";

type OutcomeBonus =
  | { readonly kind: "naive" }
  | { readonly kind: "mean" }
  /** Answers seen more than b₀⁻² times are penalized. */
  | { readonly kind: "constant"; readonly threshold: number }
  | { readonly kind: "batch" };

export const visitBonus = (seen: number): number => (seen <= 1 ? 1 : 1 / Math.sqrt(seen));

/** How often each answer was seen, per problem; survives JSON, as it is part of a checkpoint. */
export type AnswerCounts = { readonly [answer: string]: number };

export function outcomeBonuses(
  answers: readonly (string | undefined)[],
  seen: AnswerCounts,
  bonus: OutcomeBonus,
): number[] {
  const count = (answer: string) => (Object.hasOwn(seen, answer) ? seen[answer] : 0);
  if (bonus.kind === "batch") {
    return answers.map((answer, i) =>
      answer === undefined ? 0 : -answers.filter((other, j) => j !== i && other === answer).length / answers.length,
    );
  }
  const rarity = answers.map((answer) => (answer === undefined ? 0 : visitBonus(count(answer))));
  const level = bonus.kind === "naive" ? 0 : bonus.kind === "mean" ? mean(rarity) : bonus.threshold;
  return answers.map((answer, i) => (answer === undefined ? 0 : rarity[i] - level));
}
