// An analysis as a stage: what recipes, `traces analyze` and `report` make, all by this one function. A finished one is read
// again unless its inputs have changed.
import { availableParallelism } from "node:os";
import { join, relative, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { ConfigurationError } from "../base/errors.ts";
import { median } from "../base/statistics.ts";
import { type ImportReport, readImport } from "../imports/import-report.ts";
import { type InputFile, inputChange, inputFile } from "../imports/inputs.ts";
import { type PlannedSlice, planSlices, type ReadOptions, sliceBytes, type TraceInput } from "../imports/plan.ts";
import { nothingRead } from "../imports/skips.ts";
import { type PoliciesByRole, type PuzzlePools, policiesByRole, puzzlePools } from "../runs/recipe-names.ts";
import { isRun, runParts } from "../runs/run-parts.ts";
import { type Analysis, type AnalysisOptions, analyze, comparedRecords, defaultAnalysis } from "./analysis/analysis.ts";
import {
  analysisComplete,
  checkAnalysis,
  type PairToRead,
  type ReadingPlan,
  readAnalysis,
  readPlan,
  writeAnalysis,
} from "./analysis/analysis-folder.ts";
import { defaultPairs, type PairOptions, type ReadingPair, readingPairs } from "./analysis/reading-pairs.ts";
import { type LabeledText, type SliceResult, tracesOfSlice } from "./label-slice.ts";
import { labelerId } from "./labeler.ts";
import { defaultLabeler, type LabelerSpec, readerOf } from "./labeler-spec.ts";
import { type ExpectedLabeling, expectedLabeling } from "./labeling-rate.ts";
import { movedCandidates, movedSpans, placeOf } from "./moved-spans.ts";
import { type ReadTraces, readTraces } from "./read-traces.ts";
import { stepSegmentation } from "./segmentation.ts";
import { SliceCache } from "./slice-cache.ts";
import { labelsInThreads } from "./slice-pool.ts";
import type { TraceReader } from "./trace-reader.ts";
import type { TraceRecord } from "./trace-record.ts";

/** Which RL run plays which part, and which puzzles are asked for the same reason. */
export type RecipeFacts = { readonly policiesByRole?: PoliciesByRole; readonly pools?: PuzzlePools };

export type AnalyzeRequest = {
  readonly inputs: readonly TraceInput[];
  readonly reading?: ReadOptions;
  readonly labeler?: LabelerSpec;
  /** How a user would name the labeler again; absent for the shipped one. */
  readonly classifierName?: string;
  readonly analysis?: AnalysisOptions;
  readonly pairs?: PairOptions;
  /** What the recipe says about its traces; a single recipe's folder says so itself. */
  readonly recipe?: RecipeFacts;
  readonly workers?: number;
  /** Somebody keeps up with a trainer and will ask again: what is labeled is kept. */
  readonly following?: boolean;
};

export type AnalyzeEvent =
  | { readonly type: "planned"; readonly files: number; readonly bytes: number }
  | { readonly type: "expected"; readonly expected: ExpectedLabeling }
  /** Of all bytes, what an earlier call left labeled. */
  | { readonly type: "labeling"; readonly bytes: number; readonly kept: number }
  | {
      readonly type: "slice";
      readonly bytes: number;
      readonly traces: number;
      readonly spans: number;
      readonly kept: boolean;
    }
  | { readonly type: "outdated"; readonly because: string }
  | { readonly type: "analyzed"; readonly analysis: Analysis };

/** Bytes in a slice for labelers that take their time, and from when on it is said how long it will take. */
const slowSlice = 1 << 20;
const muchToRead = 64 << 20;

export async function analyzeTraces(
  folder: string,
  request: AnalyzeRequest,
  onEvent: (event: AnalyzeEvent) => void = () => {},
): Promise<Analysis> {
  const { inputs, reading = { format: "auto" }, workers } = request;
  const before = analysisComplete(folder) ? await readPlan(folder).catch(() => undefined) : undefined;
  const labeler = request.labeler ?? (before === undefined ? defaultLabeler : labelerAsIn(before));
  const { analysis: options = defaultAnalysis, pairs = defaultPairs, classifierName } = request;
  const threads = labelsInThreads(labeler) ? (workers ?? availableParallelism()) : 1;
  const bytesPerSlice = labelsInThreads(labeler) ? undefined : slowSlice;
  const planned = await planSlices(inputs, reading, bytesPerSlice);
  const files = await inputFiles(planned, folder);
  const reader = await readerOf(labeler);
  const plan: ReadingPlan = {
    labeledBy: labelerId(reader.labeler.description),
    segmentation: labeler.segmentation,
    abstainBelow: labeler.abstainBelow,
    ...(classifierName !== undefined && { classifier: classifierName }),
    pairs,
  };
  if (analysisComplete(folder)) {
    const known = await checkAnalysis(folder)
      .then(() => readAnalysis(folder))
      .catch(() => undefined);
    // Labels that were asked for by name, and may have cost days, are not replaced by a command that names nobody.
    const own = classifierName === undefined ? before?.classifier : undefined;
    const change =
      known === undefined || before === undefined
        ? "it is of another version or damaged"
        : (inputChange(known.inputs, files) ??
          optionsChange(request, known, before) ??
          (own === undefined ? planChange(before, plan, labeler.orSteps) : undefined));
    if (known !== undefined && change === undefined) return known;
    if (own !== undefined)
      throw new ConfigurationError(
        `${folder} was labeled by ${own} and must be made again (${change}); give --classifier ${own}, or another one`,
      );
    onEvent({ type: "outdated", because: change! });
  }
  onEvent({ type: "planned", files: files.length, bytes: sliceBytes(planned) });
  const cacheOf = (spec: LabelerSpec) =>
    new SliceCache(join(folder, "labeled-slices"), reader.labeler.description, spec);
  const cache = cacheOf(labeler);
  // The shipped classifier needs no announcement unless there is much to read; one that keeps up with a trainer needs none.
  const missing = await asyncFilter(planned, async (one) => !(await cache.has(one)));
  const much = labeler.classifier !== undefined || sliceBytes(missing) >= muchToRead;
  if (much && missing.length > 0 && !request.following) {
    const { classifier } = labeler;
    const spent = () => (classifier !== undefined && "label" in classifier ? (classifier.cost ?? 0) : 0);
    const expected = await expectedLabeling(missing, reader, { threads: Math.min(threads, missing.length), spent });
    if (expected !== undefined) onEvent({ type: "expected", expected });
  }
  const bytes = sliceBytes(planned);
  onEvent({ type: "labeling", bytes, kept: bytes - sliceBytes(missing) });
  const onSlice = ({ bytes }: { bytes: number }, { records, spans }: SliceResult, kept: boolean) =>
    onEvent({ type: "slice", bytes, traces: records.length, spans, kept });
  const {
    read,
    reader: cutting,
    spansBefore,
  } = await readCut(labeler, reader, (cut, by) =>
    readTraces(planned, { labeler: cut, workers, cache: cacheOf(cut), ...(cut === labeler && { onSlice }) }, by),
  );
  if (read.records.length === 0) {
    await cache.clear();
    throw nothingRead(read.skipped);
  }
  const recipe = request.recipe ?? (await recipeFacts(inputs));
  const analysis = analyze(
    {
      ...withImport(read, await importOf(inputs)),
      ...{ taxonomy: reader.labeler.taxonomy, inputs: files, ...recipe },
      ...(spansBefore !== undefined && { spansBefore }),
    },
    options,
  );
  const compared = comparedRecords(read.records);
  const chosen = analysis.scopes[0].comparisons.flatMap(({ first, second }) =>
    readingPairs(of(compared, first), of(compared, second), reader.alphabet, pairs),
  );
  const candidates = movedCandidates(analysis, read.records, reader.alphabet);
  const records = [
    ...chosen.flatMap(({ first, second }) => [first, second]),
    ...candidates.flatMap((one) => one.records),
  ];
  const texts = await textsOf(records, planned, cutting);
  const toRead = chosen.map(withTexts(texts));
  const moved = movedSpans(candidates, texts);
  await writeAnalysis(folder, {
    ...{ analysis: { ...analysis, moved }, records: read.records, pairs: toRead },
    plan: spansBefore === undefined ? plan : { ...plan, segmentation: stepSegmentation },
  });
  if (!request.following) await cache.clear();
  onEvent({ type: "analyzed", analysis });
  return { ...analysis, moved };
}

/** As the labeler cuts; where that leaves a trace too few spans, and nobody asked how to cut, again by paragraphs. */
export async function readCut(
  labeler: LabelerSpec,
  reader: TraceReader,
  readBy: (labeler: LabelerSpec, reader: TraceReader) => Promise<ReadTraces>,
): Promise<{ readonly read: ReadTraces; readonly reader: TraceReader; readonly spansBefore?: number }> {
  const read = await readBy(labeler, reader);
  if (labeler.orSteps !== true || read.records.length === 0) return { read, reader };
  const spansBefore = medianSpans(read, labelerId(reader.labeler.description));
  if (spansBefore >= fewSpans) return { read, reader };
  const steps = { ...labeler, segmentation: stepSegmentation };
  const byStep = await readerOf(steps);
  return { read: await readBy(steps, byStep), reader: byStep, spansBefore };
}

/** Whoever asks for no way to cut takes the one that is there. */
function labelerAsIn({ segmentation, abstainBelow }: ReadingPlan): LabelerSpec {
  const asked = { ...defaultLabeler, abstainBelow };
  return isDeepStrictEqual(segmentation, stepSegmentation) ? asked : { ...asked, segmentation, orSteps: undefined };
}

/** With fewer spans there is no way of reasoning to read off a trace. */
const fewSpans = 5;

/** Of what this labeler cut and labeled. */
function medianSpans({ records }: ReadTraces, labeledBy: string): number {
  const lengths = records.flatMap((one) =>
    one.labeledBy === labeledBy && one.sequence !== "" ? one.sequence.length : [],
  );
  return lengths.length === 0 ? Number.POSITIVE_INFINITY : median(lengths);
}

async function asyncFilter<T>(items: readonly T[], keep: (item: T) => Promise<boolean>): Promise<T[]> {
  const kept = await Promise.all(items.map(keep));
  return items.filter((_, i) => kept[i]);
}

async function recipeFacts(inputs: readonly TraceInput[]): Promise<RecipeFacts> {
  const [only] = inputs;
  if (inputs.length !== 1 || !isRun(only.path)) return {};
  const { description, parts } = await runParts(only.path);
  return { policiesByRole: policiesByRole(parts), pools: puzzlePools([description.config]) };
}

/** What was passed over when the rollouts were imported is passed over here. */
async function importOf(inputs: readonly TraceInput[]): Promise<ImportReport | undefined> {
  return inputs.length === 1 ? readImport(inputs[0].path) : undefined;
}

function withImport(read: ReadTraces, report: ImportReport | undefined): ReadTraces {
  if (report === undefined) return read;
  const { skipped, damaged } = report;
  return { ...read, skipped: [...skipped, ...read.skipped], oddities: { ...read.oddities, damaged } };
}

/** What was asked for in so many words; whoever asks for nothing takes what is there. */
function optionsChange({ analysis, pairs }: AnalyzeRequest, known: Analysis, before: ReadingPlan): string | undefined {
  if (analysis !== undefined && !isDeepStrictEqual(analysis, known.options)) return "it was drawn with other options";
  const plain = (options: PairOptions) => JSON.parse(JSON.stringify(options)) as unknown;
  return pairs !== undefined && !isDeepStrictEqual(plain(pairs), plain(before.pairs))
    ? "its pairs were chosen by other options"
    : undefined;
}

/** Another labeler or another way to cut makes another analysis. */
function planChange(before: ReadingPlan, now: ReadingPlan, orSteps = false): string | undefined {
  const [old, its] = [before, now].map(({ classifier }) => classifier ?? "the shipped classifier");
  // By who it is, not by how it was named: a folder has many paths.
  if (before.labeledBy !== now.labeledBy)
    return old === its ? `${its} is no longer what it was` : `it was labeled by ${old}`;
  const cut = ({ segmentation, abstainBelow }: ReadingPlan) => JSON.stringify([segmentation, abstainBelow]);
  const asSteps = orSteps && cut(before) === cut({ ...now, segmentation: stepSegmentation });
  return asSteps || cut(before) === cut(now) ? undefined : "spans were cut in another way";
}

const of = (records: readonly TraceRecord[], name: string) => records.filter(({ checkpoint }) => checkpoint === name);

/** Named from the analysis, so that a run that was moved whole is still the same. */
async function inputFiles(planned: readonly PlannedSlice[], folder: string): Promise<InputFile[]> {
  const read = planned.filter(({ slice }) => slice.kind !== "unreadable");
  const paths = [...new Set(read.map(({ slice }) => slice.path))];
  return Promise.all(
    paths.map(async (path) => ({ ...(await inputFile(path)), path: relative(resolve(folder), path) })),
  );
}

type Texts = ReadonlyMap<string, readonly LabeledText[]>;

/** The texts fetched again, by the reader that labeled them. */
async function textsOf(
  records: readonly TraceRecord[],
  planned: readonly PlannedSlice[],
  reader: TraceReader,
): Promise<Texts> {
  const wanted = new Map<number, Set<number>>();
  for (const { slice, ordinal } of records) wanted.set(slice, (wanted.get(slice) ?? new Set()).add(ordinal));
  const texts = new Map<string, readonly LabeledText[]>();
  for (const [slice, ordinals] of wanted) {
    const { slice: where, options } = planned[slice];
    for (const [ordinal, spans] of await tracesOfSlice(where, ordinals, options, reader))
      texts.set(placeOf({ slice, ordinal }), spans);
  }
  return texts;
}

const withTexts =
  (texts: Texts) =>
  (pair: ReadingPair): PairToRead => ({
    ...pair,
    firstSpans: texts.get(placeOf(pair.first)) ?? [],
    secondSpans: texts.get(placeOf(pair.second)) ?? [],
  });
