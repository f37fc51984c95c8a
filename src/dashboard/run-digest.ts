// One run as it stands beside others: its curves, pass@k and how its traces reason, from what it wrote down. Rollouts are
// not read, so that a page of two dozen runs costs no more than their events and summaries.

import { join } from "node:path";
import { evaluationFiles } from "../evaluation/evaluation-folder.ts";
import { paperTaxonomy } from "../rollouts/paper-taxonomy.ts";
import { displayName, knownRole } from "../runs/recipe-names.ts";
import { languageOfFolder } from "../runs/run-parts.ts";
import type { CheckpointSummary } from "../traces/analysis/checkpoint-summary.ts";
import type { Estimate } from "../traces/analysis/estimates.ts";
import { depthMeasure, recoveringMeasure, recoveryMeasure, runMeasure } from "../traces/analysis/measures.ts";
import type { ScopeAnalysis } from "../traces/analysis/scope-analysis.ts";
import { stepCurves } from "../traces/analysis/step-curves.ts";
import { labelerWords } from "../traces/labeler.ts";
import { recoveryMoves, rlCurves } from "../training/curves.ts";
import type { AnalyzedSeries, Gap, Interval, RlTraining, SideCheckpoint, SideRun, SideTraining } from "./api.ts";
import { summaryOrGap } from "./evaluation-summaries.ts";
import { OpenedAnalysis, openAnalysis } from "./opened-analysis.ts";
import type { FoundRun, FoundStage } from "./run-discovery.ts";
import { runEntry, stageEntry } from "./run-state.ts";
import { TrainingSeries } from "./training-series.ts";

export class RunDigest {
  readonly found: FoundRun;
  readonly #home: string;
  readonly #series = new Map<string, TrainingSeries>();
  #analysis: Promise<OpenedAnalysis | Gap | undefined> | undefined;

  constructor(home: string, found: FoundRun) {
    this.#home = home;
    this.found = found;
  }

  async read(): Promise<SideRun> {
    const { id, name, kind, description, stages, problem } = this.found;
    const gaps: Gap[] = [];
    if (problem !== undefined)
      gaps.push({ missing: `a readable run (${problem})`, where: id, remedy: "repair what the message names" });
    this.#analysis ??= openAnalysis(this.#home, this.found);
    const opened = await this.#analysis;
    const analysis = opened instanceof OpenedAnalysis ? opened : undefined;
    if (opened !== undefined && analysis === undefined) gaps.push({ ...(opened as Gap), where: id });
    const training: SideTraining[] = [];
    for (const stage of stages)
      if (stage.kind === "rl" && stage.problem === undefined) training.push(await this.#training(stage, analysis));
    if (training.length === 0) for (const series of analysis?.series ?? []) training.push(analyzedTraining(series));
    const checkpoints = kind === "analyze" ? [] : await evaluated(stages, analysis, id, gaps);
    if (kind === "analyze" && analysis !== undefined) checkpoints.push(...analyzedCheckpoints(analysis));
    if (analysis === undefined && checkpoints.length > 0)
      gaps.push({
        missing: "how its traces reason",
        where: id,
        remedy: `an analysis says it: repertoire report ${name} makes one`,
      });
    return {
      ...{ id, name, kind, state: (await runEntry(this.found)).state, config: description?.config ?? {} },
      ...{ training, checkpoints, gaps },
      labeled: analysis?.analysis.labelers.map((labeler) => labelerWords(labeler)) ?? [],
    };
  }

  async #training(stage: FoundStage, analysis: OpenedAnalysis | undefined): Promise<SideTraining> {
    const taxonomy = analysis?.analysis.taxonomy ?? paperTaxonomy;
    let series = this.#series.get(stage.id);
    if (series === undefined) {
      const language = await languageOfFolder(stage.folder).catch(() => undefined);
      series = new TrainingSeries(stage, language, taxonomy);
      this.#series.set(stage.id, series);
    }
    const analyzed = analysis?.series.find((one) => one.series === stage.checkpoint);
    const { state } = await stageEntry(stage);
    const reply = await series.reply(state, undefined, (id) => id, analyzed && { ...analyzed, labeled: "" });
    const { points } = reply as RlTraining;
    const curves = Object.fromEntries(
      rlCurves.map(({ id }) => [id, points.map((point) => point.curves[id] ?? null)] as const),
    );
    return {
      name: stage.name,
      ...(stage.role && { role: stage.role }),
      ...(stage.color && { color: stage.color }),
      steps: points.map(({ step }) => step),
      curves: { ...withValues(curves), ...repertoireCurves(points, taxonomy.recover) },
    };
  }
}

type Counted = { readonly primitives?: Readonly<Record<string, number>> };

