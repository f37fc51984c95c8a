// Whether a run goes on, and how far it is: from the writer's mark, the ends of logs and the files that mark completion.
// Reads little, because the list of runs asks it of every run.
import { existsSync } from "node:fs";
import { open, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { parsedJson } from "../base/json-file.ts";
import { evaluationFiles, readWanted } from "../evaluation/evaluation-folder.ts";
import { rolloutFiles } from "../evaluation/rollout-store.ts";
import { runNumbers } from "../results/run-numbers.ts";
import { recipeStages } from "../runs/recipe-names.ts";
import { lockOf } from "../runs/run-folder.ts";
import { corpusFile } from "../runs/run-parts.ts";
import { trainingFiles } from "../runs/training-log.ts";
import { isLocked } from "../runs/writer-lock.ts";
import { analysisComplete, analysisFiles, readAnalysis } from "../traces/analysis/analysis-folder.ts";
import { recordedPaceSchema } from "../training/recorded-events.ts";
import type { RunEntry, RunState, StageEntry } from "./api.ts";
import { hasReport } from "./report-files.ts";
import type { FoundRun, FoundStage } from "./run-discovery.ts";

export async function runEntry(run: FoundRun): Promise<RunEntry> {
  const stages = await Promise.all(run.stages.map(stageEntry));
  const { id, name, kind, description, problem } = run;
  const changed = await newestChange(run);
  return {
    id,
    name,
    kind,
    state: await stateOfRun(run, stages),
    stages,
    ...(await numbersOf(run)),
    ...(hasReport(run.folder) && { report: true }),
    ...(problem && { problem }),
    ...(description && { created: description.created }),
    ...(description?.command && { command: description.command }),
    ...(changed && { changed: new Date(changed).toISOString() }),
  };
}

/** By the place of an analysis: as it was when it was read. */
const numbersRead = new Map<string, { readonly changed: number; readonly numbers: Pick<RunEntry, "numbers"> }>();

/** An analysis is read when it is new, and remembered. */
async function numbersOf({ stages }: FoundRun): Promise<Pick<RunEntry, "numbers">> {
  const stage = stages.find(({ kind, folder }) => kind === "analyze" && analysisComplete(folder));
  if (stage === undefined) return {};
  const path = join(stage.folder, analysisFiles.analysis);
  const changed = (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
  const known = numbersRead.get(path);
  if (known?.changed === changed) return known.numbers;
  const found = await readAnalysis(stage.folder).then(runNumbers, () => undefined);
  const numbers = found === undefined ? {} : { numbers: found };
  numbersRead.set(path, { changed, numbers });
  return numbers;
}

async function stateOfRun(run: FoundRun, stages: readonly StageEntry[]): Promise<RunState> {
  if (run.problem !== undefined) return "broken";
  if (run.kind !== "recipe" && run.kind !== "import") return stages[0].state;
  if (await isBeingWritten(run.folder)) return "running";
  if (run.kind === "import") return stages.length === 0 ? "empty" : "finished";
  if (stages.some(({ state }) => state === "running")) return "running";
  if (stages.some(({ state }) => state === "broken")) return "broken";
  if (stages.length === 0) return "empty";
  const finished = new Set(stages.filter(({ state }) => state === "finished").map(({ id }) => id));
  return recipeStages(stages, run.description?.config).every((id) => finished.has(id)) ? "finished" : "stopped";
}

export async function stageEntry(stage: FoundStage): Promise<StageEntry> {
  const { id, title, role, color, problem } = stage;
  const kind = stage.kind as StageEntry["kind"];
  const own = { id, name: title, kind, ...(role && { role }), ...(color && { color }) };
  if (problem !== undefined) return { ...own, state: "broken" };
  const { state, progress } = await progressOf(stage);
  // A finished analysis that is written is kept up with somebody's trainer, and so is what the reward server records.
  const keptUp = kind === "analyze" || stage.description.config.recordedBy !== undefined;
  const running = (state !== "finished" || keptUp) && (await isBeingWritten(stage.folder));
  return { ...own, state: running ? "running" : state, ...(progress && { progress }) };
}

type Progress = { readonly state: RunState; readonly progress?: StageEntry["progress"] };

async function progressOf({ kind, folder, description }: FoundStage): Promise<Progress> {
  const { config } = description;
  switch (kind) {
    case "rl":
    case "sft":
      return trainingProgress(folder, plannedSteps(kind, config));
    case "evaluate":
      return evaluationProgress(folder);
    case "teach":
      return { state: (await sizeOf(join(folder, corpusFile))) > 0 ? "finished" : "empty" };
    case "analyze":
      return { state: analysisComplete(folder) ? "finished" : "empty" };
    default:
      return { state: "finished" };
  }
}

const stepSchema = z.object({ type: z.enum(["rl-step", "sft-step"]), step: z.number() });
const endSchema = z.object({ type: z.enum(["rl-end", "sft-end"]) });

async function trainingProgress(folder: string, planned: number | undefined): Promise<Progress> {
  let done = 0;
  let ended = false;
  for (const value of await lastRecords(join(folder, trainingFiles.events))) {
    const step = stepSchema.safeParse(value);
    if (step.success) done = Math.max(done, step.data.step + 1);
    ended ||= endSchema.safeParse(value).success;
  }
  const state = ended ? "finished" : done > 0 ? "stopped" : "empty";
  const total = planned === undefined ? undefined : Math.max(planned, done);
  if (total === undefined) return { state };
  const secondsLeft = await timeLeft(folder, total - done);
  return { state, progress: { done, total, unit: "steps", ...(secondsLeft !== undefined && { secondsLeft }) } };
}

/** Steps whose mean pace says how long the rest takes. */
const paceSteps = 8;

/** From the pace of the last steps; undefined where it is not written down or nothing is left. */
async function timeLeft(folder: string, steps: number): Promise<number | undefined> {
  if (steps <= 0) return undefined;
  const paces = (await lastRecords(join(folder, trainingFiles.pace))).flatMap((value) => {
    const seconds = recordedPaceSchema.safeParse(value).data?.seconds;
    return seconds === undefined ? [] : [seconds.sampling + seconds.scoring + seconds.updating];
  });
  const last = paces.slice(-paceSteps);
  return last.length === 0 ? undefined : Math.round((steps * last.reduce((a, b) => a + b, 0)) / last.length);
}

const rlConfigSchema = z.object({ steps: z.number() });
/** Miniatures of version 0.1 had the number of traces among the settings of their corpus. */
const sftConfigSchema = z.object({
  ...{ epochs: z.number(), sequencesPerStep: z.number(), traces: z.number().optional() },
  corpus: z.object({ traces: z.number() }).optional().catch(undefined),
});

export function plannedSteps(kind: "rl" | "sft", config: Readonly<Record<string, unknown>>): number | undefined {
  if (kind === "rl") return rlConfigSchema.safeParse(config).data?.steps;
  const sft = sftConfigSchema.safeParse(config).data;
  const traces = sft?.traces ?? sft?.corpus?.traces;
  return sft && traces && sft.epochs * Math.ceil(traces / sft.sequencesPerStep);
}

async function evaluationProgress(folder: string): Promise<Progress> {
  if (existsSync(join(folder, evaluationFiles.summary))) return { state: "finished" };
  const begun = (await sizeOf(join(folder, rolloutFiles.log))) > 0;
  const graded = (await sizeOf(join(folder, evaluationFiles.grades))) > 0;
  const wanted = await readWanted(folder);
  const state = graded ? "finished" : begun ? "stopped" : "empty";
  if (wanted === undefined) return { state };
  // A line of the index a rollout; what failed is asked again, so that there may be more lines than are wanted.
  const done = Math.min(wanted, await linesOf(join(folder, rolloutFiles.index)));
  return { state, progress: { done, total: wanted, unit: "rollouts" } };
}

async function linesOf(path: string): Promise<number> {
  const bytes = await readFile(path).catch(() => undefined);
  let lines = 0;
  for (let at = bytes?.indexOf(10) ?? -1; at !== -1; at = bytes!.indexOf(10, at + 1)) lines += 1;
  return lines;
}

const isBeingWritten = (folder: string): Promise<boolean> => isLocked(lockOf(folder));

const tailBytes = 1 << 16;

/** The records in the last bytes of a log; the first of them may be cut and is then left out. */
async function lastRecords(path: string): Promise<unknown[]> {
  const file = await open(path, "r").catch(() => undefined);
  if (file === undefined) return [];
  try {
    const { size } = await file.stat();
    const tail = Buffer.alloc(Math.min(size, tailBytes));
    await file.read(tail, 0, tail.length, size - tail.length);
    return tail
      .toString("utf8")
      .split("\n")
      .map((line) => parsedJson(line, z.unknown()))
      .filter((record) => record !== undefined);
  } finally {
    await file.close();
  }
}

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;

async function newestChange(run: FoundRun): Promise<number | undefined> {
  let newest: number | undefined;
  for (const folder of new Set([run.folder, ...run.stages.map((stage) => stage.folder)])) {
    for (const { path, changed } of await filesOf(folder)) {
      if (path === lockOf(folder)) continue;
      newest = Math.max(newest ?? 0, changed);
    }
  }
  return newest;
}

type FileState = { readonly path: string; readonly size: number; readonly changed: number };

/** The files right in a folder; links and folders are left out. */
export async function filesOf(folder: string): Promise<FileState[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(folder, entry.name);
        const file = await stat(path).catch(() => undefined);
        return file && { path, size: file.size, changed: file.mtimeMs };
      }),
  );
  return found.filter((file) => file !== undefined);
}
