// From run folders to records. How models reason comes from the run's analysis, which is made here if it is missing or its
// inputs have changed; what a folder lacks becomes a named gap; nothing is ever filled in.
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { DataError, UserError } from "../base/errors.ts";
import { readJsonFile } from "../base/json-file.ts";
import type { Gap } from "../drawing/item.ts";
import { checkpointColorNames } from "../drawing/palette.ts";
import type { Look } from "../drawing/panel.ts";
import { symbols } from "../drawing/panel.ts";
import type { TraceInput } from "../imports/plan.ts";
import { joinedAnalyses, type NamedAnalysis, nameBeside } from "../results/joined-analyses.ts";
import type { CheckpointRecord, ReportData, RunRecord, SftRecord, TrainingRecord } from "../results/records.ts";
import { shownCheckpoints } from "../results/shown-checkpoints.ts";
import { readChosenSteps } from "../runs/chosen-steps.ts";
import { evaluatedPolicy } from "../runs/evaluated-policy.ts";
import { policiesByRole, puzzlePools, recipeStages } from "../runs/recipe-names.ts";
import { corpusFile, hasParts, type RunPart, runParts } from "../runs/run-parts.ts";
import { trainingFiles } from "../runs/training-log.ts";
import type { Analysis, AnalysisOptions } from "../traces/analysis/analysis.ts";
import {
  analysisComplete,
  analysisFolder,
  type PairToRead,
  readAnalysis,
  readPairs,
} from "../traces/analysis/analysis-folder.ts";
import type { AnalyzeEvent, RecipeFacts } from "../traces/analyze-traces.ts";
import { type ForkResult, readForkResults } from "../traces/forks/fork-folder.ts";
import type { LabelerSpec } from "../traces/labeler-spec.ts";
import { analyzeInto } from "../traces/run-analysis.ts";
import { type RecordedSignals, recordedSignalsSchema, signalsFile } from "../training/signal-spread.ts";
import { noteDamage } from "./damage.ts";
import { readEvaluation } from "./evaluation-data.ts";
import { readRlSteps, readSft, readSignals } from "./training-data.ts";

type ReadRunsOptions = {
  /** Where the analysis of several runs goes; that of one run is its own. */
  readonly out: string;
  /** Draws files that are not what they were when they were finished, and says so. */
  readonly acceptDamage?: boolean;
  readonly labeler?: LabelerSpec;
  readonly classifierName?: string;
  readonly analysis?: AnalysisOptions;
  /** Nothing is labeled: an analysis is read where there is one, as it stands. */
  readonly asFound?: boolean;
  readonly onEvent?: (event: AnalyzeEvent) => void;
};

export type WantedRun = {
  readonly path: string;
  readonly name: string;
  /** Runs of one group are repetitions of one experiment, whatever their settings. */
  readonly group?: string;
};

/** Folders of one name in different places are told apart by their paths. */
function wantedRuns(paths: readonly (string | WantedRun)[]): WantedRun[] {
  const names = paths.map((one) => (typeof one === "string" ? basename(resolve(one)) : one.name));
  return paths.map((one, i) => {
    if (typeof one !== "string") return one;
    return { path: one, name: names.filter((name) => name === names[i]).length === 1 ? names[i] : one };
  });
}

/** A part of one of the runs, under the name that the analysis knows it by. */
type NamedPart = RunPart & { readonly run: RunRecord; readonly key: string };

