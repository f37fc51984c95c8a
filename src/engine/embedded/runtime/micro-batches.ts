// How sequences of different lengths are put together so that little padding is paid for: neighbors in length share a
// run, and a run holds about as many rows as suits the processor's caches.

export type MicroBatch = {
  /** Which sequences, by their place in the given list. */
  readonly members: readonly number[];
  /** Rows that each of them takes, the longest rounded up. */
  readonly length: number;
};

/** Lengths are rounded up to this, so that few distinct shapes occur. */
export const lengthStep = 16;

export function microBatches(lengths: readonly number[], rowsPerRun: number): MicroBatch[] {
  const order = lengths.map((_, i) => i).sort((a, b) => lengths[b] - lengths[a] || a - b);
  const batches: MicroBatch[] = [];
  let members: number[] = [];
  let length = 0;
  for (const i of order) {
    if (members.length > 0 && (members.length + 1) * length > rowsPerRun) {
      batches.push({ members, length });
      members = [];
    }
    // Sorted from long to short, so the first member of a run decides its length.
    if (members.length === 0) length = Math.ceil(lengths[i] / lengthStep) * lengthStep;
    members.push(i);
  }
  if (members.length > 0) batches.push({ members, length });
  return batches;
}
