// Sampling into a store: every rollout is on disk before the evaluation says that it has ended, and many small records
// share one sync instead of waiting for each other.
import type { RolloutStore } from "./rollout-store.ts";
import { type EvaluationEvent, type EvaluationInput, sampleMissing } from "./sampling-loop.ts";

/** Records on their way to the disk at the same time; also what a kill can cost. */
const maxPendingWrites = 64;

export async function* sampleIntoStore(
  store: RolloutStore,
  input: Omit<EvaluationInput, "known">,
): AsyncGenerator<EvaluationEvent> {
  const writing = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const event of sampleMissing({ ...input, known: store.entries() })) {
      if (event.type === "evaluation-rollout") {
        const written: Promise<void> = store
          .append(event.rollout)
          .catch((error: unknown) => {
            failure ??= { error };
          })
          .finally(() => writing.delete(written));
        writing.add(written);
        if (writing.size >= maxPendingWrites) await Promise.race(writing);
      }
      if (event.type === "evaluation-end") await Promise.all(writing);
      if (failure !== undefined) throw failure.error;
      yield event;
    }
  } finally {
    await Promise.all(writing);
  }
}
