// The worker thread of an embedded engine: a replica, and what it is asked for.
import { answerCalls } from "../../base/worker-thread.ts";
import { Replica, type ReplicaOptions } from "./replica.ts";
import { type CancelFlag, type Drawn, type Offer, refuseIfCanceled, type VerbCall } from "./replica-thread.ts";
import type { IndexedRequest } from "./runtime/sampler.ts";

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
        (index, sample) => tell({ index, sample }),
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

const tell = answerCalls<VerbCall, Offer, Drawn>(
  ({ verb, given }) => {
    const asked = (verb in verbs ? verbs : replica) as unknown as Record<string, (...given: unknown[]) => unknown>;
    return asked[verb](...given);
  },
  ({ round, requests, last }) => {
    if (round !== offers.round) return;
    offers.queue.push(...requests);
    offers.last ||= last;
    offers.wake();
  },
);
