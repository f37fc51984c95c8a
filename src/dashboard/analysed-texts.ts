// The texts of traces that an analysis read, found again where it read them, as long as that is inside the served folder.
import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { z } from "zod";
import { importSlice } from "../traces/importers/import-slice.ts";
import { parseInput, planSlices } from "../traces/read-traces.ts";
import { type Segmentation, segmentations } from "../traces/segmentation.ts";
import type { PlannedSlice } from "../traces/slice-pool.ts";
import type { Trace } from "../traces/trace.ts";
import { isInside } from "./run-discovery.ts";

/** As `traces analyze` writes down how it was called. */
const configSchema = z.object({
  inputs: z.array(z.string()).min(1),
  format: z.string().default("auto"),
  columns: z.record(z.string(), z.string()).optional(),
  segmentation: z.enum(Object.keys(segmentations) as (keyof typeof segmentations)[]).default("paper"),
  mergeBelow: z.number().optional(),
  splitAbove: z.number().optional(),
  joinTrailingBelow: z.number().optional(),
});

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

export class AnalysedTexts {
  readonly #home: string;
  readonly #config: z.infer<typeof configSchema> | undefined;
  #planned: Promise<readonly PlannedSlice[]> | undefined;
  #last: { readonly slice: number; readonly traces: Promise<ReadonlyMap<number, Trace>> } | undefined;

  /** `home` is the served folder. */
  constructor(home: string, config: unknown) {
    this.#home = home;
    this.#config = configSchema.safeParse(config).data;
  }

  /** How the analysis cut texts into spans. */
  get segmentation(): Segmentation | undefined {
    if (this.#config === undefined) return undefined;
    const { segmentation, mergeBelow, splitAbove, joinTrailingBelow } = this.#config;
    const preset = segmentations[segmentation];
    return {
      ...preset,
      mergeBelow: mergeBelow ?? preset.mergeBelow,
      splitAbove: splitAbove ?? preset.splitAbove,
      joinTrailingBelow: joinTrailingBelow ?? preset.joinTrailingBelow,
    };
  }

  /** Those that can be found. Slices are read once for all that is wanted of them. */
  async find(wanted: readonly TracePlace[]): Promise<(place: TracePlace) => Trace | undefined> {
    const found = new Map<string, Trace>();
    const planned = await (this.#planned ??= this.#plan());
    const bySlice = new Map<number, Set<number>>();
    for (const { slice, ordinal } of wanted) bySlice.set(slice, (bySlice.get(slice) ?? new Set()).add(ordinal));
    for (const [slice, ordinals] of bySlice) {
      const place = planned[slice];
      if (place === undefined || !(await this.#isServed(place.slice.path))) continue;
      for (const [ordinal, trace] of await this.#traces(place, slice, ordinals))
        found.set(placeKey({ slice, ordinal }), trace);
    }
    return (place) => found.get(placeKey(place));
  }

  /** Neighbours are often read next, so a slice that is not too large is kept until another is asked for. */
  #traces(place: PlannedSlice, slice: number, ordinals: ReadonlySet<number>): Promise<ReadonlyMap<number, Trace>> {
    if (this.#last?.slice === slice) return this.#last.traces;
    if (place.slice.bytes > mostKeptBytes) return tracesOf(place, ordinals);
    this.#last = { slice, traces: tracesOf(place) };
    return this.#last.traces;
  }

  async #plan(): Promise<readonly PlannedSlice[]> {
    const { segmentation } = this;
    if (this.#config === undefined || segmentation === undefined) return [];
    const { inputs, format, columns } = this.#config;
    const parsed = inputs.map(parseInput);
    // Slices are numbered through all inputs, so one that lies elsewhere hides the others too.
    for (const { path } of parsed) if (!(await this.#isServed(resolve(path)))) return [];
    const labels = { abstainBelow: 0, trustRecordedLabels: true };
    return planSlices(parsed, { format, segmentation, ...labels, ...(columns && { columns }) }).catch(() => []);
  }

  async #isServed(path: string): Promise<boolean> {
    const [home, place] = await Promise.all([realpath(this.#home), realpath(path).catch(() => undefined)]);
    return place !== undefined && isInside(home, place);
  }
}
