// Bounded concurrency: so many tasks at a time, and the first failure aborts the rest.
import { setMaxListeners } from "node:events";

/** Returns when no task runs any more, also after a failure. */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
  given: AbortSignal | undefined,
  work: (item: T, index: number, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const signal = given === undefined ? stop.signal : AbortSignal.any([given, stop.signal]);
  setMaxListeners(0, signal);
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const index = next++;
      await work(items[index], index, signal);
    }
  };
  const lanes = Array.from({ length: Math.min(width, items.length) }, lane);
  try {
    await Promise.all(lanes);
  } catch (error) {
    stop.abort(error);
    await Promise.allSettled(lanes);
    throw error;
  }
}
