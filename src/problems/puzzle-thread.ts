// Puzzles with a limit on time that is one: the work is done in a thread, and a thread that takes longer is ended.
import { DeadlinePool } from "../base/deadline-pool.ts";
import { UserError } from "../base/errors.ts";
import { startWorker } from "../base/worker-thread.ts";
import { type Generated, GenerationError, ImpossibleRequestError, OutOfTimeError } from "../puzzles/puzzle.ts";
import type { Drawn } from "../puzzles/splits.ts";
import type { DrawTask, PuzzleTask } from "./puzzle-tasks.ts";

export type { PuzzleTask } from "./puzzle-tasks.ts";

export type FromPuzzleThread =
  | { readonly kind: "done"; readonly answer: unknown }
  | { readonly kind: "refused"; readonly message: string; readonly failure: keyof typeof refusals };

/** The limit was reached, or the memory of the thread. */
export class OutOfTime extends UserError {
  override name = "OutOfTime";
}

const refusals = {
  impossible: ImpossibleRequestError,
  "not-found": GenerationError,
  request: UserError,
  "cut-short": OutOfTime,
};

const memoryMb = 4_096;

/** One thread, one task at a time; started with the first task and again after one was ended. */
export class PuzzleThread {
  /** Ends what the thread is at, and whatever it is given after that, with its reason. */
  signal: AbortSignal | undefined;
  readonly #limitSeconds: number;
  #pool: DeadlinePool<PuzzleTask, FromPuzzleThread> | undefined;

  constructor(limitSeconds: number) {
    this.#limitSeconds = limitSeconds;
  }

  /** Rejects with OutOfTime at the limit, with a UserError for what the task itself refuses. */
  async run(task: PuzzleTask): Promise<unknown> {
    const { signal } = this;
    signal?.throwIfAborted();
    this.#pool ??= threadPool(this.#limitSeconds);
    const abort = () => void this.close();
    signal?.addEventListener("abort", abort);
    try {
      const [message] = await this.#pool.run([task]);
      if (message.kind === "refused") throw new refusals[message.failure](message.message);
      return message.answer;
    } catch (error) {
      // What was closed because of the signal ends with the signal's reason.
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  /** A draw that takes too long is one that found nothing. */
  async draw(task: Omit<DrawTask, "task">): Promise<Drawn> {
    try {
      return (await this.run({ task: "draw", ...task })) as Generated<unknown, unknown>;
    } catch (error) {
      if (error instanceof GenerationError) return error;
      if (error instanceof OutOfTime) return new OutOfTimeError(error.message);
      throw error;
    }
  }

  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await pool?.close();
  }
}

const threadPool = (limitSeconds: number) =>
  new DeadlinePool<PuzzleTask, FromPuzzleThread>({
    name: "a puzzle thread",
    start: (options) => startWorker(import.meta.url, "./puzzle-thread-worker.ts", options),
    ...{ workers: 1, spares: 0, deadlineMs: 1000 * limitSeconds, memoryMb, tasksAtOnce: 1 },
    cutShort: (by) => ({
      ...{ kind: "refused", failure: "cut-short" },
      message:
        by === "memory"
          ? `not done with ${memoryMb} MB of memory; ask for a smaller board`
          : `not done within ${limitSeconds} seconds; give it more with --time-limit`,
    }),
  });
