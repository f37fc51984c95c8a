// Two checkpoints on the same problems: the difference in pass@k by a paired bootstrap, and what happened to each
// problem: unlocked, regressed, and whether a change is more than chance after correcting for having looked at all.
// Only what both were graded on takes part, and as many attempts of the one as of the other: whoever has more attempts solves
// more problems at least once, and nothing but that.
import { ConfigurationError } from "../base/errors.ts";
import { mean } from "../base/statistics/descriptive.ts";
import { fisherExact } from "../base/statistics/fisher-exact.ts";
import { benjaminiHochberg, holm } from "../base/statistics/multiple-testing.ts";
import type { Interval } from "../base/statistics/proportion-intervals.ts";
import { regularizedBeta } from "../base/statistics/special-functions.ts";
import { sameQuestion } from "../problems/problem-facts.ts";
import { intervalOfMean } from "./intervals.ts";
import { passAtK, type SolveCount } from "./pass-at-k.ts";

export type ProblemCount = SolveCount & {
  readonly problem: string;
  /** What it asked, where an id alone does not say: files may number other questions alike. */
  readonly asked?: string;
  /** Which graded attempts were right, by their numbers; absent where only the counts are known. */
  readonly graded?: ReadonlyMap<number, boolean>;
};

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
  /** Problems without a graded attempt on the other side; they take no part. */
  readonly unpaired: { readonly first: readonly string[]; readonly second: readonly string[] };
  /** Problems of one id that ask something else on either side; they take no part. */
  readonly askedOtherwise: readonly string[];
  /** Attempts at common problems that only one side has graded; they take no part either. */
  readonly unmatchedAttempts: { readonly first: number; readonly second: number };
};

/** The paper's split: a problem is solved by a checkpoint if at least one of its attempts is right. */
export type SolveSetSplit = {
  readonly both: readonly string[];
  readonly onlyFirst: readonly string[];
  readonly onlySecond: readonly string[];
  readonly neither: readonly string[];
};

export const endsOf = (fewest: number): number[] => [...new Set([1, fewest])];

/** `ksOf` chooses from the fewest attempts that a common problem has on both sides. */
export function compareCheckpoints(
  first: readonly ProblemCount[],
  second: readonly ProblemCount[],
  ksOf: (fewest: number) => readonly number[] = endsOf,
): AccuracyComparison {
  const { pairs, ...left } = pairedProblems(first, second);
  if (pairs.length === 0) {
    const [other] = left.askedOtherwise;
    const because = other === undefined ? "" : ` (${other} is another question in each)`;
    throw new ConfigurationError(
      `the two evaluations share no problem that both were graded on${because}; compare runs on the same set`,
    );
  }
  const fewest = fewestAttempts(pairs);
  const ks = ksOf(fewest);
  const tooLarge = ks.find((k) => k > fewest);
  if (tooLarge !== undefined) {
    const short = pairs.find((pair) => Math.min(pair.first.attempts, pair.second.attempts) === fewest)!;
    throw new ConfigurationError(
      `pass@${tooLarge} needs ${tooLarge} graded attempts at every problem that both have, and ${short.problem} has ${fewest}: sample what is missing, or ask for a smaller k`,
    );
  }
  const split = solveSetSplit(pairs);
  return {
    problems: pairs.length,
    differences: passDifferences(pairs, ks),
    unlocked: split.onlySecond,
    regressed: split.onlyFirst,
    unlockedAgainstRegressed: evenSplitTest(split.onlySecond.length, split.onlyFirst.length),
    split,
    changes: problemChanges(pairs),
    ...left,
  };
}

type CountPair = { readonly first: SolveCount; readonly second: SolveCount };
type Pair = CountPair & { readonly problem: string };
type PairedProblems = Pick<AccuracyComparison, "unpaired" | "askedOtherwise" | "unmatchedAttempts"> & {
  readonly pairs: readonly Pair[];
};

