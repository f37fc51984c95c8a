// Grading a rollout by what its problem asks: puzzles by their rules, synthetic mathematics by its own grammar, and
// mathematics by a grader of equivalence. Failed rollouts have nothing to grade.
import { answerText } from "../grading/tags.ts";
import type { MathematicsProblem, Problem } from "../problems/problem.ts";
import { syntheticAnswerEquals } from "../problems/synthetic/index.ts";
import { puzzleGrader } from "../rollouts/puzzle-grading.ts";
import type { Grade, Rollout, VerdictName } from "../rollouts/rollout.ts";

/** Decides whether the final answer of a response equals a gold answer. */
export interface EquivalenceGrader {
  grade(question: {
    readonly gold: string;
    readonly response: string;
    /** Decimal places that the gold answer was rounded to. */
    readonly decimals?: number;
  }): Promise<EquivalenceGrade>;
  close(): Promise<void>;
}

export type EquivalenceGrade = {
  /** `unreadable`: no final answer was found. */
  readonly verdict: "equal" | "different" | "undecided" | "unreadable";
  readonly because?: string;
  /** The final answer as it was written. */
  readonly answer?: string;
  /** What gold and final answer were read as. */
  readonly gold?: string;
  readonly prediction?: string;
};

export type RolloutGrader = (rollout: Rollout) => Promise<Grade>;

/** Longer answers are cut in records: nobody votes with a page. */
const longestAnswer = 500;

export function problemGrader(problem: Problem, equivalence: () => EquivalenceGrader): RolloutGrader {
  if (problem.kind === "puzzle") {
    const grade = puzzleGrader(problem);
    return async ({ response }) => grade(response);
  }
  if (problem.set === "synthetic") return async ({ response }) => syntheticGrade(problem, response);
  return async ({ response }) => {
    const question = { gold: problem.answer, response, decimals: problem.decimals };
    const { verdict, because, answer } = await equivalence().grade(question);
    return mathematicsGrade(verdictNames[verdict], because, answer);
  };
}

const verdictNames = {
  equal: "correct",
  different: "wrong",
  undecided: "undecided",
  unreadable: "unreadable",
} as const;

function mathematicsGrade(verdict: VerdictName, because?: string, answer?: string): Grade {
  const exact = verdict === "correct" ? 1 : 0;
  return { verdict, because, answer: answer?.slice(0, longestAnswer), reward: { exact, total: exact } };
}

function syntheticGrade(problem: MathematicsProblem, response: string): Grade {
  const read = answerText(response);
  if ("missing" in read) return mathematicsGrade("unreadable", read.missing);
  const answer = read.text.trim();
  const right = syntheticAnswerEquals(problem.answer, answer);
  return mathematicsGrade(right ? "correct" : "wrong", right ? undefined : `the answer is ${problem.answer}`, answer);
}
