// The analysis of a run as a stage in a folder of its own, with the description that every run folder has. It is derived:
// when its inputs, its labeler or its version change it is made again, never refused.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomically } from "../base/files.ts";
import { inImportFolder } from "../imports/import-folder.ts";
import type { ImportReport } from "../imports/import-report.ts";
import { type ImportEvent, type ImportRequest, importRun } from "../imports/import-run.ts";
import { type RunDescription, runFormatVersion } from "../runs/run-folder.ts";
import type { Analysis } from "./analysis/analysis.ts";
import { analysisFolder } from "./analysis/analysis-folder.ts";
import { type AnalyzeEvent, type AnalyzeRequest, analyzeTraces } from "./analyze-traces.ts";

/** Of all that a run holds, into the run. */
export function analyzeRun(
  run: string,
  request: Omit<AnalyzeRequest, "inputs" | "reading"> = {},
  onEvent?: (event: AnalyzeEvent) => void,
  now?: Date,
): Promise<Analysis> {
  return analyzeInto(join(run, analysisFolder), { ...request, inputs: [{ path: run }] }, onEvent, now);
}

type Imported = { readonly report: ImportReport; readonly analysis: Analysis };

/** Somebody's rollouts read into a run folder, which is told of, and analyzed there. */
export function importAndAnalyze(
  folder: string,
  imports: ImportRequest,
  request: Omit<AnalyzeRequest, "inputs" | "reading"> = {},
  onEvent?: (event: AnalyzeEvent | ImportEvent | { readonly type: "imported"; readonly report: ImportReport }) => void,
  now: Date = new Date(),
): Promise<Imported> {
  return inImportFolder(folder, imports, now, async () => {
    const report = await importRun(folder, imports, onEvent);
    onEvent?.({ type: "imported", report });
    return { report, analysis: await analyzeRun(folder, request, onEvent, now) };
  });
}

export async function analyzeInto(
  folder: string,
  request: AnalyzeRequest,
  onEvent?: (event: AnalyzeEvent) => void,
  now: Date = new Date(),
): Promise<Analysis> {
  const analysis = await analyzeTraces(folder, request, onEvent);
  const described = join(folder, "run.json");
  if (existsSync(described)) return analysis;
  const config = { inputs: request.inputs.map(({ path, name }) => (name === undefined ? path : `${name}=${path}`)) };
  const about = { version: runFormatVersion, kind: "analyze", created: now.toISOString(), config } as const;
  await writeFileAtomically(described, `${JSON.stringify(about satisfies RunDescription, null, 2)}\n`);
  return analysis;
}
