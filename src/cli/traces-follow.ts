// `repertoire traces analyze --follow`: a run kept up with a trainer that still writes, a line whenever it grew, and the
// alarms when they are raised, here and to whoever is to be notified.
import pc from "picocolors";
import type { ImportRequest } from "../imports/import-run.ts";
import type { Analysis } from "../traces/analysis/analysis.ts";
import type { AnalyzeRequest } from "../traces/analyze-traces.ts";
import { type FollowEvent, followTraces } from "../traces/follow-traces.ts";
import { alarmTeller } from "./alarm-teller.ts";
import { commandName } from "./command-name.ts";
import { interruptible } from "./interruption.ts";

const lookEveryMs = 3_000;

export async function followAnalysis(
  out: string,
  imports: ImportRequest,
  request: Omit<AnalyzeRequest, "inputs" | "reading">,
  notify?: string,
): Promise<Analysis | undefined> {
  console.error(pc.dim(`following; watch it with: ${commandName} dashboard ${out}   (Ctrl-C stops it)`));
  const tell = alarmTeller(notify);
  const emit = (event: FollowEvent) => {
    if (event.type === "waiting") console.error(pc.dim(`waiting for the first rollouts: ${event.because}`));
  };
  return interruptible("stopping after the current update", async (signal) => {
    let latest: Analysis | undefined;
    for await (const analysis of followTraces(out, imports, request, { signal, everyMs: lookEveryMs }, emit)) {
      latest = analysis;
      console.log(lineOf(analysis));
      await tell(out, analysis);
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
