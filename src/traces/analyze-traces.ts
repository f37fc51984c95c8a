// Reading and analysing in one go, as the command line and recipes use it: events while it works, the folder at the end.
import { type Analysis, type AnalysisOptions, analyze, checkpointsOf } from "./analysis/analysis.ts";
import { type PairToRead, writeAnalysis } from "./analysis/analysis-folder.ts";
import { defaultPairs, type PairOptions, type ReadingPair, readingPairs } from "./analysis/reading-pairs.ts";
import { BuiltinClassifier } from "./classifier/builtin-classifier.ts";
import { type LabelledText, tracesOfSlice } from "./label-slice.ts";
import {
  planSlices,
  type ReadOptions,
  type ReadTraces,
  readTraces,
  sliceBytes,
  type TraceInput,
} from "./read-traces.ts";
import type { PoolOptions } from "./slice-pool.ts";
import type { SpanClassifier } from "./span-classifier.ts";

export type AnalyzeRequest = {
  readonly inputs: readonly TraceInput[];
  readonly reading: ReadOptions;
  readonly analysis: AnalysisOptions;
  readonly pairs?: PairOptions;
  /** A classifier, or the folder of one that is trained here; the shipped one where neither is given. */
  readonly classifier: SpanClassifier | { readonly folder?: string };
  readonly workers?: number;
};

export type AnalyzeEvent =
  | { readonly type: "planned"; readonly files: number; readonly bytes: number }
  | { readonly type: "slice"; readonly bytes: number; readonly traces: number; readonly spans: number }
  | { readonly type: "analyzed"; readonly analysis: Analysis };

export async function analyzeTraces(
  folder: string,
  { inputs, reading, analysis, pairs, classifier, workers }: AnalyzeRequest,
  onEvent: (event: AnalyzeEvent) => void = () => {},
): Promise<Analysis> {
  const planned = await planSlices(inputs, reading);
  onEvent({ type: "planned", files: new Set(planned.map(({ slice }) => slice.path)).size, bytes: sliceBytes(planned) });
  const pool: PoolOptions = {
    classifier,
    workers,
    onSlice: ({ bytes }, { records, spans }) => onEvent({ type: "slice", bytes, traces: records.length, spans }),
  };
  const read = await readTraces(planned, pool);
  const labeller = "label" in classifier ? classifier : await BuiltinClassifier.load(classifier.folder);
  const result = analyze(read, labeller.description, analysis);
  const toRead = await pairsToRead(read, labeller, pairs ?? defaultPairs);
  await writeAnalysis(folder, read.records, result, toRead);
  onEvent({ type: "analyzed", analysis: result });
  return result;
}

/** Pairs of the first checkpoint with each other one, with the texts fetched again from where they came. */
async function pairsToRead(read: ReadTraces, classifier: SpanClassifier, options: PairOptions): Promise<PairToRead[]> {
  const byCheckpoint = checkpointsOf(read.records);
  const [first, ...others] = [...byCheckpoint.values()].map((members) => members.map((i) => read.records[i]));
  const pairs = others.flatMap((other) => readingPairs(first, other, options));
  const texts = await textsOf(read, pairs, classifier);
  return pairs.map((pair) => ({
    ...pair,
    firstSpans: texts.get(placeOf(pair.first)) ?? [],
    secondSpans: texts.get(placeOf(pair.second)) ?? [],
  }));
}

const placeOf = ({ slice, ordinal }: { slice: number; ordinal: number }) => `${slice}:${ordinal}`;

async function textsOf(
  { planned }: ReadTraces,
  pairs: readonly ReadingPair[],
  classifier: SpanClassifier,
): Promise<Map<string, LabelledText[]>> {
  const wanted = new Map<number, Set<number>>();
  for (const { slice, ordinal } of pairs.flatMap(({ first, second }) => [first, second])) {
    wanted.set(slice, (wanted.get(slice) ?? new Set()).add(ordinal));
  }
  const texts = new Map<string, LabelledText[]>();
  for (const [slice, ordinals] of wanted) {
    const { slice: where, options } = planned[slice];
    for (const [ordinal, spans] of await tracesOfSlice(where, ordinals, options, classifier)) {
      texts.set(placeOf({ slice, ordinal }), spans);
    }
  }
  return texts;
}
