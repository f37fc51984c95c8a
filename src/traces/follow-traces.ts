// A run folder that keeps up with a trainer: imported and analyzed again whenever its files have grown, until somebody says stop.
import { setTimeout as pause } from "node:timers/promises";
import { DataError } from "../base/errors.ts";
import { openImportFolder } from "../imports/import-folder.ts";
import { readImport } from "../imports/import-report.ts";
import { type ImportEvent, Importing, type ImportRequest } from "../imports/import-run.ts";
import { planSlices } from "../imports/plan.ts";
import type { Analysis } from "./analysis/analysis.ts";
import type { AnalyzeEvent, AnalyzeRequest } from "./analyze-traces.ts";
import { analyzeRun } from "./run-analysis.ts";

export type FollowEvent =
  | AnalyzeEvent
  | ImportEvent
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
  imports: ImportRequest,
  request: Omit<AnalyzeRequest, "inputs" | "reading">,
  { signal, everyMs }: FollowOptions,
  onEvent: (event: FollowEvent) => void = () => {},
): AsyncGenerator<Analysis> {
  let importing: Importing | undefined;
  let before = "";
  let waiting = false;
  const caughtUp = async (): Promise<void> => {
    const grown = await importing?.grown(onEvent);
    if (grown !== undefined && grown !== "changed otherwise") return;
    const next = await Importing.begin(folder, imports);
    await next.fresh((await readImport(folder))?.parts ?? [], onEvent);
    importing = next;
  };
  const held = await openImportFolder(folder, imports, new Date());
  try {
    while (!signal.aborted) {
      const started = performance.now();
      try {
        const now = await shapeOf(imports);
        if (now !== before) {
          await caughtUp();
          before = now;
          waiting = false;
          yield await analyzeRun(folder, { ...request, following: true }, onEvent);
        }
      } catch (error) {
        // Nothing that can be read yet: a trainer makes its folder before it fills it.
        if (!(error instanceof DataError)) throw error;
        if (!waiting) onEvent({ type: "waiting", because: error.message });
        waiting = true;
      }
      // Reading along never takes more than half of the time, however much there is.
      await pause(Math.max(everyMs, performance.now() - started), undefined, { signal }).catch(() => {});
    }
  } finally {
    if (importing === undefined) await held.abandon();
    await held.release();
  }
}

async function shapeOf({ inputs, reading = { format: "auto" } }: ImportRequest): Promise<string> {
  const planned = await planSlices(inputs, reading);
  return JSON.stringify(planned.map(({ slice }) => [slice.path, slice.kind, slice.start, slice.end, slice.because]));
}
