// An analysis that keeps up with a trainer: made again whenever its inputs have grown, until somebody says stop.
import { setTimeout as pause } from "node:timers/promises";
import { DataError } from "../base/errors.ts";
import type { Analysis } from "./analysis/analysis.ts";
import { type AnalyzeEvent, type AnalyzeRequest, analyzeTraces } from "./analyze-traces.ts";
import { KnownSlices } from "./known-slices.ts";
import { planSlices } from "./read-traces.ts";

export type FollowEvent =
  | AnalyzeEvent
  /** There is nothing to read yet. */
  | { readonly type: "waiting"; readonly because: string };

type FollowOptions = {
  readonly signal: AbortSignal;
  /** How often inputs are looked at; an analysis that takes long is made less often than that. */
  readonly everyMs: number;
};

/** Every analysis as it is made. The last one stays in the folder. */
export async function* followTraces(
  folder: string,
  request: AnalyzeRequest,
  { signal, everyMs }: FollowOptions,
  onEvent: (event: FollowEvent) => void = () => {},
): AsyncGenerator<Analysis> {
  const known = new KnownSlices();
  let before = "";
  let waiting = false;
  while (!signal.aborted) {
    const started = performance.now();
    const now = await shapeOf(request).catch((error: unknown) => {
      if (!(error instanceof DataError)) throw error;
      if (!waiting) onEvent({ type: "waiting", because: error.message });
      waiting = true;
      return before;
    });
    if (now !== before) {
      before = now;
      waiting = false;
      yield await analyzeTraces(folder, { ...request, known }, onEvent);
    }
    // Reading along never takes more than half of the time, however much there is.
    await pause(Math.max(everyMs, performance.now() - started), undefined, { signal }).catch(() => {});
  }
}

async function shapeOf({ inputs, reading = { format: "auto" } }: AnalyzeRequest): Promise<string> {
  const planned = await planSlices(inputs, reading);
  return JSON.stringify(planned.map(({ slice }) => [slice.path, slice.kind, slice.start, slice.end, slice.because]));
}
