// The analysis of a run while somebody looks at it: read once from its folder, never computed here. Pages ask it for
// claims, comparisons, motifs, pairs and what training did to the repertoire.

import { realpath, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { Refusal } from "../base/http/body.ts";
import { inputFile, isSameFile } from "../imports/inputs.ts";
import { told } from "../results/conclusion.ts";
import type { Analysis } from "../traces/analysis/analysis.ts";
import {
  analysisComplete,
  analysisFiles,
  type PairToRead,
  type ReadingPlan,
  readAnalysis,
  readPairs,
  readPlan,
} from "../traces/analysis/analysis-folder.ts";
import type { ScopeAnalysis } from "../traces/analysis/scope-analysis.ts";
import { type LabelerDescription, labelerId, labelerWords } from "../traces/labeler.ts";
import { defaultLabeler, type LabelerSpec, readerOf } from "../traces/labeler-spec.ts";
import { type Alphabet, alphabetOf } from "../traces/sequence.ts";
import type { TraceReader } from "../traces/trace-reader.ts";
import type { AnalysisEntry, AnalyzedScope, Gap } from "./api.ts";
import { type FoundRun, isInside, localMessage } from "./run-discovery.ts";

export class OpenedAnalysis {
  readonly stage: string;
  readonly folder: string;
  readonly analysis: Analysis;
  readonly plan: ReadingPlan;
  readonly alphabet: Alphabet;
  readonly labelers: ReadonlyMap<string, LabelerDescription>;
  readonly #home: string;
  #pairs: Promise<readonly PairToRead[]> | undefined;

  constructor(home: string, stage: string, folder: string, analysis: Analysis, plan: ReadingPlan) {
    this.#home = home;
    this.stage = stage;
    this.folder = folder;
    this.analysis = analysis;
    this.plan = plan;
    this.alphabet = alphabetOf(analysis.taxonomy);
    this.labelers = new Map(analysis.labelers.map((labeler) => [labelerId(labeler), labeler]));
  }

  async entry(): Promise<AnalysisEntry> {
    const { labelers } = this.analysis;
    const outdated = await this.#change();
    const { comparison, scope } = told(this.analysis);
    return {
      stage: this.stage,
      labeled: labelers.map(labelerWords),
      scopes: this.scopes,
      ...(comparison && { told: { first: comparison.first, second: comparison.second, scope: scope.scope.name } }),
      ...(outdated && { outdated }),
    };
  }

  /** Everything, where no scope is named. */
  scope(name: string | undefined): ScopeAnalysis {
    const { scopes } = this.analysis;
    const found = scopes.find(({ scope }) => name === undefined || scope.name === name);
    if (found !== undefined) return found;
    const known = scopes.map(({ scope }) => scope.name).join(", ");
    throw new Refusal(404, `unknown scope ${JSON.stringify(name?.slice(0, 100))}; expected one of: ${known}`);
  }

  get scopes(): AnalyzedScope[] {
    return this.analysis.scopes.map(({ scope: { name, kind, sets }, problems, traces }) => ({
      ...{ name, problems, traces },
      ...(kind && { kind }),
      ...(sets && { sets }),
    }));
  }

  pairs(): Promise<readonly PairToRead[]> {
    this.#pairs ??= readPairs(this.folder).catch(() => []);
    return this.#pairs;
  }

  /** Logs grow, and their length says so; one written to since is read again, once. What lies outside the served folder is not looked at. */
  async #change(): Promise<string | undefined> {
    // Inputs are named from the analysis.
    const own = await realpath(this.folder);
    const { mtimeMs: made } = await stat(join(own, analysisFiles.analysis));
    for (const input of this.analysis.inputs) {
      const [path, bytes] = [resolve(own, input.path), input.bytes];
      if (!isInside(this.#home, path)) continue;
      const now = await stat(path).catch(() => undefined);
      const name = relative(this.#home, path);
      if (now === undefined) return `${name} is gone`;
      if (now.size !== bytes) return `${name} has ${now.size > bytes ? "grown" : "changed"}`;
      if (now.mtimeMs > made && !isSameFile(input, await inputFile(path))) return `${name} has changed`;
    }
    return undefined;
  }
}

/** The finished analysis of a run, or why it cannot be read; undefined where there is none. */
export async function openAnalysis(home: string, { stages }: FoundRun): Promise<OpenedAnalysis | Gap | undefined> {
  const stage = stages.find(({ kind, folder, problem }) => kind === "analyze" && !problem && analysisComplete(folder));
  if (stage === undefined) return undefined;
  const { id, folder } = stage;
  const place = await realpath(home);
  try {
    return new OpenedAnalysis(place, id, folder, await readAnalysis(folder), await readPlan(folder));
  } catch (error) {
    return {
      missing: `a readable analysis (${localMessage(error, place).replaceAll(`${folder}/`, "")})`,
      where: id,
      remedy: "analyze again",
    };
  }
}

export type RunLabeling = {
  readonly spec: LabelerSpec;
  readonly reader: TraceReader;
  /** How a user named the classifier; absent for the shipped one. */
  readonly name?: string;
};

/** The labeler of the analysis where it can be loaded here, so that a rollout has the labels that were counted; else the usual one. */
export async function labelingFor(opened: OpenedAnalysis | undefined, usual: RunLabeling): Promise<RunLabeling> {
  if (opened === undefined) return usual;
  const { classifier, segmentation, abstainBelow } = opened.plan;
  // A language model or a judge cannot be opened from its name alone; one that was named for the dashboard is open.
  if (classifier !== undefined && usual.name !== undefined && resolve(classifier) === resolve(usual.name)) {
    const spec = { ...usual.spec, segmentation, abstainBelow };
    return { ...usual, spec, reader: await readerOf(spec) };
  }
  const spec: LabelerSpec = { segmentation, abstainBelow, ...(classifier && { classifier: { folder: classifier } }) };
  try {
    return { spec, reader: await readerOf(spec) };
  } catch {
    return usual;
  }
}

/** What a user asks for, or the shipped classifier. */
export type UsualLabeler = Pick<LabelerSpec, "classifier"> & { readonly name?: string };

export async function usualLabeling({ classifier, name }: UsualLabeler): Promise<RunLabeling> {
  const spec = { ...defaultLabeler, ...(classifier && { classifier }) };
  return { spec, reader: await readerOf(spec), ...(name !== undefined && { name }) };
}
