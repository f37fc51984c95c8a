// What was read of slices before, for an analysis that keeps up with a trainer: only what is new is read and labeled.
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { SliceResult } from "./label-slice.ts";
import { labelSlices, type PlannedSlice, type PoolOptions } from "./slice-pool.ts";
import type { TraceReader } from "./trace-reader.ts";

type Seen = { readonly size: number; readonly changed: number; readonly head: string };

export class KnownSlices {
  #results = new Map<string, SliceResult>();
  #files = new Map<string, Seen>();

  /** Results of all slices, in their order; those whose bytes are what they were are not read again. */
  async label(
    planned: readonly PlannedSlice[],
    options: PoolOptions,
    reader: TraceReader | undefined,
  ): Promise<SliceResult[]> {
    const files = new Map<string, Seen>();
    for (const path of new Set(planned.map(({ slice }) => slice.path))) files.set(path, await seenFile(path));
    const isKnown = (one: PlannedSlice) => this.#results.has(keyOf(one)) && this.#isUnchanged(one, files);
    const fresh = planned.filter((one) => !isKnown(one));
    const read = await labelSlices(fresh, options, reader);
    const results = new Map(fresh.map((one, i) => [keyOf(one), read[i]]));
    for (const one of planned) if (!results.has(keyOf(one))) results.set(keyOf(one), this.#results.get(keyOf(one))!);
    this.#results = results;
    this.#files = files;
    return planned.map((one, slice) => {
      const result = results.get(keyOf(one))!;
      return { ...result, records: result.records.map((record) => ({ ...record, slice })) };
    });
  }

  #isUnchanged({ slice }: PlannedSlice, files: ReadonlyMap<string, Seen>): boolean {
    const [before, now] = [this.#files.get(slice.path), files.get(slice.path)!];
    if (before === undefined) return false;
    if (before.size === now.size && before.changed === now.changed) return true;
    // A log that grew at its end is what it was where it was whole lines before.
    return slice.kind === "lines" && before.head === now.head && before.size < now.size && slice.end < before.size;
  }
}

const keyOf = ({ slice, options }: PlannedSlice): string => JSON.stringify([slice, options]);

const headBytes = 4096;

async function seenFile(path: string): Promise<Seen> {
  const file = await open(path, "r");
  try {
    const { size, mtimeMs: changed } = await file.stat();
    const head = Buffer.alloc(Math.min(size, headBytes));
    await file.read(head, 0, head.length, 0);
    return { size, changed, head: createHash("sha256").update(head).digest("hex") };
  } finally {
    await file.close();
  }
}
