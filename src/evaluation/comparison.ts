// Two checkpoints on the same problems: the difference in pass@k by a paired bootstrap, and what happened to each
// problem: unlocked, regressed, and whether a change is more than chance after correcting for having looked at all.
import { ConfigurationError } from "../base/errors.ts";
import { mean } from "../base/statistics/descriptive.ts";
import { fisherExact } from "../base/statistics/fisher-exact.ts";
import { benjaminiHochberg, holm } from "../base/statistics/multiple-testing.ts";
import type { Interval } from "../base/statistics/proportion-intervals.ts";
import { regularizedBeta } from "../base/statistics/special-functions.ts";
import { type BootstrapOptions, bootstrapMeans, defaultLevel, unseenShare } from "./intervals.ts";
import { passAtK, type SolveCount } from "./pass-at-k.ts";

export type ProblemCount = SolveCount & { readonly problem: string };

type Difference = {
  readonly k: number;
  readonly first: number;
  readonly second: number;
  readonly difference: number;
  /** Over problems, drawn in pairs; of second − first. */
  readonly newProblems: Interval;
};

type ProblemChange = {
  readonly problem: string;
  readonly first: SolveCount;
  readonly second: SolveCount;
  /** Fisher's exact test of the two solve rates, alone and corrected for the number of problems. */
  readonly p: number;
  readonly holm: number;
  readonly benjaminiHochberg: number;
};

export type AccuracyComparison = {
  readonly problems: number;
  readonly differences: readonly Difference[];
  /** Solved by at least one attempt of the second and none of the first. */
  readonly unlocked: readonly string[];
  readonly regressed: readonly string[];
  /** Exact test that unlocking and regressing are equally likely (McNemar's, on the problems that changed sides). */
  readonly unlockedAgainstRegressed: number;
  readonly split: SolveSetSplit;
  /** Every problem, the least likely by chance first. */
  readonly changes: readonly ProblemChange[];
  /** Problems that only one side has; they take no part. */
  readonly unpaired: { readonly first: readonly string[]; readonly second: readonly string[] };
};

/** The paper's split: a problem is solved by a checkpoint if at least one of its attempts is right. */
type SolveSetSplit = {
  readonly both: readonly string[];
  readonly onlyFirst: readonly string[];
  readonly onlySecond: readonly string[];
  readonly neither: readonly string[];
};

export function compareCheckpoints(
  first: readonly ProblemCount[],
  second: readonly ProblemCount[],
  options: BootstrapOptions & { readonly ks: readonly number[] },
): AccuracyComparison {
  const seconds = new Map(second.map((count) => [count.problem, count]));
  const firsts = new Set(first.map((count) => count.problem));
  const pairs = first.flatMap((count) => {
    const other = seconds.get(count.problem);
    return other === undefined ? [] : [{ problem: count.problem, first: count, second: other }];
  });
  if (pairs.length === 0)
    throw new ConfigurationError("the two evaluations share no problem; compare runs on the same set");

  const split = solveSetSplit(pairs);
  return {
    problems: pairs.length,
    differences: passDifferences(pairs, options.ks, options),
    unlocked: split.onlySecond,
    regressed: split.onlyFirst,
    unlockedAgainstRegressed: evenSplitTest(split.onlySecond.length, split.onlyFirst.length),
    split,
    changes: problemChanges(pairs),
    unpaired: {
      first: first.filter((count) => !seconds.has(count.problem)).map((count) => count.problem),
      second: second.filter((count) => !firsts.has(count.problem)).map((count) => count.problem),
    },
  };
}

type CountPair = { readonly first: SolveCount; readonly second: SolveCount };
type Pair = CountPair & { readonly problem: string };

/** pass@k of both sides of every problem, for several k from the same draws. */
export function passDifferences(
  pairs: readonly CountPair[],
  ks: readonly number[],
  options: BootstrapOptions,
): Difference[] {
  const rows = ks.map((k) => Float64Array.from(pairs, (pair) => passAtK(pair.second, k) - passAtK(pair.first, k)));
  const intervals = bootstrapMeans(rows, options).map((interval, i) => {
    // Not one problem differed: that bounds the share of problems that do, it does not make it zero.
    if (pairs.length < 2 || rows[i].some((difference) => difference !== 0)) return interval;
    const most = unseenShare(options.level ?? defaultLevel)(pairs.length);
    return { low: -most, high: most };
  });
  return ks.map((k, i) => ({
    k,
    first: mean(pairs.map((pair) => passAtK(pair.first, k))),
    second: mean(pairs.map((pair) => passAtK(pair.second, k))),
    difference: mean(rows[i]),
    newProblems: intervals[i],
  }));
}

function solveSetSplit(pairs: readonly Pair[]): SolveSetSplit {
  const where = (first: boolean, second: boolean) =>
    pairs
      .filter((pair) => pair.first.correct > 0 === first && pair.second.correct > 0 === second)
      .map((pair) => pair.problem);
  return {
    both: where(true, true),
    onlyFirst: where(true, false),
    onlySecond: where(false, true),
    neither: where(false, false),
  };
}

function problemChanges(pairs: readonly Pair[]): ProblemChange[] {
  const pick = ({ attempts, correct }: SolveCount): SolveCount => ({ attempts, correct });
  const ps = pairs.map(({ first, second }) => {
    const table = [
      [first.correct, first.attempts - first.correct],
      [second.correct, second.attempts - second.correct],
    ] as const;
    return fisherExact(table).p;
  });
  const byHolm = holm(ps);
  const byHochberg = benjaminiHochberg(ps);
  return pairs
    .map((pair, i) => ({
      problem: pair.problem,
      first: pick(pair.first),
      second: pick(pair.second),
      p: ps[i],
      holm: byHolm[i],
      benjaminiHochberg: byHochberg[i],
    }))
    .sort((a, b) => a.p - b.p);
}

/** Two-sided probability of a split at least this uneven when both sides are equally likely. */
export function evenSplitTest(one: number, other: number): number {
  const total = one + other;
  if (total === 0) return 1;
  const more = Math.max(one, other);
  // P(X ≥ more) for a fair binomial.
  return Math.min(1, 2 * regularizedBeta(0.5, more, total - more + 1));
}
