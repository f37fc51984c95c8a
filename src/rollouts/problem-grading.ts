// Grading a response by what its problem asks: puzzles by their rules, synthetic mathematics by its own grammar,
// mathematics by a grader of equivalence, any other question by its owner's grader. Training, evaluation and the reward
// server all grade here.
import { DataError } from "../base/errors.ts";
import { MathGrader } from "../grading/math/math-grader.ts";
import type { GradingMode } from "../grading/math/options.ts";
import { paperReward, type RewardWeights } from "../grading/reward.ts";
import { answerText } from "../grading/tags.ts";
import type { MathematicsProblem, Problem } from "../problems/problem.ts";
import { isSyntheticSet, syntheticAnswerEquals } from "../problems/synthetic/index.ts";
import type { AnswerJudge } from "./answer-judge.ts";
import type { PromptedProblem } from "./collect.ts";
import { longestRecordedAnswer, OwnGraders } from "./own-grader.ts";
import { puzzleGrader } from "./puzzle-grading.ts";
import type { Grade, VerdictName } from "./rollout.ts";

export type ResponseGrader = (response: string) => Grade | Promise<Grade>;

export type ProblemGradersOptions = {
  /** What an exact answer, and parts of a board, are worth. */
  readonly weights?: RewardWeights;
  /** What answers of mathematics are graded for; `reward` for training. */
  readonly mode?: GradingMode;
  /** Made when the first mathematics problem needs it. */
  readonly mathematics?: () => Pick<MathGrader, "grade" | "close">;
  /** Asked about answers of mathematics that are not equal by rule; closed by whoever made it. */
  readonly judge?: AnswerJudge;
};

/** All graders of a run: their worker threads and connections begin with the first problem that needs them. */
export class ProblemGraders {
  readonly #weights: RewardWeights;
  readonly #options: ProblemGradersOptions;
  readonly #own = new OwnGraders();
  #mathematics: Pick<MathGrader, "grade" | "close"> | undefined;

  constructor(options: ProblemGradersOptions = {}) {
    this.#options = options;
    this.#weights = options.weights ?? paperReward;
  }

  /** The key of a puzzle is made with its first response: making thousands takes a while. */
  of(problem: Problem): ResponseGrader {
    if (problem.kind === "puzzle") {
      let grade: ReturnType<typeof puzzleGrader> | undefined;
      return (response) => (grade ??= puzzleGrader(problem, this.#weights))(response);
    }
    if (problem.kind === "recorded")
      throw new DataError(
        `${problem.id} was asked and graded by another program; only its rollouts' own grades are known`,
      );
    const { exact } = this.#weights;
    if (problem.kind === "question") {
      return async (response) => {
        const { reward, ...grade } = await this.#own.grade(problem, response);
        // A grader that says right or wrong only is paid like an exact answer.
        return {
          ...grade,
          reward: { exact: grade.verdict === "correct" ? 1 : 0, total: reward ?? paid(grade, exact) },
        };
      };
    }
    if (isSyntheticSet(problem.set)) return (response) => syntheticGrade(problem, response, exact);
    return (response) => this.#equivalence(problem, response, exact);
  }

  /** Ours of what is equal is final and costs nothing; about the rest, where there is an answer at all, the judge is asked. */
  async #equivalence({ answer: gold, decimals }: MathematicsProblem, response: string, weight: number): Promise<Grade> {
    const { mathematics, mode = "evaluation", judge } = this.#options;
    this.#mathematics ??= mathematics?.() ?? new MathGrader();
    // A gold answer that was rounded can only be met to its own places.
    const rounding = decimals === undefined ? {} : { decimalPlaces: decimals, decimalShare: Number.POSITIVE_INFINITY };
    const { verdict, source, because, answer } = await this.#mathematics.grade(gold, response, { mode, ...rounding });
    if (verdict === "different" && source === "none" && answer === "")
      return mathematicsGrade("unreadable", weight, because, answer);
    const ours = mathematicsGrade(verdictNames[verdict], weight, because, answer);
    if (verdict === "equal" || judge === undefined) return ours;
    const said = await judge.judge(gold, response);
    const told = `the judge ${judge.name} says ${said}; by rule: ${verdict}, ${because}`;
    if (said === "undecided") return { ...ours, because: told };
    return mathematicsGrade(said === "right" ? "correct" : "wrong", weight, told, answer);
  }

  /** Loads what is to be asked later: a module that is not there is an error before anything is sampled. */
  async prepare(problems: readonly Problem[]): Promise<void> {
    for (const problem of problems) if (problem.kind === "question") await this.#own.prepare(problem.grader);
  }

  async close(): Promise<void> {
    await Promise.all([this.#mathematics?.close(), this.#own.close()]);
  }
}

const verdictNames = { equal: "correct", different: "wrong", undecided: "undecided" } as const;

const paid = ({ verdict }: { readonly verdict: VerdictName }, exact: number): number =>
  verdict === "correct" ? exact : 0;

function mathematicsGrade(verdict: VerdictName, weight: number, because?: string, answer?: string): Grade {
  const exact = verdict === "correct" ? 1 : 0;
  return {
    verdict,
    because,
    answer: answer?.slice(0, longestRecordedAnswer),
    reward: { exact, total: weight * exact },
  };
}

function syntheticGrade(problem: MathematicsProblem, response: string, weight: number): Grade {
  const read = answerText(response);
  if ("missing" in read) return mathematicsGrade("unreadable", weight, read.missing);
  const answer = read.text.trim();
  const right = syntheticAnswerEquals(problem.answer, answer);
  const because = right ? undefined : `the answer is ${problem.answer}`;
  return mathematicsGrade(right ? "correct" : "wrong", weight, because, answer);
}

/** As an engine and a training loop see it. */
export function promptedProblem(problem: Problem, prompt: readonly number[], graders: ProblemGraders): PromptedProblem {
  const family = problem.kind === "puzzle" ? problem.puzzle : (problem.set ?? "questions");
  return { id: problem.id, family, prompt, question: problem.prompt, grade: graders.of(problem) };
}
