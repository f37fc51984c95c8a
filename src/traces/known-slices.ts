// What was read of slices before, for an analysis that keeps up with a trainer: only what is new is read and labeled.
import { type InputFile, inputFile, isSameFile } from "./analysis/inputs.ts";
import type { SliceResult } from "./label-slice.ts";
import { labelSlices, type PlannedSlice, type PoolOptions } from "./slice-pool.ts";
import type { TraceReader } from "./trace-reader.ts";

export class KnownSlices {
  #results = new Map<string, SliceResult>();
  #files = new Map<string, InputFile>();

  /** Results of all slices, in their order; those whose bytes are what they were are not read again. */
  async label(
    planned: readonly PlannedSlice[],
    options: PoolOptions,
    reader: TraceReader | undefined,
  ): Promise<SliceResult[]> {
    const files = new Map<string, InputFile>();
    /** How much of each file is what it was. */
    const kept = new Map<string, number>();
    const readable = planned.filter(({ slice }) => slice.kind !== "unreadable");
    for (const path of new Set(readable.map(({ slice }) => slice.path))) {
      const [before, now] = [this.#files.get(path), await inputFile(path)];
      files.set(path, now);
      if (before === undefined || before.bytes > now.bytes) continue;
      if (isSameFile(before, now)) kept.set(path, Number.POSITIVE_INFINITY);
      // A log that grew at its end is what it was where it was whole lines before.
      else if (isSameFile(before, await inputFile(path, before.bytes))) kept.set(path, before.bytes);
    }
    const isKnown = (one: PlannedSlice) => this.#results.has(keyOf(one)) && isKept(one, kept.get(one.slice.path) ?? 0);
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
}

const isKept = ({ slice }: PlannedSlice, bytes: number): boolean =>
  bytes === Number.POSITIVE_INFINITY || (slice.kind === "lines" && slice.end < bytes);

const keyOf = ({ slice, options }: PlannedSlice): string => JSON.stringify([slice, options]);
