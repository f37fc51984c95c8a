// The whole reading of a collection of traces: checkpoints, comparisons, splits, correlations, enrichment, curves.
import { Random } from "../../base/random.ts";
import { trigramCategories, trigramCategory } from "../categories.ts";
import { type Motif, motifLengths, motifOf, namedMotifs } from "../motifs.ts";
import type { ReadTraces } from "../read-traces.ts";
import { readSequence } from "../sequence.ts";
import type { ClassifierDescription } from "../span-classifier.ts";
import type { TraceRecord } from "../trace-record.ts";
import { type CheckpointSummary, checkpointSummary } from "./checkpoint-summary.ts";
import { type ProblemIndex, problemIndex } from "./clusters.ts";
import { type Comparison, comparison } from "./comparison.ts";
import type { Estimate } from "./estimates.ts";
import { type MeasureColumns, type MeasureName, measureColumns, measureNames } from "./measures.ts";
import {
  type EnrichmentRow,
  enrichment,
  type HoldsWhat,
  holdsMotif,
  type MotifRow,
  meanFrequencies,
  motifRows,
  type PassCorrelation,
  passCorrelations,
} from "./motif-tables.ts";
import { type ProblemSplit, problemSplit } from "./problem-split.ts";

export const analysisVersion = 1;

export type DevelopmentPoint = { readonly checkpoint: string; readonly step: number } & Readonly<
  Record<"measures", Readonly<Record<MeasureName, Estimate>>>
> & { readonly pass1?: number };

export type Analysis = {
  readonly version: typeof analysisVersion;
  readonly classifier: ClassifierDescription;
  readonly input: {
    readonly traces: number;
    readonly spans: number;
    readonly skipped: ReadTraces["skipped"];
    readonly oddities: ReadTraces["oddities"];
  };
  readonly checkpoints: readonly CheckpointSummary[];
  /** First against each other one, and each against the next. */
  readonly comparisons: readonly Comparison[];
  readonly splits: readonly ProblemSplit[];
  readonly motifs: readonly MotifRow[];
  readonly correlations: readonly PassCorrelation[];
  readonly enrichment: readonly { readonly checkpoint: string; readonly rows: readonly EnrichmentRow[] }[];
  /** Checkpoints that know their training step, in order. */
  readonly development: readonly DevelopmentPoint[];
};

export type AnalysisOptions = {
  readonly seed: string;
  readonly replicates: number;
  readonly motifsPerLength: number;
};

export const defaultAnalysis: AnalysisOptions = { seed: "traces", replicates: 2000, motifsPerLength: 20 };

export function analyze(
  read: Pick<ReadTraces, "records" | "skipped" | "oddities" | "spans">,
  classifier: ClassifierDescription,
  options: AnalysisOptions = defaultAnalysis,
): Analysis {
  const { records } = read;
  const resampling = { random: Random.from(options.seed), replicates: options.replicates };
  const columns = measureColumns(records);
  const problems = problemIndex(records);
  const byCheckpoint = checkpointsOf(records);
  const names = [...byCheckpoint.keys()];
  const chosen = (name: string) => byCheckpoint.get(name)!;
  const readable = (name: string) => chosen(name).filter((i) => records[i].sequence !== "");

  const checkpoints = names.map((name) =>
    checkpointSummary(name, records, chosen(name), columns, problems, resampling),
  );
  const pairs = comparedPairs(names);
  const motifs = names.flatMap((name) =>
    motifRows(name, records, readable(name), problems, options.motifsPerLength, resampling),
  );
  return {
    version: analysisVersion,
    classifier,
    input: { traces: records.length, spans: read.spans, skipped: read.skipped, oddities: read.oddities },
    checkpoints,
    comparisons: pairs.map(([first, second]) => compared(first, second)),
    splits: pairs
      .filter((pair) => pair.every((name) => records.some((r) => r.checkpoint === name && r.correct !== undefined)))
      .map(([first, second]) =>
        problemSplit([first, second], [chosen(first), chosen(second)], records, columns, problems, resampling),
      ),
    motifs,
    correlations: correlationsOf(checkpoints, motifs, records, readable),
    enrichment: names.map((name) => ({
      checkpoint: name,
      rows: enrichment(
        chosen(name).map((i) => records[i]),
        [...categoryHolders(), ...motifHolders(motifs, name)],
      ),
    })),
    development: developmentOf(checkpoints),
  };

  function compared(first: string, second: string): Comparison {
    return comparison(
      { name: first, chosen: chosen(first) },
      { name: second, chosen: chosen(second) },
      columns,
      problems,
      classifier,
      resampling,
    );
  }
}

