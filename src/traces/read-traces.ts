// From paths to records: runs taken apart, files found, cut into slices, labeled on all cores, numbered and merged. What
// could not be used is counted and named beside them.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { ConfigurationError } from "../base/errors.ts";
import type { ImportOptions } from "../imports/import-slice.ts";
import { SkipCounts, type SkipReason } from "../imports/skips.ts";
import { type Slice, slicesOf, traceFiles } from "../imports/slice.ts";
import { runsUnder, stagesUnder } from "../imports/source-name.ts";
import { corpusFile, isRun, runParts } from "../runs/run-parts.ts";
import { trainingFiles } from "../runs/training-log.ts";
import type { KnownSlices } from "./known-slices.ts";
import { type AskedProblem, noOddities, type Oddities, type SliceResult } from "./label-slice.ts";
import { type LabelerDescription, labelerId } from "./labeler.ts";
import { labelSlices, type PlannedSlice, type PoolOptions } from "./slice-pool.ts";
import type { TraceReader } from "./trace-reader.ts";
import type { TraceRecord } from "./trace-record.ts";

export const sameAttempt = "the same problem and attempt again; the first one counts";

/** `sft=runs/sft/rollouts.jsonl`, or a path alone. */
export type TraceInput = { readonly path: string; readonly name?: string };

export function parseInput(text: string): TraceInput {
  const named = text.match(/^([^=/\\]+)=(.+)$/);
  return named === null ? { path: text } : { name: named[1], path: named[2] };
}

export type ReadOptions = Pick<ImportOptions, "format" | "columns">;

export type ReadTraces = {
  readonly records: readonly TraceRecord[];
  readonly labelers: readonly LabelerDescription[];
  readonly problems: readonly AskedProblem[];
  readonly skipped: readonly SkipReason[];
  readonly oddities: Oddities;
  readonly spans: number;
};

export async function planSlices(
  inputs: readonly TraceInput[],
  options: ReadOptions,
  /** Smaller ones for a labeler that takes its time: a slice is what a stop can lose. */
  bytesPerSlice?: number,
): Promise<PlannedSlice[]> {
  if (inputs.length === 0) throw new ConfigurationError("no traces given; name at least one file or folder");
  const planned: PlannedSlice[] = [];
  for (const input of inputs) {
    for (const { path, name } of await expanded(input)) {
      const files = await traceFiles(resolve(path));
      const stageOf = stagesUnder(resolve(path), files);
      const runOf = name === undefined ? runsUnder(resolve(path), files) : () => undefined;
      for (const file of files) {
        const own = { ...options, name, stage: stageOf(file), run: runOf(file) };
        for (const slice of await slicesOf(file, bytesPerSlice)) planned.push({ slice, options: own });
      }
    }
  }
  return planned;
}

/** A recipe is its teacher, its training and its evaluations, each under its own name; anything else is itself. */
async function expanded({ path, name }: TraceInput): Promise<TraceInput[]> {
  if (!isRun(path)) return [{ path, name }];
  const { description, parts } = await runParts(path);
  if (description.kind !== "recipe") return [{ path, name }];
  return parts.flatMap((part): TraceInput[] => {
    const own = name === undefined ? part.name : `${name} ${part.name}`;
    if (part.kind === "teach") return [{ path: join(part.folder, corpusFile), name: own }];
    const log = part.kind === "rl" ? trainingFiles.rollouts : undefined;
    if (part.kind !== "evaluate" && log === undefined) return [];
    const found = log === undefined ? part.folder : join(part.folder, log);
    return existsSync(found) ? [{ path: found, name: own }] : [];
  });
}

/** With `known`, what was read before and has not changed is taken from there. */
export async function readTraces(
  planned: readonly PlannedSlice[],
  pool: PoolOptions,
  reader?: TraceReader,
  known?: KnownSlices,
): Promise<ReadTraces> {
  return merged(planned, await (known?.label(planned, pool, reader) ?? labelSlices(planned, pool, reader)));
}

function merged(planned: readonly PlannedSlice[], results: readonly SliceResult[]): ReadTraces {
  const skips = new SkipCounts();
  const oddities = noOddities();
  const records: TraceRecord[] = [];
  const labelers = new Map<string, LabelerDescription>();
  const problems = new Map<string, AskedProblem>();
  const attempts = new Map<string, Set<number>>();
  let spans = 0;
  for (const [i, result] of results.entries()) {
    skips.merge(result.skipped);
    if (result.records.length === 0 && result.skipped.length === 0) skips.add("nothing in it", planned[i].slice.path);
    for (const key of Object.keys(oddities) as (keyof Oddities)[]) oddities[key] += result.oddities[key];
    for (const labeler of result.labelers) labelers.set(labelerId(labeler), labeler);
    for (const problem of result.problems) if (!problems.has(problem.problem)) problems.set(problem.problem, problem);
    spans += result.spans;
    for (const record of result.records) {
      const key = `${record.checkpoint}\u0000${record.problem}`;
      let taken = attempts.get(key);
      if (taken === undefined) {
        taken = new Set();
        attempts.set(key, taken);
      }
      if (record.attempt !== undefined && taken.has(record.attempt)) {
        const place = `${planned[record.slice].slice.path}: ${record.problem}, attempt ${record.attempt}`;
        skips.add(sameAttempt, place);
        continue;
      }
      const attempt = record.attempt ?? taken.size;
      taken.add(attempt);
      records.push({ ...record, attempt });
    }
  }
  return {
    records,
    labelers: [...labelers.values()].sort((a, b) => (labelerId(a) < labelerId(b) ? -1 : 1)),
    problems: [...problems.values()],
    skipped: skips.reasons(),
    oddities,
    spans,
  };
}

export const sliceBytes = (planned: readonly { readonly slice: Slice }[]): number =>
  planned.reduce((total, { slice }) => total + slice.bytes, 0);
