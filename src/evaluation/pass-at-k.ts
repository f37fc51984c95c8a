// pass@k: the chance that at least one of k attempts is right, estimated without bias from n ≥ k attempts of which c were
// (Chen et al. 2021, arXiv:2107.03374).
//
//   1 − C(n−c, k)/C(n, k) = 1 − Π_{i = n−c+1 … n} (1 − k/i)
import { ConfigurationError } from "../base/errors.ts";

/** Attempts at one problem. */
export type SolveCount = { readonly attempts: number; readonly correct: number };

export function passAtK({ attempts, correct }: SolveCount, k: number): number {
  if (!Number.isInteger(k) || k < 1) throw new ConfigurationError(`pass@${k}: k must be a whole number of at least 1`);
  // Clamping k to n would quietly report another quantity under the same name.
  if (k > attempts)
    throw new ConfigurationError(`pass@${k} needs at least ${k} attempts at every problem, there are ${attempts}`);
  if (attempts - correct < k) return 1;
  let allFail = 1;
  for (let i = attempts - correct + 1; i <= attempts; i++) allFail *= 1 - k / i;
  return 1 - allFail;
}

/** Mean over problems. */
export function meanPassAtK(counts: readonly SolveCount[], k: number): number {
  return counts.reduce((total, count) => total + passAtK(count, k), 0) / counts.length;
}
