// How different attempts at one problem are from each other, and which problems a policy can reach at all. Pairs of attempts are
// compared, so that nothing depends on how many there are.
import type { Estimate } from "../base/statistics/bootstrap.ts";
import { mean } from "../base/statistics/descriptive.ts";
import type { SolveSetSplit } from "./comparison.ts";
import { intervalOfMean, shareInterval } from "./intervals.ts";
import { type ProblemTally, solveCount } from "./tally.ts";

export type AnswerDiversity = {
  /** Per problem; an attempt without an answer that can be read gives none. */
  readonly distinct: number;
  /** Of the answers that were given, in bits. */
  readonly entropy: number;
  /** The chance that two attempts are wrong in two ways; those without an answer are wrong in one. */
  readonly wrong: number;
  /** The chance that of two attempts one is right. */
  readonly mixed: number;
};

/** Undefined where fewer than two attempts were graded, or where wrong answers are not told apart. */
export function answerDiversity(tally: ProblemTally): AnswerDiversity | undefined {
  const { attempts, correct } = solveCount(tally);
  if (attempts < 2 || tally.wrongAnswers === undefined) return undefined;
  const wrong = [...tally.wrongAnswers.values()];
  const answers = [...(correct > 0 ? [correct] : []), ...wrong];
  const answered = answers.reduce((a, b) => a + b, 0);
  const pairs = (count: number) => (count * (count - 1)) / 2;
  const silent = attempts - correct - wrong.reduce((a, b) => a + b, 0);
  const alike = [...wrong, silent].reduce((total, count) => total + pairs(count), 0);
  return {
    distinct: answers.length,
    entropy: answers.reduce((total, count) => total - (count / answered) * Math.log2(count / answered), 0),
    wrong: (pairs(attempts - correct) - alike) / pairs(attempts),
    mixed: (correct * (attempts - correct)) / pairs(attempts),
  };
}

export const overProblems = (values: readonly number[], most: number): Estimate => ({
  value: mean(values),
  ...intervalOfMean(values, { low: 0, high: most }),
});

/** Of the problems of both, the shares that are solved at the largest k by both, by the first and by the second alone. */
export function support({ both, onlyFirst, onlySecond, neither }: SolveSetSplit) {
  const of = (part: readonly string[]): Estimate => {
    const rest = both.length + onlyFirst.length + onlySecond.length + neither.length - part.length;
    const values = [...part.map(() => 1), ...Array.from({ length: rest }, () => 0)];
    return { value: mean(values), ...shareInterval(values) };
  };
  return { kept: of(both), lost: of(onlyFirst), gained: of(onlySecond) };
}
