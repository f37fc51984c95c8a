// Scores for rollouts of any kind, in the order they came: puzzles in our pool, mathematics in the equivalence grader's.
import { messageOf } from "../base/errors.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { MathGrader } from "../grading/math/math-grader.ts";
import type { GradingMode } from "../grading/math/options.ts";
import type { RewardName } from "../grading/reward.ts";
import type { QuestionProblem } from "../problems/problem.ts";
import { AnswerJudge, type JudgeCounts } from "../rollouts/answer-judge.ts";
import { ProblemGraders } from "../rollouts/problem-grading.ts";
import { promptText } from "./prompt-text.ts";
import type { ScoringTask } from "./puzzle-keys.ts";
import { type PuzzlePool, startPuzzlePool } from "./puzzle-pool.ts";
import type { Question, ReadQuestion } from "./question.ts";
import { failedScore, type Score, scoreOf } from "./score.ts";

export type RolloutToScore = {
  readonly question: ReadQuestion;
  readonly response: string;
  /** For the record only, as far as the trainer says them: text or messages, and its step. */
  readonly prompt?: unknown;
  readonly step?: number;
};

type ScorerOptions = {
  readonly workers: number;
  /** How puzzles are paid; mathematics is right or wrong. */
  readonly reward: RewardName;
  /** How mathematics is graded. */
  readonly grading: GradingMode;
  /** Who is asked about answers of mathematics that are not equal by rule. */
  readonly judge?: Endpoint;
  /** How long an answer waits for the judge before it is graded without. */
  readonly judgeMs?: number;
  /** Of questions that are neither puzzles nor mathematics: a module, or an address. */
  readonly grader?: string;
  /** How long one puzzle rollout may take. */
  readonly puzzleMs?: number;
  /** How long one answer of mathematics may take. */
  readonly mathematicsMs?: number;
  readonly workerMemoryMb?: number;
};

const ownQuestion = (
  grader: string,
  id: string,
  prompt: string,
  rest: Pick<QuestionProblem, "answer" | "data"> = {},
): QuestionProblem => ({ kind: "question", id, prompt, grader, ...rest });

/** Where a rollout's score lies among those of puzzles and of everything else. */
type Place = (ofPuzzles: readonly Score[], ofOthers: readonly Score[]) => Score;

export class Scorer {
  readonly #pool: PuzzlePool;
  readonly #graders: ProblemGraders;
  readonly #close: () => Promise<void>;
  readonly #reward: RewardName;
  readonly #judge: AnswerJudge | undefined;
  readonly #grader: string | undefined;
  #abandoned = 0;

  private constructor(pool: PuzzlePool, options: ScorerOptions) {
    this.#pool = pool;
    this.#reward = options.reward;
    this.#judge = options.judge && new AnswerJudge(options.judge, (warning) => console.error(warning), options.judgeMs);
    this.#grader = options.grader;
    const { workers, mathematicsMs = 2_000 } = options;
    this.#graders = new ProblemGraders({
      mode: options.grading,
      judge: this.#judge,
      mathematics: () => new MathGrader({ workers, deadlineMs: mathematicsMs }),
    });
    this.#close = async () => {
      await Promise.all([pool.close(), this.#graders.close(), this.#judge?.close()]);
    };
  }

  static async start(options: ScorerOptions): Promise<Scorer> {
    const { workers, puzzleMs = 10_000, workerMemoryMb = 512 } = options;
    const pool = await startPuzzlePool({ workers, deadlineMs: puzzleMs, memoryMb: workerMemoryMb });
    const scorer = new Scorer(pool, options);
    try {
      // A grader that cannot be loaded is an error before anything is graded.
      if (options.grader !== undefined) await scorer.#graders.prepare([ownQuestion(options.grader, "asked", "")]);
    } catch (error) {
      await scorer.close();
      throw error;
    }
    return scorer;
  }

  get waiting(): number {
    return this.#pool.waiting;
  }

  /** Answers of mathematics that are still being graded although nobody waits for them any more. */
  get abandoned(): number {
    return this.#abandoned;
  }

  /** What the judge was asked and cost. */
  get judged(): JudgeCounts | undefined {
    return this.#judge?.counts;
  }

  get killedThreads(): number {
    return this.#pool.killed;
  }

  /** Scores in the order of the rollouts; rejects with the signal's reason when it aborts. */
  async score(rollouts: readonly RolloutToScore[], signal: AbortSignal): Promise<Score[]> {
    const puzzles: ScoringTask[] = [];
    const others: Promise<Score>[] = [];
    const places = rollouts.map(({ question, response, prompt }): Place => {
      if (question.kind === "unknown") {
        const failed = failedScore(question.because);
        return () => failed;
      }
      if (question.kind !== "puzzle") {
        const place = others.push(this.#grade(question, response, prompt)) - 1;
        return (_, scores) => scores[place];
      }
      const place = puzzles.push({ puzzle: question.puzzle, id: question.id, response, reward: this.#reward }) - 1;
      return (scores) => scores[place];
    });
    const [ofPuzzles, ofOthers] = await Promise.all([
      this.#pool.run(puzzles, signal),
      this.#unlessAborted(others, signal),
    ]);
    return places.map((place) => place(ofPuzzles, ofOthers));
  }

  close(): Promise<void> {
    return this.#close();
  }

  async #grade(question: Exclude<Question, { kind: "puzzle" }>, response: string, prompt: unknown): Promise<Score> {
    if (question.kind === "question") {
      if (this.#grader === undefined)
        return failedScore("its owner's grader decides this question: start the server with --grader");
      const { id, answer, data } = question;
      const asked = ownQuestion(this.#grader, id, promptText(prompt), { answer, data });
      try {
        return scoreOf(await this.#graders.of(asked)(response));
      } catch (error) {
        // That grader's fault, of this rollout alone.
        return failedScore(`the grader failed: ${messageOf(error)}`);
      }
    }
    const { answer, decimals, set } = question;
    const problem = { kind: "mathematics", id: "asked", prompt: "", answer, decimals, set } as const;
    return scoreOf(await this.#graders.of(problem)(response));
  }

  /** That grader cannot take work back, so work that outlives its request is counted until it is done. */
  #unlessAborted(work: readonly Promise<Score>[], signal: AbortSignal): Promise<Score[]> {
    let pending = work.length;
    const settled = () => {
      pending--;
      if (signal.aborted) this.#abandoned--;
    };
    for (const one of work) one.then(settled, settled);
    return new Promise((resolve, reject) => {
      const abandon = () => {
        this.#abandoned += pending;
        reject(signal.reason);
      };
      signal.addEventListener("abort", abandon, { once: true });
      Promise.all(work).then(resolve, reject);
    });
  }
}