export async function readRuns(paths: readonly (string | WantedRun)[], options: ReadRunsOptions): Promise<ReportData> {
  const gaps: Gap[] = [];
  const gap = (found: Gap) => void gaps.push(found);
  const wanted = wantedRuns(paths);
  const runs: RunRecord[] = [];
  const parts: NamedPart[] = [];
  for (const { path, name, group } of wanted) {
    const read = await runParts(path, { whole: true }).catch((error: unknown) => {
      if (!options.asFound || !(error instanceof UserError)) throw error;
      return void gap({ missing: `a readable run (${error.message})`, where: name, remedy: "repair what it names" });
    });
    if (read === undefined) continue;
    const { description, parts: own } = read;
    const { kind, created } = description;
    const { config } = description;
    const run = { path, name, kind, created, config, ...(group !== undefined && { group }) };
    runs.push(run);
    const inside = wanted.length > 1 && hasParts(description);
    for (const part of own.filter((one) => one.kind !== "analyze")) {
      if (part.problem !== undefined) {
        gap({ missing: `a readable ${part.id} (${part.problem})`, where: run.name, remedy: "repair what it names" });
        continue;
      }
      const name = kind === "rl" || kind === "sft" ? run.name : part.name;
      // Evaluations of one policy in two folders are two.
      const taken = parts.some(({ key, id }) => key === name && part.kind === "evaluate" && id === ".");
      const beside = kind === "import" ? nameBeside(run.name, name) : `${name} (${run.name})`;
      parts.push({ ...part, run, name, key: inside || taken ? beside : name });
    }
    if (kind === "recipe") noteMissing(path, own, config, gap);
  }

  if (!options.asFound)
    for (const folder of new Set([...runs, ...parts.map((part) => ({ path: part.folder }))].map(({ path }) => path)))
      await noteDamage(folder, options.acceptDamage, gap);
  const { analysis, pairs } = await analysisOf(runs, parts, options, gap);
  const looks = looksOf(parts);
  const checkpoints: CheckpointRecord[] = [];
  const evaluations = parts.filter(({ kind }) => kind === "evaluate");
  for (const part of shownParts(evaluations, analysis, gap)) {
    const asked = evaluatedPolicy(part.description.config);
    const data = await readEvaluation(part.folder, asked.name ?? part.name, gap);
    const shared = { ...looks(part.key), key: part.key, role: part.role, run: part.run.name, inRun: part.title };
    if (data !== undefined)
      checkpoints.push({ ...shared, policy: part.name, asked, signals: await signalsOf(part.folder, gap), ...data });
  }
  const training: TrainingRecord[] = [];
  for (const part of parts.filter(({ kind }) => kind === "rl")) {
    const steps = await readRlSteps(part.folder, gap);
    if (steps.length === 0) continue;
    training.push({
      ...looks(part.key),
      ...{ key: part.key, policy: part.name, role: part.role, run: part.run.name, folder: resolve(part.folder) },
      ...{ config: part.description.config, steps },
      // Every rollout of training is read for them: too much for a page of many runs.
      signals: options.asFound && runs.length > 1 ? undefined : await readSignals(part.folder, gap),
      chosen: (await readChosenSteps(part.run.path)).find(({ policy }) => policy === part.name),
      series: analysis?.training.find(
        ({ series }) => series === part.key || (series === "training" && runs.length === 1),
      ),
    });
  }
  const sft: SftRecord[] = [];
  for (const part of parts.filter(({ kind }) => kind === "sft")) {
    sft.push({ run: part.run.name, config: part.description.config, ...(await readSft(part.folder, gap)) });
  }
  const forks = await forksOf(runs, gap);
  return { runs, analysis, pairs, checkpoints, training, sft, forks, gaps };
}

/** Of several runs, each says whose its policies are. */
async function forksOf(runs: readonly RunRecord[], gap: (gap: Gap) => void): Promise<ForkResult[]> {
  const found: ForkResult[] = [];
  for (const { path, name } of runs) {
    const own = await readForkResults(path).catch((error: unknown) => {
      if (!(error instanceof DataError)) throw error;
      gap({ missing: `readable forks (${error.message})`, where: name, remedy: "run `repertoire traces fork` again" });
      return [];
    });
    for (const one of own) {
      const of = runs.length === 1 ? one.of : nameBeside(name, one.of);
      found.push({ ...one, of, by: one.by === one.of ? of : one.by });
    }
  }
  return found;
}

/** Every model; of the steps of an imported training run as many as can be told apart. */
function shownParts(
  parts: readonly NamedPart[],
  analysis: Analysis | undefined,
  gap: (gap: Gap) => void,
): readonly NamedPart[] {
  const known = analysis?.scopes[0].checkpoints ?? [];
  const shown = new Set(shownCheckpoints(known).map(({ checkpoint }) => checkpoint));
  const isLeft = ({ key, run }: NamedPart) =>
    run.kind === "import" && !shown.has(key) && known.some(({ checkpoint }) => checkpoint === key);
  for (const run of new Set(parts.filter(isLeft).map(({ run }) => run))) {
    const own = parts.filter((part) => part.run === run);
    const names = own.filter((part) => !isLeft(part)).map(({ name }) => name);
    gap({
      missing: `${own.length - names.length} of ${own.length} checkpoints, which are steps of training`,
      where: run.name,
      remedy: `figures and tables show ${names.join(", ")}; curves over training have all steps`,
    });
  }
  return parts.filter((part) => !isLeft(part));
}

type FoundAnalysis = { readonly analysis?: Analysis; readonly pairs: readonly PairToRead[] };

/**
 * The analysis of what was given. Every recipe and every collection of rollouts has its own, and several of them are joined;
 * runs of one policy each are steps of one experiment, and are analyzed together.
 */
async function analysisOf(
  runs: readonly RunRecord[],
  parts: readonly NamedPart[],
  options: ReadRunsOptions,
  gap: (gap: Gap) => void,
): Promise<FoundAnalysis> {
  if (!options.asFound && runs.length > 1 && !runs.some(hasParts)) {
    const folder = join(options.out, analysisFolder);
    return (await analysisIn(folder, parts, ({ key }) => key, { pools: poolsOf(runs) }, options, gap)) ?? { pairs: [] };
  }
  const found: NamedAnalysis[] = [];
  for (const run of runs) {
    const own = parts.filter((part) => part.run === run);
    const recipe = { policiesByRole: policiesByRole(own), pools: poolsOf([run]) };
    const one = await analysisIn(join(run.path, analysisFolder), own, ({ name }) => name, recipe, options, gap);
    const keys = new Map(own.map(({ name, key }) => [name, key]));
    const keyOf = (checkpoint: string) =>
      runs.length === 1 ? checkpoint : (keys.get(checkpoint) ?? nameBeside(run.name, checkpoint));
    if (one === undefined) continue;
    const taxonomy = found[0]?.analysis.taxonomy.name ?? one.analysis.taxonomy.name;
    if (!options.asFound || one.analysis.taxonomy.name === taxonomy) found.push({ run: run.name, keyOf, ...one });
    else
      gap({
        missing: `how its traces reason, in the labels of "${taxonomy}"`,
        where: run.name,
        remedy: "analyze both with the same labeler",
      });
  }
  return found.length === 0 ? { pairs: [] } : joinedAnalyses(found);
}

