// The mathematics grader with a hard deadline, for Node: worker threads that are killed, not asked, when one answer takes
// too long, with warm spares so that the next answer does not wait for a new thread. Safe to call in parallel.
import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import { startWorker } from "../../base/worker-thread.ts";
import { type MathVerdict, refused } from "./grade.ts";
import type { FromGrader, ToGrader } from "./math-grader-worker.ts";
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

const defaults = { spares: 1, deadlineMs: 2_000, memoryMb: 512 } as const;

type Job = {
  readonly task: MathTask;
  readonly settle: (verdict: TimedMathVerdict) => void;
  readonly fail: (error: Error) => void;
};

/** What is sent at once: enough to keep a thread busy, little enough to move elsewhere when it is killed. */
const jobsAtOnce = 16;

export class MathGrader {
  readonly #options: Required<MathGraderOptions>;
  readonly #waiting: Job[] = [];
  readonly #threads = new Set<Thread>();
  #closed = false;

  constructor(options: MathGraderOptions = {}) {
    const workers = options.workers ?? Math.max(1, Math.min(4, availableParallelism() - 1));
    this.#options = { ...defaults, ...options, workers };
  }

  grade(gold: string, response: string, options: MathOptionsInput = {}): Promise<TimedMathVerdict> {
    return this.#enqueue({ gold, response, options });
  }

  /** Verdicts in the order of the tasks. */
  gradeAll(tasks: readonly MathTask[]): Promise<TimedMathVerdict[]> {
    return Promise.all(tasks.map((task) => this.#enqueue(task)));
  }

  /** Ends all threads; whatever was not graded yet is rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    const left = [...this.#waiting.splice(0), ...[...this.#threads].flatMap((thread) => thread.takeBack())];
    for (const job of left) job.fail(new Error("the math grader was closed before this answer was graded"));
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  #enqueue(task: MathTask): Promise<TimedMathVerdict> {
    if (this.#closed) return Promise.reject(new Error("the math grader is closed; make a new one"));
    return new Promise((settle, fail) => {
      // Wrong options are the caller's mistake, and no verdict.
      mathOptions(task.options);
      this.#waiting.push({ task, settle, fail });
      // Calls made in one go are sent in one go.
      if (this.#waiting.length === 1) queueMicrotask(() => this.#dispatch());
    });
  }

  #dispatch(): void {
    // Threads are started for work only: one that cannot start at all must not be tried again for nothing.
    if (this.#closed || this.#waiting.length === 0) return;
    while (this.#threads.size < this.#options.workers + this.#options.spares) this.#start();
    const busy = [...this.#threads].filter((thread) => thread.busy).length;
    let free = this.#options.workers - busy;
    for (const thread of this.#threads) {
      if (this.#waiting.length === 0 || free === 0) return;
      if (thread.busy) continue;
      const share = Math.ceil(this.#waiting.length / free);
      thread.give(this.#waiting.splice(0, Math.min(jobsAtOnce, share)));
      free--;
    }
  }

  #start(): void {
    const thread = new Thread(this.#options, {
      idle: () => this.#dispatch(),
      ended: (left) => {
        this.#threads.delete(thread);
        this.#waiting.unshift(...left);
        this.#dispatch();
      },
    });
    this.#threads.add(thread);
  }
}

type ThreadEvents = {
  readonly idle: () => void;
  /** The thread is gone; these jobs were given to it and not begun. */
  readonly ended: (left: readonly Job[]) => void;
};

/** One worker thread, the jobs it was given, and the clock of the one it is at. */
class Thread {
  readonly #worker: Worker;
  readonly #events: ThreadEvents;
  readonly #deadlineMs: number;
  /** How many answers the thread has finished, seen here even before its messages arrive. */
  readonly #finished = new Int32Array(new SharedArrayBuffer(4));
  readonly #jobs: Job[] = [];
  #received = 0;
  #ready = false;
  #clock: NodeJS.Timeout | undefined;

  constructor(options: Required<MathGraderOptions>, events: ThreadEvents) {
    this.#events = events;
    this.#deadlineMs = options.deadlineMs;
    this.#worker = startWorker(import.meta.url, "./math-grader-worker.ts", {
      workerData: { finished: this.#finished },
      resourceLimits: { maxOldGenerationSizeMb: options.memoryMb },
    });
    this.#worker.unref();
    this.#worker.on("message", (message: FromGrader) => this.#hear(message));
    this.#worker.on("error", (error: Error & { readonly code?: string }) => this.#died(error));
  }

  get busy(): boolean {
    return this.#jobs.length > 0;
  }

  give(jobs: readonly Job[]): void {
    this.#jobs.push(...jobs);
    this.#worker.ref();
    const message: ToGrader = { tasks: jobs.map((job) => job.task) };
    this.#worker.postMessage(message);
    this.#watch();
  }

  takeBack(): Job[] {
    return this.#jobs.splice(0);
  }

  async end(): Promise<void> {
    clearTimeout(this.#clock);
    await this.#worker.terminate();
  }

  #hear(message: FromGrader): void {
    if (message.kind === "ready") {
      this.#ready = true;
      this.#watch();
      return;
    }
    this.#received++;
    this.#jobs.shift()?.settle(message.verdict);
    this.#watch();
    if (this.#jobs.length > 0) return;
    this.#worker.unref();
    this.#events.idle();
  }

  /** Starts the clock of the answer that the thread is at. Starting up does not count. */
  #watch(): void {
    clearTimeout(this.#clock);
    if (!this.#ready || this.#jobs.length === 0) return;
    this.#clock = setTimeout(() => {
      // The message may be on its way while this thread was busy elsewhere.
      if (Atomics.load(this.#finished, 0) > this.#received) this.#watch();
      else void this.#kill(`it took longer than ${this.#deadlineMs} ms`);
    }, this.#deadlineMs);
  }

  async #kill(because: string): Promise<void> {
    const left = this.takeBack();
    left.shift()?.settle(cutShort(because, this.#deadlineMs));
    this.#events.ended(left);
    await this.#worker.terminate();
  }

  #died(error: Error & { readonly code?: string }): void {
    clearTimeout(this.#clock);
    const left = this.takeBack();
    if (error.code === "ERR_WORKER_OUT_OF_MEMORY") {
      left.shift()?.settle(cutShort("it ran out of memory", this.#deadlineMs));
      this.#events.ended(left);
      return;
    }
    // Not an answer's fault: a missing build, or our own bug. Whoever waits should know.
    for (const job of left) job.fail(error);
    this.#events.ended([]);
  }
}

const cutShort = (because: string, ms: number): TimedMathVerdict => ({ ...refused(because), ms });
