// Puzzle rollouts graded in worker threads. Rollouts of all requests share one queue, so that many small requests cost
// as little as one large one. A thread that is stuck on a rollout is killed, and only that rollout fails.
import type { Worker } from "node:worker_threads";
import { startWorker } from "../base/worker-thread.ts";
import type { ScoringTask } from "./puzzle-keys.ts";
import type { FromPuzzleWorker, ToPuzzleWorker } from "./puzzle-pool-worker.ts";
import { failedScore, type Score } from "./score.ts";

type PuzzlePoolOptions = {
  readonly workers: number;
  /** How long one rollout may take before its thread is killed. */
  readonly stuckMs: number;
  /** Memory that one thread may use before it dies, and with it the rollout it was at. */
  readonly memoryMb: number;
};

type Job = {
  readonly task: ScoringTask;
  readonly signal: AbortSignal;
  readonly settle: (score: Score) => void;
  readonly fail: (error: Error) => void;
};

/** Enough that handing over costs little beside grading, few enough that both threads have work. */
const jobsAtOnce = 64;

export class PuzzlePool {
  readonly #options: PuzzlePoolOptions;
  readonly #threads = new Set<Thread>();
  #waiting: Job[] = [];
  #dispatching = false;
  #closed = false;
  #killed = 0;

  private constructor(options: PuzzlePoolOptions) {
    this.#options = options;
  }

