// Tasks in worker threads with a hard deadline: a thread that is stuck is killed, not asked, and only the task that it was
// at fails. Tasks of all callers share one queue, so that many small requests cost as little as one large one.
import { type Worker, type WorkerOptions, workerData } from "node:worker_threads";
import { answerCalls, WorkerCalls } from "./worker-thread.ts";

type DeadlinePoolOptions<Answer> = {
  /** In messages: `the math grader`. */
  readonly name: string;
  /** Starts a thread whose file calls `answerTasks`. */
  readonly start: (options: WorkerOptions) => Worker;
  readonly workers: number;
  /** Threads that wait, warm, to take a killed one's place. */
  readonly spares: number;
  /** How long one task may take before its thread is killed. */
  readonly deadlineMs: number;
  /** Memory that one thread may use before it dies, and with it the task it was at. */
  readonly memoryMb: number;
  /** What a thread is given at once: enough that handing over costs little, little enough to move elsewhere. */
  readonly tasksAtOnce: number;
  /** The answer to a task that took too long, or too much memory. */
  readonly cutShort: (by: "deadline" | "memory") => Answer;
};

type Job<Task, Answer> = {
  readonly task: Task;
  readonly signal?: AbortSignal;
  readonly settle: (answer: Answer) => void;
  readonly fail: (error: Error) => void;
};

export class DeadlinePool<Task, Answer> {
  readonly #options: DeadlinePoolOptions<Answer>;
  readonly #threads = new Set<Thread<Task, Answer>>();
  #waiting: Job<Task, Answer>[] = [];
  #dispatching = false;
  #closed = false;
  #killed = 0;

  constructor(options: DeadlinePoolOptions<Answer>) {
    this.#options = options;
  }

