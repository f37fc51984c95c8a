// The texts of traces that an analysis read, found again where it read them, as long as that is inside the served folder.
import { realpath } from "node:fs/promises";
import { importSlice } from "../imports/import-slice.ts";
import type { Trace } from "../imports/trace.ts";
import type { ReadingPlan } from "../traces/analysis/analysis-folder.ts";
import type { PlannedSlice } from "../traces/slice-pool.ts";
import { isInside } from "./run-discovery.ts";

/** Which slice of the input, and which trace in it. */
export type TracePlace = { readonly slice: number; readonly ordinal: number };

const placeKey = ({ slice, ordinal }: TracePlace): string => `${slice}:${ordinal}`;

const mostKeptBytes = 32 << 20;

async function tracesOf({ slice, options }: PlannedSlice, wanted?: ReadonlySet<number>): Promise<Map<number, Trace>> {
  const traces = new Map<number, Trace>();
  let ordinal = 0;
  for await (const imported of importSlice(slice, options)) {
    if ("skipped" in imported) continue;
    if (wanted === undefined || wanted.has(ordinal)) traces.set(ordinal, imported.trace);
    if (traces.size === wanted?.size) break;
    ordinal += 1;
  }
  return traces;
}

export class AnalyzedTexts {
  readonly #home: string;
  readonly #slices: readonly PlannedSlice[];
  #last: { readonly slice: number; readonly traces: Promise<ReadonlyMap<number, Trace>> } | undefined;

  /** `home` is the served folder. */
  constructor(home: string, { slices }: Pick<ReadingPlan, "slices">) {
    this.#home = home;
    this.#slices = slices;
  }

  /** Those that can be found. Slices are read once for all that is wanted of them. */
  async find(wanted: readonly TracePlace[]): Promise<(place: TracePlace) => Trace | undefined> {
    const found = new Map<string, Trace>();
    const bySlice = new Map<number, Set<number>>();
    for (const { slice, ordinal } of wanted) bySlice.set(slice, (bySlice.get(slice) ?? new Set()).add(ordinal));
    for (const [slice, ordinals] of bySlice) {
      const place = this.#slices[slice];
      if (place === undefined || !(await this.#isServed(place.slice.path))) continue;
      for (const [ordinal, trace] of await this.#traces(place, slice, ordinals))
        found.set(placeKey({ slice, ordinal }), trace);
    }
    return (place) => found.get(placeKey(place));
  }

  /** Neighbors are often read next, so a slice that is not too large is kept until another is asked for. */
  #traces(place: PlannedSlice, slice: number, ordinals: ReadonlySet<number>): Promise<ReadonlyMap<number, Trace>> {
    if (this.#last?.slice === slice) return this.#last.traces;
    if (place.slice.bytes > mostKeptBytes) return tracesOf(place, ordinals);
    this.#last = { slice, traces: tracesOf(place) };
    return this.#last.traces;
  }

  async #isServed(path: string): Promise<boolean> {
    const [home, place] = await Promise.all([realpath(this.#home), realpath(path).catch(() => undefined)]);
    return place !== undefined && isInside(home, place);
  }
}
