// Puzzles with a limit on time that is one: the work is done in a thread, and a thread that takes longer is ended.
import type { Worker } from "node:worker_threads";
import { UserError } from "../base/errors.ts";
import { startWorker } from "../base/worker-thread.ts";
import { type Generated, GenerationError, ImpossibleRequestError, OutOfTimeError } from "../puzzles/puzzle.ts";
import type { Drawn } from "../puzzles/splits.ts";
import type { DrawTask, PuzzleTask } from "./puzzle-tasks.ts";

export type { PuzzleTask } from "./puzzle-tasks.ts";

export type FromPuzzleThread =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly answer: unknown }
  | { readonly kind: "refused"; readonly message: string; readonly failure: "impossible" | "not-found" | "request" };

/** The limit was reached, or the memory of the thread. */
export class OutOfTime extends UserError {
  override name = "OutOfTime";
}

const refusals = { impossible: ImpossibleRequestError, "not-found": GenerationError, request: UserError };

const memoryMb = 4_096;

/** One thread, one task at a time; started with the first task and again after one was ended. */
export class PuzzleThread {
  /** Ends what the thread is at, and whatever it is given after that, with its reason. */
  signal: AbortSignal | undefined;
  readonly #limitSeconds: number;
  #worker: Worker | undefined;
  #ready: Promise<void> | undefined;
  #settle: ((message: FromPuzzleThread | Error) => void) | undefined;

  constructor(limitSeconds: number) {
    this.#limitSeconds = limitSeconds;
  }

  /** Rejects with OutOfTime at the limit, with a UserError for what the task itself refuses. */
  async run(task: PuzzleTask): Promise<unknown> {
    await this.#started();
    const { signal } = this;
    signal?.throwIfAborted();
    const worker = this.#worker!;
    let clock: NodeJS.Timeout | undefined;
    const abort = () => this.#settle?.(signal?.reason);
    const message = await new Promise<FromPuzzleThread | Error>((resolve) => {
      this.#settle = resolve;
      signal?.addEventListener("abort", abort);
      clock = setTimeout(
        () => resolve(new OutOfTime(`not done within ${this.#limitSeconds} seconds; give it more with --time-limit`)),
        1000 * this.#limitSeconds,
      );
      worker.postMessage(task);
    });
    clearTimeout(clock);
    signal?.removeEventListener("abort", abort);
    if (message instanceof Error) {
      await this.close();
      throw message;
    }
    if (message.kind === "done") return message.answer;
    if (message.kind === "refused") throw new refusals[message.failure](message.message);
    throw new Error("a puzzle thread was ready twice");
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
    const worker = this.#worker;
    this.#worker = undefined;
    this.#ready = undefined;
    await worker?.terminate();
  }

  #started(): Promise<void> {
    this.#ready ??= new Promise((resolve, reject) => {
      const worker = startWorker(import.meta.url, "./puzzle-thread-worker.ts", {
        resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      });
      this.#worker = worker;
      worker.on("message", (message: FromPuzzleThread) => {
        if (message.kind === "ready") resolve();
        else this.#settle?.(message);
      });
      worker.on("error", (error: Error & { readonly code?: string }) => {
        const full = error.code === "ERR_WORKER_OUT_OF_MEMORY";
        const told = full ? new OutOfTime(`not done with ${memoryMb} MB of memory; ask for a smaller board`) : error;
        reject(told);
        this.#settle?.(told);
      });
    });
    return this.#ready;
  }
}