  /** Resolves when every thread has started, so that a missing build is noticed before the first task. */
  async ready(): Promise<void> {
    this.#startMissing();
    await Promise.all([...this.#threads].map((thread) => thread.ready));
  }

  /** Tasks that no thread has taken yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Threads that were killed or died on a task since the start. */
  get killed(): number {
    return this.#killed;
  }

  /** Answers in the order of the tasks. Tasks not begun when the signal aborts are dropped, and the promise rejects. */
  run(tasks: readonly Task[], signal?: AbortSignal): Promise<Answer[]> {
    if (this.#closed) return Promise.reject(new Error(`${this.#options.name} is closed; make a new one`));
    if (tasks.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      const answers = new Array<Answer>(tasks.length);
      let left = tasks.length;
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      tasks.forEach((task, i) => {
        const settle = (answer: Answer) => {
          answers[i] = answer;
          if (--left === 0) resolve(answers);
        };
        this.#waiting.push({ task, signal, settle, fail: reject });
      });
      this.#dispatchSoon();
    });
  }

  /** Ends all threads; whatever was not answered yet is rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    const left = [...this.#waiting.splice(0), ...[...this.#threads].flatMap((thread) => thread.takeBack())];
    for (const job of left) job.fail(new Error(`${this.#options.name} was closed before this was done`));
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  /** Tasks that arrive in one turn of the event loop are handed over together. */
  #dispatchSoon(): void {
    if (this.#dispatching) return;
    this.#dispatching = true;
    setImmediate(() => {
      this.#dispatching = false;
      this.#dispatch();
    });
  }

  #dispatch(): void {
    // A thread that broke is replaced when there is work again, not at once: what broke it may still be there.
    if (this.#closed || this.#waiting.length === 0) return;
    this.#startMissing();
    const idle = [...this.#threads].filter((thread) => !thread.busy);
    const free = idle.slice(0, Math.max(0, idle.length - this.#options.spares));
    if (free.length === 0) return;
    this.#waiting = this.#waiting.filter(({ signal }) => !signal?.aborted);
    free.forEach((thread, i) => {
      const share = Math.ceil(this.#waiting.length / (free.length - i));
      if (share > 0) thread.give(this.#waiting.splice(0, Math.min(this.#options.tasksAtOnce, share)));
    });
  }

  #startMissing(): void {
    for (const thread of this.#threads) if (thread.ended) this.#threads.delete(thread);
    while (this.#threads.size < this.#options.workers + this.#options.spares) this.#start();
  }

  #start(): void {
    const thread = new Thread<Task, Answer>(this.#options, {
      idle: () => this.#dispatch(),
      killed: (left) => {
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
  }
}

type ThreadEvents<Task, Answer> = {
  readonly idle: () => void;
  /** The thread is gone; these jobs were given to it and have no answer. */
  readonly killed: (left: readonly Job<Task, Answer>[]) => void;
  /** The thread failed for a reason that is no task's: a missing build, or our own bug. */
  readonly broken: (jobs: readonly Job<Task, Answer>[], error: Error) => void;
};

/** Places in what a thread shows while it works: which of its tasks it is at, and since when; 0 where it is at none. */
const [place, since] = [0, 1];

/** One worker thread, the jobs it was given, and the clock of the one it is at. */
class Thread<Task, Answer> {
  readonly ready: Promise<void>;
  readonly #calls: WorkerCalls<readonly Task[], never, readonly Answer[]>;
  readonly #options: DeadlinePoolOptions<Answer>;
  readonly #events: ThreadEvents<Task, Answer>;
  readonly #progress = new BigInt64Array(new SharedArrayBuffer(16));
  #jobs: Job<Task, Answer>[] = [];
  /** Of the jobs that it was given last. */
  #answered = 0;
  #over = false;
  #clock: NodeJS.Timeout | undefined;

  constructor(options: DeadlinePoolOptions<Answer>, events: ThreadEvents<Task, Answer>) {
    this.#options = options;
    this.#events = events;
    const worker = options.start({
      workerData: this.#progress,
      resourceLimits: { maxOldGenerationSizeMb: options.memoryMb },
    });
    this.#calls = new WorkerCalls(worker, { hear: (answers) => this.#settle(answers) });
    this.ready = this.#calls.call([]);
    // One that cannot start fails the jobs it was given; nobody may be waiting for its `ready`.
    this.ready.catch(() => {});
  }

  get busy(): boolean {
    return this.#jobs.length > 0;
  }

  get ended(): boolean {
    return this.#calls.ended;
  }

  give(jobs: readonly Job<Task, Answer>[]): void {
    this.#jobs = [...jobs];
    this.#answered = 0;
    Atomics.store(this.#progress, place, 0n);
    this.#calls.call<readonly Answer[]>(jobs.map(({ task }) => task)).then(
      (answers) => this.#settle(answers),
      (error: Error) => this.#died(error),
    );
    this.#watch(this.#options.deadlineMs);
  }

  takeBack(): Job<Task, Answer>[] {
    return this.#jobs.splice(0);
  }

  async end(): Promise<void> {
    this.#over = true;
    clearTimeout(this.#clock);
    await this.#calls.end();
  }

  #settle(answers: readonly Answer[]): void {
    this.#answered += answers.length;
    for (const [i, job] of this.#jobs.splice(0, answers.length).entries()) job.settle(answers[i]);
    if (this.busy) return;
    clearTimeout(this.#clock);
    this.#events.idle();
  }

  /** Which of the jobs that are left it is at. */
  get #at(): number {
    return Number(Atomics.load(this.#progress, place)) - this.#answered;
  }

  /** Starting up, and answers on their way, do not count. */
  #watch(ms: number): void {
    const { deadlineMs } = this.#options;
    this.#clock = setTimeout(() => {
      const at = this.#at;
      const begun = Atomics.load(this.#progress, since);
      const left = begun === 0n ? deadlineMs : deadlineMs - Number(process.hrtime.bigint() - begun) / 1e6;
      if (left > 0) return this.#watch(left);
      void this.end();
      this.#cutShort(at, "deadline");
    }, ms);
  }

  #died(error: Error & { readonly code?: string }): void {
    if (this.#over) return;
    void this.end();
    if (error.code === "ERR_WORKER_OUT_OF_MEMORY") this.#cutShort(this.#at, "memory");
    else this.#events.broken(this.takeBack(), error);
  }

  #cutShort(at: number, by: "deadline" | "memory"): void {
    const [job] = this.#jobs.splice(at, 1);
    job?.settle(this.#options.cutShort(by));
    this.#events.killed(this.takeBack());
  }
}

/** Quick answers are handed over together, slow ones as they come: a thread that is killed must not take them along. */
const handOverMs = 5;

/** The thread's side: answers one task after another, and shows which it is at. */
export function answerTasks<Task, Answer>(answer: (task: Task) => Answer): void {
  const progress = workerData as BigInt64Array;
  const tell = answerCalls<readonly Task[], never, readonly Answer[]>((tasks) => {
    let answers: Answer[] = [];
    let handedOver = performance.now();
    for (const [i, task] of tasks.entries()) {
      if (performance.now() - handedOver > handOverMs) {
        tell(answers);
        [answers, handedOver] = [[], performance.now()];
      }
      // In this order: who reads the place first never takes the last task's time for this one's.
      Atomics.store(progress, since, process.hrtime.bigint());
      Atomics.store(progress, place, BigInt(i));
      answers.push(answer(task));
      Atomics.store(progress, since, 0n);
    }
    return answers;
  });
}
