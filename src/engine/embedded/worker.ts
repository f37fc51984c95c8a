// The worker thread of an embedded engine: a replica, and the verbs it is asked for.
import { parentPort } from "node:worker_threads";
import { Replica } from "./replica.ts";
import type { IndexedRequest } from "./runtime/sampler.ts";
import {
  type CancelFlag,
  canceledName,
  type FromWorker,
  type ToWorker,
  type Verb,
  type Verbs,
} from "./worker-protocol.ts";

if (parentPort === null) throw new Error("this file is a worker thread's");
const port = parentPort;
const send = (message: FromWorker) => port.postMessage(message);

let replica: Replica | undefined;

/** Requests offered in the current round of sampling, and whether more may come. */
let offers = newRound(-1);

function newRound(round: number) {
  return { round, queue: [] as IndexedRequest[], last: false, wake: () => {} };
}

type Handlers = { [V in Verb]: (given: Verbs[V]["arguments"]) => Promise<Verbs[V]["result"]> };

const handlers: Handlers = {
  create: async (options) => {
    replica = await Replica.create(options);
    return { trainedCount: replica.trainedCount, contextLength: replica.config.contextLength };
  },
  sample: async ({ round, cancel }) => {
    const checkpoint = checkpointOf(cancel);
    if (offers.round !== round) offers = newRound(round);
    for (;;) {
      await the().sample(
        () => offers.queue.shift(),
        (index, sample) => send({ kind: "sample", index, sample }),
        checkpoint,
      );
      if (offers.queue.length > 0) continue;
      if (offers.last) return undefined;
      await new Promise<void>((resolve) => {
        offers.wake = resolve;
      });
    }
  },
  score: ({ sequences, options, cancel }) => the().score(sequences, options, checkpointOf(cancel)),
  accumulate: ({ sequences, weights, options, cancel }) =>
    the().accumulate(sequences, weights, options, checkpointOf(cancel)),
  forgetGradient: async () => void the().forgetGradient(),
  shareGradient: async ({ target }) => void the().shareGradient(target),
  addUpGradient: async ({ shared }) => the().addUpGradient(shared),
  update: async ({ optimizer, norm, target }) => void the().update(optimizer, norm, target),
  takeWeights: async ({ source }) => void the().takeWeights(source),
  shareMoments: async ({ momentum, variance }) => void the().shareMoments(momentum, variance),
  save: async ({ folder, shared }) => void (await the().save(folder, shared)),
  exportModel: async ({ folder }) => void (await the().exportModel(folder)),
  load: async ({ folder }) => void (await the().load(folder)),
  forgetFrozen: async ({ folder }) => void the().forgetFrozen(folder),
  dispose: async () => void (await replica?.dispose()),
};

function the(): Replica {
  if (replica === undefined) throw new Error("the replica has not been created");
  return replica;
}

function checkpointOf(cancel: CancelFlag): () => void {
  return () => {
    if (Atomics.load(cancel, 0) !== 0) throw Object.assign(new Error("canceled"), { name: canceledName });
  };
}

port.on("message", async (message: ToWorker) => {
  if (message.kind === "offer") {
    if (message.round !== offers.round) return;
    offers.queue.push(...message.requests);
    offers.last ||= message.last;
    offers.wake();
    return;
  }
  const { id, verb } = message;
  try {
    const handler = handlers[verb] as (given: unknown) => Promise<unknown>;
    send({ kind: "result", id, value: await handler(message.with) });
  } catch (error) {
    const { name, message: text, stack } = error instanceof Error ? error : new Error(String(error));
    send({ kind: "error", id, name, message: text, stack });
  }
});
