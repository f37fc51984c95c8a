// How fast and how dearly a labeler labels, from a few spans of the traces it is about to read: said before it begins.
import { importSlice } from "../imports/import-slice.ts";
import type { PlannedSlice } from "../imports/plan.ts";
import type { TraceReader, Unread } from "./trace-reader.ts";

export type ExpectedLabeling = {
  readonly spans: number;
  readonly spansPerSecond: number;
  readonly seconds: number;
  /** In the currency of the labeler's price, where it costs. */
  readonly cost?: number;
};

/** Spans of the first group that is tried; each group that took less than enough is followed by one of four times its size. */
const firstGroup = 64;
const enoughSeconds = 0.5;
/** A labeler that has just been loaded is slower than it will be: its first group is believed only if it took this long. */
const enoughAtFirst = 4;
const maxTried = 8192;
/** About: how many spans a text has is known when it is cut. */
const charactersPerSpan = 400;

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
  let [spans, characters, perSecond, wanted] = [0, 0, 0, firstGroup];
  const before = spent();
  let group: Unread[] = [];
  // Traces of a group are read together, as they will be: a labeler on a GPU or behind a network answers many at once.
  const measured = async () => {
    const begun = now();
    const read = await Promise.all(group.map((trace) => reader.read(trace)));
    const seconds = Math.max(1e-3, (now() - begun) / 1000);
    const found = read.reduce((sum, { sequence }) => sum + sequence.length, 0);
    [spans, perSecond] = [spans + found, found === 0 ? perSecond : found / seconds];
    characters += group.reduce((sum, { response }) => sum + response.length, 0);
    group = [];
    const enough = wanted === firstGroup ? enoughAtFirst : enoughSeconds;
    wanted *= 4;
    return seconds >= enough;
  };
  let waiting = 0;
  for await (const imported of importSlice(first.slice, first.options)) {
    if ("skipped" in imported) continue;
    const { response, prompt } = imported.trace;
    group.push({ response, prompt });
    waiting += response.length / charactersPerSpan;
    if (waiting < wanted) continue;
    waiting = 0;
    if ((await measured()) || spent() > before || spans >= maxTried) break;
  }
  if (spans === 0) await measured();
  if (spans === 0) return undefined;
  const bytes = planned.reduce((total, { slice }) => total + slice.bytes, 0);
  const all = Math.max(spans, Math.round((bytes / Math.max(1, characters)) * spans));
  const spansPerSecond = threads * perSecond;
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
