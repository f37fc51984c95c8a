// The analysis of a run as a stage in a folder of its own, with the description that every run folder has. It is derived:
// when its inputs, its labeler or its version change it is made again, never refused.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DataError } from "../base/errors.ts";
import { makeFolder, writeFileAtomically } from "../base/files.ts";
import { type RunDescription, runFormatVersion } from "../runs/run-folder.ts";
import type { Analysis } from "./analysis/analysis.ts";
import { type AnalyzeEvent, type AnalyzeRequest, analyzeTraces } from "./analyze-traces.ts";

export async function analyzeRun(
  folder: string,
  request: AnalyzeRequest,
  onEvent?: (event: AnalyzeEvent) => void,
  now: Date = new Date(),
): Promise<Analysis> {
  await makeFolder(folder);
  const described = join(folder, "run.json");
  if (!existsSync(described)) {
    const config = { inputs: request.inputs.map(({ path, name }) => (name === undefined ? path : `${name}=${path}`)) };
    const description: RunDescription = {
      version: runFormatVersion,
      kind: "analyze",
      created: now.toISOString(),
      config,
    };
    await writeFileAtomically(described, `${JSON.stringify(description, null, 2)}\n`);
  }
  const analysis = await analyzeTraces(folder, request, onEvent);
  if (analysis.input.traces === 0) {
    const [first] = analysis.input.skipped;
    throw new DataError(first === undefined ? "there was nothing to read" : `${first.because} (${first.places[0]})`);
  }
  return analysis;
}