/** The one pairing of two sets of counts: for comparisons, splits and claims. */
export function pairedProblems(first: readonly ProblemCount[], second: readonly ProblemCount[]): PairedProblems {
  const graded = (counts: readonly ProblemCount[]) =>
    new Map(counts.filter(({ attempts }) => attempts > 0).map((count) => [count.problem, count]));
  const [firsts, seconds] = [graded(first), graded(second)];
  const common = [...firsts].flatMap(([problem, count]) => {
    const other = seconds.get(problem);
    return other === undefined ? [] : [{ problem, count, other }];
  });
  const otherwise = otherQuestions(common);
  const pairs = common
    .filter(({ problem }) => !otherwise.has(problem))
    .map(({ problem, count, other }): Pair => ({ problem, ...equalAttempts(count, other) }));
  const without = (counts: readonly ProblemCount[], others: ReadonlyMap<string, ProblemCount>) =>
    counts.filter(({ problem }) => !others.has(problem)).map(({ problem }) => problem);
  const unmatched = (side: "first" | "second", counts: ReadonlyMap<string, ProblemCount>) =>
    pairs.reduce((total, pair) => total + counts.get(pair.problem)!.attempts - pair[side].attempts, 0);
  return {
    pairs,
    unpaired: { first: without(first, seconds), second: without(second, firsts) },
    askedOtherwise: [...otherwise],
    unmatchedAttempts: { first: unmatched("first", firsts), second: unmatched("second", seconds) },
  };
}

/**
 * Those whose texts differ by more than what is put around every question: the same questions may be asked with another template,
 * which all of them begin and end with.
 */
function otherQuestions(
  common: readonly { readonly problem: string; readonly count: ProblemCount; readonly other: ProblemCount }[],
): Set<string> {
  const bothAsked = common.flatMap(({ problem, count: { asked: first }, other: { asked: second } }) =>
    first === undefined || second === undefined
      ? []
      : [{ problem, first: sameQuestion(first), second: sameQuestion(second) }],
  );
  const differing = bothAsked.filter(({ first, second }) => first !== second);
  // What is around it can only be told from others; beside others that are the same, a single one is another question.
  if (differing.length < 2) return new Set(bothAsked.length < 2 ? [] : differing.map(({ problem }) => problem));
  const [firsts, seconds] = [differing.map(({ first }) => first), differing.map(({ second }) => second)].map(bare);
  return new Set(differing.flatMap(({ problem }, i) => (firsts[i] === seconds[i] ? [] : [problem])));
}

/** Texts without what all of them begin and end with. */
function bare(texts: readonly string[]): string[] {
  const [one, ...others] = texts;
  let [start, end] = [0, 0];
  while (start < one.length && others.every((text) => text[start] === one[start])) start += 1;
  const rest = texts.map((text) => text.slice(start));
  while (end < rest[0].length && rest.every((text) => text.at(-1 - end) === rest[0].at(-1 - end))) end += 1;
  return rest.map((text) => text.slice(0, text.length - end));
}

export const fewestAttempts = (pairs: readonly CountPair[]): number =>
  pairs.reduce(
    (least, { first, second }) => Math.min(least, first.attempts, second.attempts),
    Number.POSITIVE_INFINITY,
  );

/** The attempts that both sides have graded; where their numbers have none in common, as many of each, the first ones. */
function equalAttempts(first: ProblemCount, second: ProblemCount): CountPair {
  const counted = ({ attempts, correct }: SolveCount): SolveCount => ({ attempts, correct });
  if (first.graded === undefined || second.graded === undefined)
    return { first: counted(first), second: counted(second) };
  const numbers = [first.graded, second.graded].map((graded) => [...graded.keys()].sort((a, b) => a - b));
  const common = numbers[0].filter((attempt) => second.graded!.has(attempt));
  const fewest = Math.min(first.attempts, second.attempts);
  const chosen = common.length > 0 ? [common, common] : numbers.map((own) => own.slice(0, fewest));
  const of = ({ graded }: ProblemCount, attempts: readonly number[]): SolveCount => ({
    attempts: attempts.length,
    correct: attempts.filter((attempt) => graded!.get(attempt)).length,
  });
  return { first: of(first, chosen[0]), second: of(second, chosen[1]) };
}

/** pass@k of both sides of every problem, for several k. */
export const passDifferences = (pairs: readonly CountPair[], ks: readonly number[]): Difference[] =>
  ks.map((k) => {
    const [first, second] = [pairs.map((pair) => passAtK(pair.first, k)), pairs.map((pair) => passAtK(pair.second, k))];
    const differences = second.map((value, i) => value - first[i]);
    return {
      k,
      first: mean(first),
      second: mean(second),
      difference: mean(differences),
      newProblems: intervalOfMean(differences, { low: -1, high: 1 }),
    };
  });

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
    // Tables that mirror each other are as likely, and keep the order of their problems, whatever rounding makes of them.
    return Number(fisherExact(table).p.toPrecision(10));
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
