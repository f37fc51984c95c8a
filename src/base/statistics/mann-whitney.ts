// The Mann–Whitney U test of two independent samples, with SciPy's conventions: U belongs to the first sample, mid-ranks
// for ties, tie-corrected normal approximation with continuity, and the exact distribution for small samples without ties.
import { rankAverage } from "./ranks.ts";
import { normalTail } from "./special-functions.ts";

type MannWhitney = {
  /** How many pairs (x, y) have x > y; ties count a half. */
  readonly u: number;
  readonly p: number;
  readonly method: "exact" | "asymptotic";
  /** u / (n1·n2): the chance that a random x is above a random y. One half is no effect. */
  readonly commonLanguageEffect: number;
};

/** Two-sided; exact where one sample has at most 8 values and no two values are equal. Undefined when a sample is empty. */
export function mannWhitney(first: ArrayLike<number>, second: ArrayLike<number>): MannWhitney | undefined {
  const n1 = first.length;
  const n2 = second.length;
  if (n1 === 0 || n2 === 0) return undefined;
  const pooled = new Float64Array(n1 + n2);
  pooled.set(Array.from(first));
  pooled.set(Array.from(second), n1);
  const { ranks, tieSizes } = rankAverage(pooled);

  let rankSum = 0;
  for (let i = 0; i < n1; i++) rankSum += ranks[i];
  const u = rankSum - (n1 * (n1 + 1)) / 2;
  const further = Math.max(u, n1 * n2 - u);
  const tied = tieSizes.length < n1 + n2;
  const method = (n1 > 8 && n2 > 8) || tied ? "asymptotic" : "exact";
  const tail = method === "exact" ? exactTail(further, n1, n2) : asymptoticTail(further, n1, n2, tieSizes);
  return { u, p: Math.min(1, 2 * tail), method, commonLanguageEffect: u / (n1 * n2) };
}

function asymptoticTail(u: number, n1: number, n2: number, tieSizes: readonly number[]): number {
  const n = n1 + n2;
  const tieTerm = tieSizes.reduce((total, size) => total + (size ** 3 - size), 0);
  const deviation = Math.sqrt(((n1 * n2) / 12) * (n + 1 - tieTerm / (n * (n - 1))));
  const distance = u - (n1 * n2) / 2 - 0.5;
  // All values equal: no deviation, and nothing can be said.
  if (deviation === 0) return distance > 0 ? 0 : 1;
  return normalTail(distance / deviation);
}

/** P(U ≥ u) under the null, from the counts of subsets by their rank sum. */
function exactTail(u: number, n1: number, n2: number): number {
  // ways[u] over n1 + n2 choose n1 is the probability: the coefficients of the Gaussian binomial, built factor by factor.
  const size = n1 * n2 + 1;
  const ways = new Float64Array(size);
  ways[0] = 1;
  for (let i = 1; i <= n1; i++) {
    for (let j = size - 1; j >= n2 + i; j--) ways[j] -= ways[j - n2 - i];
    for (let j = i; j < size; j++) ways[j] += ways[j - i];
  }
  let total = 0;
  let above = 0;
  for (let value = 0; value < size; value++) {
    total += ways[value];
    if (value >= u) above += ways[value];
  }
  return above / total;
}
