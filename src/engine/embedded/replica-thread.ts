// The engine and its worker threads: what they say to each other, and calls that come back as promises.
import type { Worker } from "node:worker_threads";
import { ConfigurationError, DataError, EngineError } from "../../base/errors.ts";
import { MissingPackageError } from "../../base/optional-package.ts";
import { startWorker } from "../../base/worker-thread.ts";
import type { Sample } from "../engine.ts";
import type { Replica } from "./replica.ts";
import type { IndexedRequest } from "./runtime/sampler.ts";
import type { ThreadVerbs } from "./worker.ts";

/** A shared word: anything but 0 means that the work is no longer wanted. */
export type CancelFlag = Int32Array;

/** What the engine may ask for: what the thread does itself, and what its replica does. */
export type Verbs = ThreadVerbs & Omit<Replica, keyof ThreadVerbs | "config" | "tokenizer" | "trainedCount">;
export type Verb = keyof Verbs;

export type ToWorker =
  | { readonly kind: "call"; readonly id: number; readonly verb: Verb; readonly given: readonly unknown[] }
  /** For the round of sampling that is going on; one that comes too late is for nobody. */
  | {
      readonly kind: "offer";
      readonly round: number;
      readonly requests: readonly IndexedRequest[];
      readonly last: boolean;
    };

export type FromWorker =
  | { readonly kind: "result"; readonly id: number; readonly value: unknown }
  | {
      readonly kind: "error";
      readonly id: number;
      readonly name: string;
      readonly message: string;
      readonly stack?: string;
      /** What the file system said, by which whoever reports it knows what to do. */
      readonly system: { readonly code?: string; readonly syscall?: string; readonly path?: string };
    }
  | { readonly kind: "sample"; readonly index: number; readonly sample: Sample };

/** A call that the engine itself canceled; whoever asked for it gives the reason. */
export class CanceledError extends Error {
  override name = "Canceled";
}

/** Throws where the work is no longer wanted. */
export function refuseIfCanceled(cancel: CancelFlag): void {
  if (Atomics.load(cancel, 0) !== 0) throw new CanceledError("canceled");
}

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
