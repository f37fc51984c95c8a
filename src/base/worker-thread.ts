// Worker threads: how they start, and what is said between a thread and whoever asks it: calls that come back as promises, and
// messages that nobody answers. Work with a deadline is `deadline-pool.ts`'s, which speaks the same way.
import { parentPort, Worker, type WorkerOptions } from "node:worker_threads";
import { ConfigurationError, DataError, EngineError } from "./errors.ts";
import { MissingPackageError } from "./optional-package.ts";

/**
 * `startWorker(import.meta.url, "./worker.ts")`. Sources that run unbuilt (tests, benchmarks) start the build's copy, because a
 * worker thread starts from plain JavaScript.
 */
export function startWorker(importer: string, relative: string, options?: WorkerOptions): Worker {
  const source = new URL(relative, importer).href;
  const built = source.replace(/\/src\/(?!.*\/src\/)/, "/dist/").replace(/\.ts$/, ".js");
  // Flags of the main program, such as --input-type or a loader, are not meant for these files, and some would break them.
  return new Worker(new URL(built), { ...options, execArgv: [] });
}

/** With whoever began it, or by itself. */
export class ThreadEnded extends Error {
  override name = "ThreadEnded";
}

type Call<Given> = { readonly id: number; readonly given: Given };
type Thrown = {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  /** What the file system said, by which whoever reports it knows what to do. */
  readonly system: { readonly code?: string; readonly syscall?: string; readonly path?: string };
};
type Reply = { readonly id: number } & ({ readonly value: unknown } | { readonly failure: Thrown });
type Told<Message> = { readonly told: Message };

type Waiting = { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void };
type ErrorClass = new (message: string) => Error;

type CallerOptions<Heard> = {
  /** Hears of what the thread says without being asked. */
  readonly hear?: (message: Heard) => void;
  /** Errors that keep their class between threads, besides those that a user may meet. */
  readonly errors?: readonly ErrorClass[];
};

/** The side of whoever asks. A thread keeps the process alive only while somebody waits for it. */
export class WorkerCalls<Given, Said = never, Heard = never> {
  readonly #worker: Worker;
  readonly #options: CallerOptions<Heard>;
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;
  #failure: Error | undefined;

  constructor(worker: Worker, options: CallerOptions<Heard> = {}) {
    this.#worker = worker;
    this.#options = options;
    worker.on("message", (message: Reply | Told<Heard>) => this.#hear(message));
    worker.on("error", (error) => this.#fail(error));
    worker.on("exit", (code) => this.#fail(new ThreadEnded(`a worker thread ended by itself (code ${code})`)));
    worker.unref();
  }

  /** Whether the thread is gone. */
  get ended(): boolean {
    return this.#failure !== undefined;
  }

  call<Value>(given: Given): Promise<Value> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const id = this.#calls++;
    return new Promise<Value>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.ref();
      this.#worker.postMessage({ id, given } satisfies Call<Given>);
    });
  }

  tell(message: Said): void {
    this.#worker.postMessage({ told: message } satisfies Told<Said>);
  }

  /** Whoever still waits hears the reason. */
  async end(reason?: Error): Promise<void> {
    if (reason !== undefined) this.#fail(reason);
    await this.#worker.terminate();
  }

  #hear(message: Reply | Told<Heard>): void {
    if ("told" in message) {
      this.#options.hear?.(message.told);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if ("value" in message) waiting?.resolve(message.value as never);
    else waiting?.reject(this.#revived(message.failure));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }

  /** Errors lose their class between threads; those a user may meet get it back, the others keep their stack. */
  #revived({ name, message, stack, system }: Thrown): Error {
    const { errors = [] } = this.#options;
    const known = [...usualErrors, ...errors].map((Known) => new Known(message)).find((error) => error.name === name);
    return Object.assign(known ?? Object.assign(new Error(message), { name, stack }), system);
  }
}

const usualErrors: readonly ErrorClass[] = [ConfigurationError, DataError, EngineError, MissingPackageError];

/** The thread's side: answers every call. Returns how to say what nobody asked for. */
export function answerCalls<Given, Heard = never, Said = never>(
  perform: (given: Given) => unknown,
  hear: (message: Heard) => void = () => {},
): (message: Said) => void {
  if (parentPort === null) throw new Error("this file is a worker thread's");
  const port = parentPort;
  port.on("message", async (message: Call<Given> | Told<Heard>) => {
    if ("told" in message) return hear(message.told);
    const { id, given } = message;
    let reply: Reply;
    try {
      reply = { id, value: await perform(given) };
    } catch (error) {
      const failure: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
      const { name, message, stack, code, syscall, path } = failure;
      reply = { id, failure: { name, message, stack, system: { code, syscall, path } } };
    }
    port.postMessage(reply);
  });
  return (message) => port.postMessage({ told: message } satisfies Told<Said>);
}
