// What the engine and its worker threads say to each other: methods of a replica by name, and requests to sample.
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
