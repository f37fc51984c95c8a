// Scores for rollouts of any kind, in the order they came: puzzles in our pool, mathematics in the equivalence grader's.
import { equivalenceGrader } from "../evaluation/equivalence.ts";
import { type EquivalenceGrader, problemGrader } from "../evaluation/grading.ts";
import type { PuzzleTask } from "./puzzle-keys.ts";
import { PuzzlePool } from "./puzzle-pool.ts";
import type { Question, ReadQuestion } from "./question.ts";
import { failedScore, type Score, scoreOf } from "./score.ts";

export type RolloutToScore = { readonly question: ReadQuestion; readonly response: string };

export type ScorerOptions = {
  readonly workers: number;
  /** How long one puzzle rollout may take. */
  readonly puzzleMs?: number;
  /** How long one answer of mathematics may take. */
  readonly mathematicsMs?: number;
  readonly workerMemoryMb?: number;
};

export class Scorer {
  readonly #pool: PuzzlePool;
  readonly #equivalence: () => EquivalenceGrader;
  readonly #close: () => Promise<void>;
  #abandoned = 0;

  private constructor(pool: PuzzlePool, options: ScorerOptions) {
    this.#pool = pool;
    let grader: EquivalenceGrader | undefined;
    const { workers, mathematicsMs = 2_000 } = options;
    this.#equivalence = () => (grader ??= equivalenceGrader({ workers, deadlineMs: mathematicsMs }));
    this.#close = async () => {
      await Promise.all([pool.close(), grader?.close()]);
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

  get killedThreads(): number {
    return this.#pool.killed;
  }

  async score(rollouts: readonly RolloutToScore[], signal: AbortSignal): Promise<Score[]> {
    const puzzles: PuzzleTask[] = [];
    const scores = rollouts.map(({ question, response }) => {
      if (question.kind === "unknown") return failedScore(question.because);
      if (question.kind === "mathematics") return this.#mathematics(question, response, signal);
      return puzzles.push({ puzzle: question.puzzle, id: question.id, response }) - 1;
    });
    const graded = this.#pool.grade(puzzles, signal);
    const settled = await Promise.all([graded, ...scores.map((score) => (typeof score === "number" ? null : score))]);
    const fromPool = settled[0] as Score[];
    return scores.map((score, i) => (typeof score === "number" ? fromPool[score] : (settled[i + 1] as Score)));
  }

  close(): Promise<void> {
    return this.#close();
  }

  async #mathematics(
    question: Extract<Question, { kind: "mathematics" }>,
    response: string,
    signal: AbortSignal,
  ): Promise<Score> {
    const { answer, decimals, set } = question;
    const problem = { kind: "mathematics", id: "asked", prompt: "", answer, decimals, set } as const;
    const grade = problemGrader(problem, this.#equivalence);
    const asked = { problem: "asked", attempt: 0, policy: "", state: "complete", response } as const;
    return scoreOf(await this.#unlessAborted(grade(asked), signal));
  }

  /** That grader cannot take work back, so work that outlives its request is counted until it is done. */
  #unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const abandon = () => {
        this.#abandoned++;
        reject(signal.reason);
      };
      signal.addEventListener("abort", abandon, { once: true });
      work.then(resolve, reject).finally(() => {
        signal.removeEventListener("abort", abandon);
        if (signal.aborted) this.#abandoned--;
      });
    });
  }
}
