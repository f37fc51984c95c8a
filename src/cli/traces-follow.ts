// `repertoire traces analyze --follow`: a run kept up with a trainer that still writes, a line whenever it grew, and the
// alarm of the repertoire monitor when it is raised.
import pc from "picocolors";
import type { ImportRequest } from "../imports/import-run.ts";
import type { Analysis } from "../traces/analysis/analysis.ts";
import type { AnalyzeRequest } from "../traces/analyze-traces.ts";
import { type FollowEvent, followTraces } from "../traces/follow-traces.ts";
import { monitorOf } from "../traces/recovery-monitor.ts";
import { interruptible } from "./interruption.ts";

const lookEveryMs = 3_000;

export async function followAnalysis(
  out: string,
  imports: ImportRequest,
  request: Omit<AnalyzeRequest, "inputs" | "reading">,
): Promise<Analysis | undefined> {
  console.error(pc.dim(`following; watch it with: repertoire dashboard ${out}   (Ctrl-C stops it)`));
  const warned = new Set<string>();
  const emit = (event: FollowEvent) => {
    if (event.type === "waiting") console.error(pc.dim(`waiting for the first rollouts: ${event.because}`));
  };
  return interruptible("stopping after the current update", async (signal) => {
    let latest: Analysis | undefined;
    for await (const analysis of followTraces(out, imports, request, { signal, everyMs: lookEveryMs }, emit)) {
      latest = analysis;
      console.log(lineOf(analysis));
      for (const { series, warning } of alarmsOf(analysis)) {
        if (!warned.has(series)) console.log(pc.red(`${series}: ${warning}`));
        warned.add(series);
      }
    }
    return latest;
  });
}

const lineOf = ({ input, training }: Analysis): string => {
  const steps = training.flatMap(({ points }) => points.map(({ step }) => step));
  const last = steps.reduce((most, step) => Math.max(most, step), Number.NEGATIVE_INFINITY);
  const traces = `${input.traces} traces, ${input.spans} spans`;
  return Number.isFinite(last) ? `step ${last}: ${traces}` : traces;
};

const alarmsOf = ({ training, taxonomy }: Analysis) =>
  training.flatMap(({ series, points }) => {
    const { warning } = monitorOf(points, taxonomy);
    return warning === undefined ? [] : [{ series, warning }];
  });
