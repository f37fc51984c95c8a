// Scores for rollouts of any kind, in the order they came: puzzles in our pool, mathematics in the equivalence grader's.
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { GradingMode } from "../grading/math/options.ts";
import type { RewardName } from "../grading/reward.ts";
import { AnswerJudge, cascade, type JudgeCounts } from "../rollouts/answer-judge.ts";
import { equivalenceGrader } from "../rollouts/equivalence.ts";
import { ProblemGraders } from "../rollouts/problem-grading.ts";
import type { ScoringTask } from "./puzzle-keys.ts";
import { PuzzlePool } from "./puzzle-pool.ts";
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
  /** How long one puzzle rollout may take. */
  readonly puzzleMs?: number;
  /** How long one answer of mathematics may take. */
  readonly mathematicsMs?: number;
  readonly workerMemoryMb?: number;
};

/** Where a rollout's score lies among those of puzzles and of mathematics. */
type Place = (ofPuzzles: readonly Score[], ofMathematics: readonly Score[]) => Score;

export class Scorer {
  readonly #pool: PuzzlePool;
  readonly #graders: ProblemGraders;
  readonly #close: () => Promise<void>;
  readonly #reward: RewardName;
  readonly #judge: AnswerJudge | undefined;
  #abandoned = 0;

  private constructor(pool: PuzzlePool, options: ScorerOptions) {
    this.#pool = pool;
    this.#reward = options.reward;
    this.#judge = options.judge && new AnswerJudge(options.judge, (warning) => console.error(warning));
    const { workers, mathematicsMs = 2_000 } = options;
    this.#graders = new ProblemGraders({
      equivalence: () => {
        const grader = equivalenceGrader({ workers, deadlineMs: mathematicsMs, mode: options.grading });
        return this.#judge === undefined ? grader : cascade(grader, this.#judge);
      },
    });
    this.#close = async () => {
      await Promise.all([pool.close(), this.#graders.close()]);
    };
  }

  static async start(options: ScorerOptions): Promise<Scorer> {
    const { workers, puzzleMs = 10_000, workerMemoryMb = 512 } = options;
    return new Scorer(await PuzzlePool.start({ workers, stuckMs: puzzleMs, memoryMb: workerMemoryMb }), options);
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
    const mathematics: Promise<Score>[] = [];
    const places = rollouts.map(({ question, response }): Place => {
      if (question.kind === "unknown") {
        const failed = failedScore(question.because);
        return () => failed;
      }
      if (question.kind === "mathematics") {
        const place = mathematics.push(this.#grade(question, response)) - 1;
        return (_, scores) => scores[place];
      }
      const place = puzzles.push({ puzzle: question.puzzle, id: question.id, response, reward: this.#reward }) - 1;
      return (scores) => scores[place];
    });
    const [ofPuzzles, ofMathematics] = await Promise.all([
      this.#pool.grade(puzzles, signal),
      this.#unlessAborted(mathematics, signal),
    ]);
    return places.map((place) => place(ofPuzzles, ofMathematics));
  }

  close(): Promise<void> {
    return this.#close();
  }

  async #grade(question: Extract<Question, { kind: "mathematics" }>, response: string): Promise<Score> {
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
