// How fast and how dearly a labeler labels, from a few spans of the traces it is about to read: said before it begins.
import { importSlice } from "./importers/import-slice.ts";
import type { PlannedSlice } from "./slice-pool.ts";
import type { TraceReader } from "./trace-reader.ts";

export type ExpectedLabeling = {
  readonly spans: number;
  readonly spansPerSecond: number;
  readonly seconds: number;
  /** In the currency of the labeler's price, where it costs. */
  readonly cost?: number;
};

const tried = { spans: 64, seconds: 3 };

/** Undefined where nothing of the first slice can be read. */
export async function expectedLabeling(
  planned: readonly PlannedSlice[],
  reader: TraceReader,
  {
    threads,
    spent = () => 0,
    now = () => performance.now(),
  }: { threads: number; spent?: () => number; now?: () => number },
): Promise<ExpectedLabeling | undefined> {
  const first = planned.find(({ slice }) => slice.kind !== "unreadable");
  if (first === undefined) return undefined;
  let [spans, characters, milliseconds] = [0, 0, 0];
  const before = spent();
  for await (const imported of importSlice(first.slice, first.options)) {
    if ("skipped" in imported) continue;
    const begun = now();
    const { sequence } = await reader.read({ response: imported.trace.response, prompt: imported.trace.prompt });
    milliseconds += now() - begun;
    spans += sequence.length;
    characters += imported.trace.response.length;
    if (spans >= tried.spans || milliseconds >= 1000 * tried.seconds) break;
  }
  if (spans === 0) return undefined;
  const bytes = planned.reduce((total, { slice }) => total + slice.bytes, 0);
  const all = Math.max(spans, Math.round((bytes / Math.max(1, characters)) * spans));
  const spansPerSecond = (threads * spans) / Math.max(1e-3, milliseconds / 1000);
  const cost = ((spent() - before) / spans) * all;
  return { spans: all, spansPerSecond, seconds: all / spansPerSecond, ...(cost > 0 && { cost }) };
}

export function expectedWords({ spans, spansPerSecond, seconds, cost }: ExpectedLabeling): string {
  const rounded = (value: number) => Number(value.toPrecision(2)).toLocaleString("en-US");
  const time =
    seconds < 90
      ? `${rounded(seconds)} s`
      : seconds < 5400
        ? `${rounded(seconds / 60)} min`
        : `${rounded(seconds / 3600)} h`;
  const price = cost === undefined ? "" : `, cost about ${rounded(cost)}`;
  return `about ${rounded(spans)} spans to label at about ${rounded(spansPerSecond)} a second: about ${time}${price}; stop whenever you like, the same command resumes`;
}