/** Only one pair, at any time after the analysis: what `compare` shows. */
export function compareCheckpoints(
  records: readonly TraceRecord[],
  first: string,
  second: string,
  classifier: ClassifierDescription,
  options: AnalysisOptions = defaultAnalysis,
): { readonly comparison: Comparison; readonly split: ProblemSplit } {
  const resampling = { random: Random.from(options.seed), replicates: options.replicates };
  const two = records.filter(({ checkpoint }) => checkpoint === first || checkpoint === second);
  const columns: MeasureColumns = measureColumns(two);
  const problems: ProblemIndex = problemIndex(two);
  const chosen = (name: string) => two.flatMap(({ checkpoint }, i) => (checkpoint === name ? [i] : []));
  return {
    comparison: comparison(
      { name: first, chosen: chosen(first) },
      { name: second, chosen: chosen(second) },
      columns,
      problems,
      classifier,
      resampling,
    ),
    split: problemSplit([first, second], [chosen(first), chosen(second)], two, columns, problems, resampling),
  };
}

/** In the order in which they appear; checkpoints with a training step by that step. */
export function checkpointsOf(records: readonly TraceRecord[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  records.forEach(({ checkpoint }, i) => {
    const members = found.get(checkpoint);
    if (members === undefined) found.set(checkpoint, [i]);
    else members.push(i);
  });
  const stepOf = (name: string) => records[found.get(name)![0]].step;
  const entries = [...found];
  if (entries.every(([name]) => stepOf(name) !== undefined)) entries.sort(([a], [b]) => stepOf(a)! - stepOf(b)!);
  return new Map(entries);
}

function comparedPairs(names: readonly string[]): [string, string][] {
  const fromFirst = names.slice(1).map((name): [string, string] => [names[0], name]);
  const neighbours = names.slice(2).map((name, i): [string, string] => [names[i + 1], name]);
  return [...fromFirst, ...neighbours];
}

function correlationsOf(
  checkpoints: readonly CheckpointSummary[],
  motifs: readonly MotifRow[],
  records: readonly TraceRecord[],
  readable: (name: string) => readonly number[],
): PassCorrelation[] {
  const graded = checkpoints.filter(({ passAtK }) => Object.keys(passAtK).length > 0);
  const ks = Object.keys(graded[0]?.passAtK ?? {})
    .map(Number)
    .filter((k) => graded.every(({ passAtK }) => k in passAtK));
  const sequences = graded.map(({ checkpoint }) => readable(checkpoint).map((i) => readSequence(records[i].sequence)));
  const motifSeries: Record<string, number[]> = {};
  for (const length of motifLengths) {
    // Every motif that is among the most frequent anywhere is followed everywhere.
    const texts = [...new Set(motifs.filter((row) => row.length === length).map(({ motif }) => motif))];
    if (texts.length === 0) continue;
    const means = sequences.map((list) => meanFrequencies(list, texts.map(motifOf)));
    for (const [i, text] of texts.entries()) motifSeries[`motif ${text}`] = means.map((series) => series[i]);
  }
  const measureSeries = Object.fromEntries(
    measureNames.map((name) => [name, graded.map(({ measures }) => measures[name].value)]),
  );
  return [...new Set([1, Math.max(...ks)])]
    .filter((k) => Number.isFinite(k) && ks.includes(k))
    .flatMap((k) =>
      passCorrelations(
        graded.map(({ passAtK }) => passAtK[k]),
        k,
        { ...measureSeries, ...motifSeries },
      ),
    );
}

function categoryHolders(): HoldsWhat[] {
  return trigramCategories.map((category) => ({
    what: `${category} trigram`,
    holds: (sequence) => {
      for (let start = 0; start + 3 <= sequence.length; start++) {
        if (trigramCategory(sequence, start) === category) return true;
      }
      return false;
    },
  }));
}

function motifHolders(motifs: readonly MotifRow[], checkpoint: string): HoldsWhat[] {
  const frequent = motifs
    .filter((row) => row.checkpoint === checkpoint && row.length <= 5)
    .map((row) => motifOf(row.motif));
  const named = Object.values(namedMotifs) as readonly Motif[];
  const all = new Map([...frequent, ...named].map((motif) => [motif.join(), motif]));
  return [...all.values()].map(holdsMotif);
}

function developmentOf(checkpoints: readonly CheckpointSummary[]): DevelopmentPoint[] {
  return checkpoints
    .flatMap(({ checkpoint, step, measures, passAtK }) =>
      step === undefined ? [] : [{ checkpoint, step, measures, pass1: passAtK[1] }],
    )
    .sort((a, b) => a.step - b.step);
}
