// What is to be read, cut into pieces: runs taken apart, files found, files cut into slices, each with how it is read.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { ConfigurationError } from "../base/errors.ts";
import { rolloutLog } from "../evaluation/rollout-store.ts";
import { corpusFile, isRun, runParts } from "../runs/run-parts.ts";
import { readImport } from "./import-report.ts";
import type { ImportOptions } from "./import-slice.ts";
import { type Slice, slicesOf, traceFiles } from "./slice.ts";
import { runsUnder, stagesUnder } from "./source-name.ts";

/** `sft=runs/sft/rollouts.jsonl`, or a path alone. */
export type TraceInput = { readonly path: string; readonly name?: string };

export function parseInput(text: string): TraceInput {
  const named = text.match(/^([^=/\\]+)=(.+)$/);
  return named === null ? { path: text } : { name: named[1], path: named[2] };
}

export type ReadOptions = Pick<ImportOptions, "format" | "columns">;

export type PlannedSlice = { readonly slice: Slice; readonly options: ImportOptions };

export async function planSlices(
  inputs: readonly TraceInput[],
  options: ReadOptions,
  /** Smaller ones for a labeler that takes its time: a slice is what a stop can lose. */
  bytesPerSlice?: number,
): Promise<PlannedSlice[]> {
  if (inputs.length === 0) throw new ConfigurationError("no traces given; name at least one file or folder");
  const planned: PlannedSlice[] = [];
  for (const input of inputs) {
    for (const { path, name, imported } of await expanded(input)) {
      const files = await traceFiles(resolve(path));
      const stageOf = stagesUnder(resolve(path), files);
      const runOf = name === undefined ? runsUnder(resolve(path), files) : () => undefined;
      for (const file of files) {
        const own = { ...options, name, stage: stageOf(file), run: runOf(file), ...(imported && { imported }) };
        for (const slice of await slicesOf(file, bytesPerSlice)) planned.push({ slice, options: own });
      }
    }
  }
  return planned;
}

type Part = TraceInput & Pick<ImportOptions, "imported">;

/** A recipe is its teacher, its training and its evaluations, each under its own name; anything else is itself. */
async function expanded({ path, name }: TraceInput): Promise<Part[]> {
  if (!isRun(path)) return [{ path, name }];
  const { description, parts } = await runParts(path);
  const scoresGrade = (await readImport(path))?.scoresGrade ?? false;
  if (description.kind !== "recipe" && description.kind !== "import") return [{ path, name }];
  return parts.flatMap((part): Part[] => {
    // Steps of a training run without a name have none either.
    const said = part.stage === "training" && part.name === part.stage ? "" : part.name;
    const own = name === undefined ? said : `${name} ${said}`.trim();
    const log = part.kind === "teach" ? join(part.folder, corpusFile) : rolloutLog(part.folder);
    if (part.kind === "sft" || !existsSync(log)) return [];
    return [{ path: log, name: own, ...(part.stage && { imported: { stage: part.stage, scoresGrade } }) }];
  });
}

export const sliceBytes = (planned: readonly { readonly slice: Slice }[]): number =>
  planned.reduce((total, { slice }) => total + slice.bytes, 0);
