// The mathematics grader with a hard deadline, for Node: in worker threads that are killed, not asked, when one answer takes
// too long, with warm spares so that the next answer does not wait for a new thread. Safe to call in parallel.
import { availableParallelism } from "node:os";
import { DeadlinePool } from "../../base/deadline-pool.ts";
import { startWorker } from "../../base/worker-thread.ts";
import { type MathVerdict, refused } from "./grade.ts";
import { type MathOptionsInput, mathOptions } from "./options.ts";

export type MathTask = { readonly gold: string; readonly response: string; readonly options?: MathOptionsInput };

/** `ms`: how long the grading itself took, without waiting for a thread; the deadline where that cut it short. */
export type TimedMathVerdict = MathVerdict & { readonly ms: number };

export type MathGraderOptions = {
  /** Threads that grade; default one less than the machine has cores, at most four. */
  readonly workers?: number;
  /** Threads that wait, warm, to take a killed one's place. */
  readonly spares?: number;
  /** How long one answer may take before its thread is killed and the verdict is undecided. */
  readonly deadlineMs?: number;
  /** Memory that one thread may use before it dies, and with it the answer it was at. */
  readonly memoryMb?: number;
};

export class MathGrader {
  readonly #pool: DeadlinePool<MathTask, TimedMathVerdict>;

  constructor({ workers, spares = 1, deadlineMs = 2_000, memoryMb = 512 }: MathGraderOptions = {}) {
    this.#pool = new DeadlinePool({
      name: "the math grader",
      start: (options) => startWorker(import.meta.url, "./math-grader-worker.ts", options),
      workers: workers ?? Math.max(1, Math.min(4, availableParallelism() - 1)),
      ...{ spares, deadlineMs, memoryMb, tasksAtOnce: 16 },
      cutShort: (by) => ({
        ...refused(by === "memory" ? "it ran out of memory" : `it took longer than ${deadlineMs} ms`),
        ms: deadlineMs,
      }),
    });
  }

  async grade(gold: string, response: string, options: MathOptionsInput = {}): Promise<TimedMathVerdict> {
    return (await this.gradeAll([{ gold, response, options }]))[0];
  }

  /** Verdicts in the order of the tasks. */
  async gradeAll(tasks: readonly MathTask[]): Promise<TimedMathVerdict[]> {
    // Wrong options are the caller's mistake, and no verdict.
    for (const { options } of tasks) mathOptions(options);
    return this.#pool.run(tasks);
  }

  /** Ends all threads; whatever was not graded yet is rejected. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}