function repertoireCurves(points: readonly Counted[], recover: readonly string[]): SideTraining["curves"] {
  const labels = [...new Set(points.flatMap(({ primitives }) => Object.keys(primitives ?? {})))];
  return withValues({
    recovery: points.map(({ primitives }) => recoveryMoves(primitives, recover) ?? null),
    ...Object.fromEntries(
      labels.map((label) => [`primitive ${label}`, points.map(({ primitives }) => primitives?.[label] ?? null)]),
    ),
  });
}

/** Curves that the run does not have are left out; what could not be estimated is null. */
function withValues(curves: SideTraining["curves"]): SideTraining["curves"] {
  const finite = (value: number | null) => (value !== null && Number.isFinite(value) ? value : null);
  return Object.fromEntries(
    Object.entries(curves)
      .map(([id, values]) => [id, values.map(finite)] as const)
      .filter(([, values]) => values.some((value) => value !== null)),
  );
}

function analyzedTraining({ series, role, points, recover }: AnalyzedSeries): SideTraining {
  return {
    name: series,
    ...(role && { role }),
    steps: points.map(({ step }) => step),
    curves: {
      ...withValues(
        Object.fromEntries(stepCurves.map(({ id }) => [id, points.map(({ curves }) => curves[id] ?? null)])),
      ),
      ...repertoireCurves(points, recover),
    },
  };
}

async function evaluated(
  stages: readonly FoundStage[],
  analysis: OpenedAnalysis | undefined,
  run: string,
  gaps: Gap[],
): Promise<SideCheckpoint[]> {
  const checkpoints: SideCheckpoint[] = [];
  for (const { kind, id, name, role, color, folder, checkpoint, problem } of stages) {
    if (kind !== "evaluate" || problem !== undefined) continue;
    const where = id === "." ? run : `${run}/${id}`;
    const summary = await summaryOrGap(join(folder, evaluationFiles.summary), where, (gap) => gaps.push(gap));
    if (summary === undefined)
      gaps.push({ missing: `${evaluationFiles.summary} of ${name}`, where, remedy: "it comes when it is graded" });
    checkpoints.push({
      name,
      ...(role && { role }),
      ...(color && { color }),
      sets: (summary?.sets ?? []).map(({ set, problems, passAtK }) => ({
        ...{ set, problems },
        passAtK: passAtK.map(({ k, value, newProblems }) => ({
          k,
          value,
          ...(newProblems && { interval: newProblems }),
        })),
      })),
      reasoning: reasoningOf(analysis, checkpoint),
    });
  }
  return checkpoints;
}

/** Checkpoints of somebody's rollouts: the analysis knows all that there is to know. */
function analyzedCheckpoints(analysis: OpenedAnalysis): SideCheckpoint[] {
  const { scopes } = analysis.analysis;
  const [everything] = scopes;
  // Each set where there are several, else everything.
  const sets = scopes.filter(({ scope }) => scope.sets?.length === 1);
  return (everything?.checkpoints ?? []).map(({ checkpoint }) => {
    const role = knownRole(checkpoint);
    return {
      name: displayName(checkpoint),
      ...(role && { role }),
      sets: (sets.length > 0 ? sets : [everything]).flatMap(({ scope, checkpoints }) => {
        const own = checkpoints.find((one) => one.checkpoint === checkpoint);
        if (own === undefined || own.gradedTraces === 0) return [];
        return [{ set: scope.name, problems: own.problems, passAtK: passOf(own) }];
      }),
      reasoning: reasoningOf(analysis, checkpoint),
    };
  });
}

const passOf = ({ passAtK }: CheckpointSummary): SideCheckpoint["sets"][number]["passAtK"] =>
  Object.entries(passAtK).flatMap(([k, estimate]) =>
    Number.isFinite(estimate.value) ? [{ k: Number(k), ...measured(estimate) }] : [],
  );

function reasoningOf(analysis: OpenedAnalysis | undefined, checkpoint: string): SideCheckpoint["reasoning"] {
  if (analysis === undefined) return [];
  const names = [...analysis.alphabet.labels, recoveryMeasure, recoveringMeasure, depthMeasure, runMeasure];
  return analysis.analysis.scopes.flatMap(({ scope, checkpoints }: ScopeAnalysis) => {
    const own = checkpoints.find((one) => one.checkpoint === checkpoint);
    if (own === undefined || own.traces === 0) return [];
    const measures = names.flatMap((name) => {
      const estimate = own.measures[name];
      return estimate !== undefined && Number.isFinite(estimate.value) ? [[name, measured(estimate)]] : [];
    });
    return [{ scope: scope.name, traces: own.traces, measures: Object.fromEntries(measures) }];
  });
}

function measured({ value, low, high }: Estimate): { readonly value: number; readonly interval?: Interval } {
  return { value, ...(Number.isFinite(low) && Number.isFinite(high) && { interval: { low, high } }) };
}