/** Undefined where there is none; one that cannot be read is a gap, where gaps are told. */
async function finishedAnalysis(
  folder: string,
  gap?: (gap: Gap) => void,
): Promise<Required<FoundAnalysis> | undefined> {
  if (!analysisComplete(folder)) return undefined;
  try {
    return { analysis: await readAnalysis(folder), pairs: await readPairs(folder) };
  } catch (error) {
    if (gap === undefined || !(error instanceof UserError)) throw error;
    return void gap({ missing: `a readable analysis (${error.message})`, where: folder, remedy: "analyze again" });
  }
}

const poolsOf = (runs: readonly RunRecord[]) => puzzlePools(runs.map(({ config }) => config));

/** The analysis in a folder, made or brought up to date where that may be done. */
async function analysisIn(
  folder: string,
  parts: readonly NamedPart[],
  nameOf: (part: NamedPart) => string,
  recipe: RecipeFacts,
  { labeler, classifierName, analysis: options, onEvent, asFound }: ReadRunsOptions,
  gap: (gap: Gap) => void,
): Promise<Required<FoundAnalysis> | undefined> {
  if (asFound) return finishedAnalysis(folder, gap);
  const run = parts.at(0)?.run;
  const inputs =
    run?.kind === "import"
      ? [{ path: run.path }]
      : parts.flatMap((part): TraceInput[] => {
          const file = { teach: corpusFile, rl: trainingFiles.rollouts }[part.kind as string];
          if (file === undefined && part.kind !== "evaluate") return [];
          const path = file === undefined ? part.folder : join(part.folder, file);
          return existsSync(path) ? [{ path, name: nameOf(part) }] : [];
        });
  if (inputs.length === 0) return undefined;
  const request = { inputs, labeler, classifierName, analysis: options, recipe };
  const analysis = await analyzeInto(folder, request, onEvent).catch((error: unknown) => {
    if (!(error instanceof DataError)) throw error;
    gap({
      missing: `traces that can be read (${error.message})`,
      where: parts[0].run.path,
      remedy: "mend or remove that file",
    });
    return undefined;
  });
  return analysis && { analysis, pairs: await readPairs(folder) };
}

/** What `traces signal` left, if it has been there. */
async function signalsOf(folder: string, gap: (gap: Gap) => void): Promise<RecordedSignals | undefined> {
  const path = join(folder, signalsFile);
  if (!existsSync(path)) return undefined;
  return readJsonFile(path, recordedSignalsSchema).catch((error: unknown) => {
    if (!(error instanceof DataError)) throw error;
    return void gap({ missing: error.message, where: folder, remedy: "run `repertoire traces signal` again" });
  });
}

function noteMissing(
  path: string,
  parts: readonly RunPart[],
  config: RunRecord["config"],
  gap: (gap: Gap) => void,
): void {
  if (config.from === undefined && !parts.some(({ kind }) => kind === "teach"))
    gap({ missing: corpusFile, where: path, remedy: "teach again; the teacher's figures are made from it" });
  for (const id of recipeStages(parts, config)) {
    if (parts.some((part) => part.id === id)) continue;
    const evaluation = id.startsWith("evaluations/");
    gap({
      missing: `the ${evaluation ? "evaluation" : "stage"} ${id}/`,
      where: path,
      remedy: evaluation
        ? "run the recipe again in the same folder: it evaluates what is missing"
        : "run the recipe again in the same folder to resume it",
    });
  }
}

/** The same color and symbol for a checkpoint and for the training that made it. */
function looksOf(parts: readonly NamedPart[]): (key: string) => Look {
  const drawn = parts.filter(({ kind }) => kind === "evaluate" || kind === "rl");
  const known = new Map(
    drawn.map(({ key, name, title, role, color, run }) => [key, { name, title, role, color, run }]),
  );
  const keys = [...known.keys()];
  const inkNames = checkpointColorNames(
    keys.map((key) => known.get(key)!.role),
    keys.map((key) => known.get(key)!.color),
  );
  const severalRuns = new Set(drawn.map(({ run }) => run.path)).size > 1;
  const title = (key: string) => {
    const { title: own, run } = known.get(key)!;
    return severalRuns && hasParts(run) ? `${own} (${run.name})` : own;
  };
  const looks = new Map(
    keys.map((key, i) => [
      key,
      { name: title(key), ink: inkNames[i], symbol: symbols[i % symbols.length], ...(i % 2 === 1 && { dash: "6 3" }) },
    ]),
  );
  return (key) => looks.get(key)!;
}
