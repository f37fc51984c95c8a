// The worker thread of an embedded engine: a replica, and what it is asked for.
import { parentPort } from "node:worker_threads";
import { Replica, type ReplicaOptions } from "./replica.ts";
import { type CancelFlag, type FromWorker, refuseIfCanceled, type ToWorker } from "./replica-thread.ts";
import type { IndexedRequest } from "./runtime/sampler.ts";

if (parentPort === null) throw new Error("this file is a worker thread's");
const port = parentPort;
const send = (message: FromWorker) => port.postMessage(message);

let replica: Replica | undefined;

/** Requests offered in the current round of sampling, and whether more may come. */
let offers = newRound(-1);

function newRound(round: number) {
  return { round, queue: [] as IndexedRequest[], last: false, wake: () => {} };
}

export type ThreadVerbs = typeof verbs;

/** What is not the replica's own. */
const verbs = {
  create: async (options: ReplicaOptions) => {
    replica = await Replica.create(options);
    return { trainedCount: replica.trainedCount, contextLength: replica.config.contextLength };
  },
  /** Draws until the last request has been offered and nothing is left. */
  sample: async (round: number, cancel: CancelFlag): Promise<void> => {
    if (offers.round !== round) offers = newRound(round);
    for (;;) {
      await replica?.sample(
        () => offers.queue.shift(),
        (index, sample) => send({ kind: "sample", index, sample }),
        () => refuseIfCanceled(cancel),
      );
      if (offers.queue.length > 0) continue;
      if (offers.last) return;
      await new Promise<void>((resolve) => {
        offers.wake = resolve;
      });
    }
  },
};

port.on("message", async (message: ToWorker) => {
  if (message.kind === "offer") {
    if (message.round !== offers.round) return;
    offers.queue.push(...message.requests);
    offers.last ||= message.last;
    offers.wake();
    return;
  }
  const { id, verb, given } = message;
  try {
    const asked = (verb in verbs ? verbs : replica) as unknown as Record<string, (...given: unknown[]) => unknown>;
    send({ kind: "result", id, value: await asked[verb](...given) });
  } catch (error) {
    const failure: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
    const { name, message: text, stack, code, syscall, path } = failure;
    send({ kind: "error", id, name, message: text, stack, system: { code, syscall, path } });
  }
});
