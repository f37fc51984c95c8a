// The engine's side of one worker thread: calls that come back as promises.
import type { Worker } from "node:worker_threads";
import { ConfigurationError, DataError, EngineError } from "../../base/errors.ts";
import { MissingPackageError } from "../../base/optional-package.ts";
import { startWorker } from "../../base/worker-thread.ts";
import type { Sample } from "../engine.ts";
import type { IndexedRequest } from "./runtime/sampler.ts";
import { CanceledError, type FromWorker, type ToWorker, type Verb, type Verbs } from "./worker-protocol.ts";

type Waiting = { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void };

export class ReplicaThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;
  #failure: Error | undefined;
  /** Hears of every response while sampling. */
  onSample: (index: number, sample: Sample) => void = () => {};

  constructor() {
    this.#worker = startWorker(import.meta.url, "./worker.ts");
    this.#worker.on("message", (message: FromWorker) => this.#hear(message));
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", (code) => this.#fail(new EngineError(`the engine's worker thread ended (code ${code})`)));
    // An idle engine does not keep the process alive.
    this.#worker.unref();
  }

  call<V extends Verb>(verb: V, ...given: Parameters<Verbs[V]>): Promise<Awaited<ReturnType<Verbs[V]>>> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const id = this.#calls++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
      this.#worker.ref();
      this.#worker.postMessage({ kind: "call", id, verb, given } satisfies ToWorker);
    });
  }

  offer(round: number, requests: readonly IndexedRequest[], last: boolean): void {
    this.#worker.postMessage({ kind: "offer", round, requests, last } satisfies ToWorker);
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #hear(message: FromWorker): void {
    if (message.kind === "sample") {
      this.onSample(message.index, message.sample);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (message.kind === "result") waiting?.resolve(message.value as never);
    else waiting?.reject(revived(message));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }
}

const errors = [EngineError, DataError, ConfigurationError, MissingPackageError, CanceledError];

/** Errors lose their class between threads; those a user may meet get it back, the others keep their stack. */
function revived({ name, message, stack, system }: Extract<FromWorker, { kind: "error" }>): Error {
  const known = errors.map((Known) => new Known(message)).find((error) => error.name === name);
  return known ?? Object.assign(new Error(message), { name, stack, ...system });
}