  /** Resolves when every thread has started, so that a missing build is noticed before the first request. */
  static async start(options: PuzzlePoolOptions): Promise<PuzzlePool> {
    const pool = new PuzzlePool(options);
    const threads = Array.from({ length: options.workers }, () => pool.#start());
    await Promise.all(threads.map((thread) => thread.ready));
    return pool;
  }

  /** Rollouts that no thread has taken yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Threads that were killed or died on a rollout since the start. */
  get killed(): number {
    return this.#killed;
  }

  /** Scores in the order of the tasks. Rollouts not begun when the signal aborts are dropped, and the promise rejects. */
  grade(tasks: readonly ScoringTask[], signal: AbortSignal): Promise<Score[]> {
    if (this.#closed) return Promise.reject(new Error("the puzzle pool is closed"));
    if (tasks.length === 0) return Promise.resolve([]);
    // A thread that broke is replaced when there is work again, not at once: what broke it may still be there.
    while (this.#threads.size < this.#options.workers) this.#start();
    return new Promise((resolve, reject) => {
      const scores = new Array<Score>(tasks.length);
      let left = tasks.length;
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      tasks.forEach((task, i) => {
        const settle = (score: Score) => {
          scores[i] = score;
          if (--left === 0) resolve(scores);
        };
        this.#waiting.push({ task, signal, settle, fail: reject });
      });
      this.#dispatchSoon();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#waiting.splice(0)) job.fail(new Error("the puzzle pool was closed"));
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  /** Requests that arrive in one turn of the event loop are handed over together. */
  #dispatchSoon(): void {
    if (this.#dispatching) return;
    this.#dispatching = true;
    setImmediate(() => {
      this.#dispatching = false;
      this.#dispatch();
    });
  }

  #dispatch(): void {
    if (this.#closed || this.#waiting.length === 0) return;
    const idle = [...this.#threads].filter((thread) => !thread.busy);
    if (idle.length === 0) return;
    this.#waiting = this.#waiting.filter(({ signal }) => !signal.aborted);
    idle.forEach((thread, i) => {
      const share = Math.ceil(this.#waiting.length / (idle.length - i));
      if (share > 0) thread.assign(this.#waiting.splice(0, Math.min(jobsAtOnce, share)));
    });
  }

  #start(): Thread {
    const thread = new Thread(this.#options, {
      idle: () => this.#dispatch(),
      ended: (left) => {
        this.#threads.delete(thread);
        if (this.#closed) return;
        this.#killed++;
        this.#waiting.unshift(...left);
        this.#start();
        this.#dispatch();
      },
      broken: (jobs, error) => {
        this.#threads.delete(thread);
        for (const job of [...jobs, ...this.#waiting.splice(0)]) job.fail(error);
      },
    });
    this.#threads.add(thread);
    return thread;
  }
}

type ThreadEvents = {
  readonly idle: () => void;
  /** The thread is gone; these jobs were given to it and have no score. */
  readonly ended: (left: readonly Job[]) => void;
  /** The thread failed for a reason that is no rollout's: a missing build, or our own bug. */
  readonly broken: (jobs: readonly Job[], error: Error) => void;
};

class Thread {
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #events: ThreadEvents;
  readonly #stuckMs: number;
  /** Which of its jobs the thread is at, seen here while it works. */
  readonly #at = new Int32Array(new SharedArrayBuffer(4));
  #jobs: readonly Job[] = [];
  #started = false;
  #ended = false;
  #clock: NodeJS.Timeout | undefined;

  constructor(options: PuzzlePoolOptions, events: ThreadEvents) {
    this.#events = events;
    this.#stuckMs = options.stuckMs;
    this.#worker = startWorker(import.meta.url, "./puzzle-pool-worker.ts", {
      workerData: { at: this.#at },
      resourceLimits: { maxOldGenerationSizeMb: options.memoryMb },
    });
    this.ready = new Promise((resolve, reject) => {
      this.#worker.on("error", (error: Error & { readonly code?: string }) => {
        reject(error);
        this.#died(error);
      });
      this.#worker.on("message", (message: FromPuzzleWorker) => {
        if ("ready" in message) {
          this.#started = true;
          this.#watch(-1);
          resolve();
        } else this.#settle(message.scores);
      });
    });
    // A later thread that cannot start fails the jobs it was given; nobody waits for its `ready`.
    this.ready.catch(() => {});
  }

  get busy(): boolean {
    return this.#jobs.length > 0;
  }

  assign(jobs: readonly Job[]): void {
    this.#jobs = jobs;
    Atomics.store(this.#at, 0, 0);
    const message: ToPuzzleWorker = { tasks: jobs.map((job) => job.task) };
    this.#worker.postMessage(message);
    this.#watch(-1);
  }

  async end(): Promise<void> {
    clearTimeout(this.#clock);
    for (const job of this.#jobs) job.fail(new Error("the puzzle pool was closed"));
    await this.#worker.terminate();
  }

  #settle(scores: readonly Score[]): void {
    if (this.#ended) return;
    clearTimeout(this.#clock);
    const jobs = this.#jobs;
    this.#jobs = [];
    jobs.forEach((job, i) => {
      job.settle(scores[i]);
    });
    this.#events.idle();
  }

  /** Kills the thread when it is still at the job that it was at one interval ago. Starting up does not count. */
  #watch(seenAt: number): void {
    clearTimeout(this.#clock);
    if (!this.#started || this.#jobs.length === 0) return;
    this.#clock = setTimeout(() => {
      const at = Atomics.load(this.#at, 0);
      if (at !== seenAt) return this.#watch(at);
      this.#end(`grading took longer than ${this.#stuckMs} ms`);
      void this.#worker.terminate();
    }, this.#stuckMs);
  }

  #died(error: Error & { readonly code?: string }): void {
    if (error.code === "ERR_WORKER_OUT_OF_MEMORY") {
      this.#end("grading ran out of memory");
      return;
    }
    clearTimeout(this.#clock);
    this.#ended = true;
    this.#events.broken(this.#jobs, error);
    this.#jobs = [];
  }

  #end(because: string): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#clock);
    const at = Atomics.load(this.#at, 0);
    const jobs = this.#jobs;
    this.#jobs = [];
    jobs[at]?.settle(failedScore(because));
    this.#events.ended(jobs.filter((_, i) => i !== at));
  }
}
