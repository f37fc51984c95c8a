// The engine and its worker threads: what they say to each other.
import { startWorker, WorkerCalls } from "../../base/worker-thread.ts";
import type { Sample } from "../engine.ts";
import type { Replica } from "./replica.ts";
import type { IndexedRequest } from "./runtime/sampler.ts";
import type { ThreadVerbs } from "./worker.ts";

/** A shared word: anything but 0 means that the work is no longer wanted. */
export type CancelFlag = Int32Array;

/** What the engine may ask for: what the thread does itself, and what its replica does. */
type Verbs = ThreadVerbs & Omit<Replica, keyof ThreadVerbs | "config" | "tokenizer" | "trainedCount">;

export type VerbCall = { readonly verb: keyof Verbs; readonly given: readonly unknown[] };

/** For the round of sampling that is going on; one that comes too late is for nobody. */
export type Offer = {
  readonly round: number;
  readonly requests: readonly IndexedRequest[];
  readonly last: boolean;
};

export type Drawn = { readonly index: number; readonly sample: Sample };

/** A call that the engine itself canceled; whoever asked for it gives the reason. */
export class CanceledError extends Error {
  override name = "Canceled";
}

/** Throws where the work is no longer wanted. */
export function refuseIfCanceled(cancel: CancelFlag): void {
  if (Atomics.load(cancel, 0) !== 0) throw new CanceledError("canceled");
}

export class ReplicaThread {
  readonly #calls = new WorkerCalls<VerbCall, Offer, Drawn>(startWorker(import.meta.url, "./worker.ts"), {
    errors: [CanceledError],
    hear: ({ index, sample }) => this.onSample(index, sample),
  });
  /** Hears of every response while sampling. */
  onSample: (index: number, sample: Sample) => void = () => {};

  call<V extends keyof Verbs>(verb: V, ...given: Parameters<Verbs[V]>): Promise<Awaited<ReturnType<Verbs[V]>>> {
    return this.#calls.call({ verb, given });
  }

  offer(round: number, requests: readonly IndexedRequest[], last: boolean): void {
    this.#calls.tell({ round, requests, last });
  }

  terminate(): Promise<void> {
    return this.#calls.end();
  }
}
