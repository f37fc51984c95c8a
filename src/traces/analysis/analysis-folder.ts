// An analysis on disk: the whole of it as JSON, its records and tables as Parquet for anything that reads them, what was asked, where every text lies, and the pairs to read. Written once, read by everybody.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parquetWriteBuffer } from "hyparquet-writer";
import { z } from "zod";
import { RunFolderError, schemaProblems } from "../../base/errors.ts";
import { writeFileAtomically } from "../../base/files.ts";
import { checkFiles, expectChanges, recordFiles } from "../../base/integrity.ts";
import { readJsonFile } from "../../base/json-file.ts";
import { inputFileSchema } from "../../imports/inputs.ts";
import { parquetRowGroups, parquetRows } from "../../imports/parquet-rows.ts";
import { taxonomySchema } from "../../rollouts/taxonomy.ts";
import type { Abstention } from "../abstention.ts";
import type { LabeledText } from "../label-slice.ts";
import { labelerDescriptionSchema } from "../labeler.ts";
import type { Segmentation } from "../segmentation.ts";
import { alphabetOf } from "../sequence.ts";
import { type TraceRecord, traceRecordSchema } from "../trace-record.ts";
import { type Analysis, analysisVersion } from "./analysis.ts";
import { measureColumns, measureNames } from "./measures.ts";
import { type PairOptions, pairKinds, type ReadingPair } from "./reading-pairs.ts";
import { verdicts } from "./verdicts.ts";

export const analysisFiles = {
  analysis: "analysis.json",
  pairs: "pairs.json",
  plan: "plan.json",
  traces: "traces.parquet",
  motifs: "motifs.parquet",
  measures: "measures.parquet",
} as const;

/** A pair with its texts, as it is read. */
export type PairToRead = ReadingPair & {
  readonly firstSpans: readonly LabeledText[];
  readonly secondSpans: readonly LabeledText[];
};

/** How traces were cut and labeled, so that any of them can be read again as it was. */
export type ReadingPlan = {
  readonly segmentation: Segmentation;
  readonly abstainBelow: Abstention;
  /** As it was named; absent for the shipped classifier. */
  readonly classifier?: string;
  /** The id of the labeler in use then. */
  readonly labeledBy: string;
  /** How its pairs were chosen. */
  readonly pairs: PairOptions;
};

type WrittenAnalysis = {
  readonly analysis: Analysis;
  readonly records: readonly TraceRecord[];
  readonly pairs: readonly PairToRead[];
  readonly plan: ReadingPlan;
};

export async function writeAnalysis(folder: string, written: WrittenAnalysis): Promise<void> {
  const { analysis, records, pairs, plan } = written;
  await expectChanges(folder, { growing: [], replaced: Object.values(analysisFiles) });
  await writeFileAtomically(join(folder, analysisFiles.traces), tracesTable(records, analysis));
  await writeFileAtomically(join(folder, analysisFiles.motifs), tableOf(motifsTable(analysis)));
  await writeFileAtomically(join(folder, analysisFiles.measures), tableOf(measuresTable(analysis)));
  await writeFileAtomically(join(folder, analysisFiles.pairs), `${JSON.stringify(pairs)}\n`);
  await writeFileAtomically(join(folder, analysisFiles.plan), `${JSON.stringify(plan)}\n`);
  // Last, because where it is the analysis is complete.
  await writeFileAtomically(join(folder, analysisFiles.analysis), `${JSON.stringify(analysis)}\n`);
  await recordFiles(folder, Object.values(analysisFiles));
}

/** Whoever shows an analysis asks here first; it is derived, so a damaged one is made again and never accepted. */
export async function checkAnalysis(folder: string): Promise<void> {
  await checkFiles(folder, { only: Object.values(analysisFiles), otherwise: "or analyze again" });
}

/** Where a run keeps its analysis. */
export const analysisFolder = "analysis";

/** The analysis that a path means: itself, or that of a run. */
export const analysisIn = (path: string): string =>
  analysisComplete(path) || !analysisComplete(join(path, analysisFolder)) ? path : join(path, analysisFolder);

export const analysisComplete = (folder: string): boolean => existsSync(join(folder, analysisFiles.analysis));

/** What every reader relies on; the numbers inside a scope are this program's own. */
const analysisSchema = z.looseObject({
  version: z.literal(analysisVersion),
  taxonomy: taxonomySchema,
  labelers: z.array(labelerDescriptionSchema),
  inputs: z.array(inputFileSchema),
  scopes: z.array(
    z.looseObject({
      scope: z.looseObject({ name: z.string() }),
      checkpoints: z.array(z.looseObject({ checkpoint: z.string(), measures: z.record(z.string(), z.unknown()) })),
    }),
  ),
  training: z.array(z.looseObject({ series: z.string(), points: z.array(z.looseObject({ step: z.number() })) })),
  claims: z.array(z.looseObject({ claim: z.string(), verdict: z.enum(verdicts) })),
});

export async function readAnalysis(folder: string): Promise<Analysis> {
  const path = join(folder, analysisFiles.analysis);
  if (!existsSync(path)) throw new RunFolderError(`${path} does not exist; make it with: repertoire traces analyze`);
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, "utf8"), withoutHoles);
  } catch (error) {
    throw new RunFolderError(`${path} is damaged (${(error as Error).message}); remove the folder and analyze again`);
  }
  const version = (value as { version?: unknown } | undefined)?.version;
  if (version !== analysisVersion) {
    const found =
      version === undefined ? "is not an analysis: it has no version" : `is of version ${JSON.stringify(version)}`;
    throw new RunFolderError(`${path} ${found}, expected ${analysisVersion}; remove the folder and analyze again`);
  }
  const parsed = analysisSchema.safeParse(value);
  if (!parsed.success) {
    throw new RunFolderError(
      `${path} is damaged: ${schemaProblems(parsed.error)}; remove the folder and analyze again`,
    );
  }
  return value as Analysis;
}

/** JSON has no NaN: a number that could not be estimated is null there, and nothing else is. */
const withoutHoles = (_: string, value: unknown) => (value === null ? Number.NaN : value);

const labeledTextSchema = z.object({ text: z.string(), label: z.string(), confidence: z.number().optional() });

const pairSchema = z.object({
  kind: z.enum(pairKinds),
  problem: z.string(),
  opening: z.number(),
  first: traceRecordSchema,
  second: traceRecordSchema,
  firstDepth: z.number(),
  secondDepth: z.number(),
  firstSpans: z.array(labeledTextSchema),
  secondSpans: z.array(labeledTextSchema),
});

export const readPairs = (folder: string): Promise<PairToRead[]> =>
  readDerived(join(folder, analysisFiles.pairs), z.array(pairSchema));

/** A file that this program wrote; anything else is damage, and is said to be. */
const readDerived = <T>(path: string, schema: z.ZodType<T>): Promise<T> =>
  readJsonFile(path, schema, { error: RunFolderError, remedy: "remove the folder and analyze again" });

const planSchema: z.ZodType<ReadingPlan> = z.object({
  segmentation: z.object({
    mergeBelow: z.number(),
    splitAbove: z.number(),
    joinTrailingBelow: z.number(),
    charactersPerToken: z.number(),
    fragments: z.enum(["discourse", "paragraphs", "lines"]),
    markers: z.array(z.string()).optional(),
  }),
  abstainBelow: z.union([z.number(), z.literal("sure")]),
  classifier: z.string().optional(),
  labeledBy: z.string(),
  pairs: z.object({
    pairs: z.number(),
    sharedOpening: z.number(),
    firstDepth: z.tuple([z.number(), z.number()]).optional(),
    secondDepth: z.tuple([z.number(), z.number()]).optional(),
  }),
});

export const readPlan = (folder: string): Promise<ReadingPlan> =>
  readDerived(join(folder, analysisFiles.plan), planSchema);

/** The records of an analysis again, of some checkpoints or of all. */
export async function readRecords(folder: string, checkpoints?: readonly string[]): Promise<TraceRecord[]> {
  if (!analysisComplete(folder)) throw new RunFolderError(`${folder} holds no finished analysis`);
  const path = join(folder, analysisFiles.traces);
  const records: TraceRecord[] = [];
  for (const { start, end } of await parquetRowGroups(path)) {
    for await (const { row } of parquetRows(path, start, end)) {
      if (checkpoints !== undefined && !checkpoints.includes(row.checkpoint as string)) continue;
      const present = Object.fromEntries(
        Object.entries({ ...row, tokens: row.reasoning_tokens }).filter(([, value]) => value !== null),
      );
      const parsed = traceRecordSchema.safeParse(present);
      if (!parsed.success) throw new RunFolderError(`${path} is damaged: ${schemaProblems(parsed.error)}`);
      records.push(parsed.data);
    }
  }
  return records;
}

// ---- Tables ----------------------------------------------------------------------------------------------------------

type Column = Parameters<typeof parquetWriteBuffer>[0]["columnData"][number];

const columnOf =
  (type: "STRING" | "INT32" | "BOOLEAN" | "DOUBLE") =>
  (name: string, data: unknown[]): Column => ({ name, data, type, nullable: true });
const text = columnOf("STRING");
const whole = columnOf("INT32");
const truth = columnOf("BOOLEAN");
const real = (name: string, data: ArrayLike<number | undefined>): Column =>
  columnOf("DOUBLE")(
    name,
    Array.from(data, (value) => (Number.isFinite(value) ? value : undefined)),
  );

const parquet = (columnData: Column[]): Uint8Array => new Uint8Array(parquetWriteBuffer({ columnData }));

/** A name that needs no quotes in SQL: `check→compute→check` becomes `check_compute_check`. */
const columnName = (name: string): string => name.replace(/[^A-Za-z0-9]+/g, "_");

function tracesTable(records: readonly TraceRecord[], { taxonomy }: Analysis): Uint8Array {
  const alphabet = alphabetOf(taxonomy);
  const columns = measureColumns(records, alphabet);
  const of = <Key extends keyof TraceRecord>(key: Key) => records.map((record) => record[key]);
  return parquet([
    ...(
      ["checkpoint", "problem", "stage", "set", "kind", "puzzle", "size", "sequence", "habits", "labeledBy"] as const
    ).map((key) => text(key, of(key))),
    ...(["step", "attempt", "abstained", "slice", "ordinal"] as const).map((key) => whole(key, of(key))),
    truth("correct", of("correct")),
    truth("bare", of("bare")),
    real("score", of("score")),
    real("confidence", of("confidence")),
    // Under its own name even for traces without a span, which have no other measure.
    real("reasoning_tokens", of("tokens")),
    ...measureNames(alphabet).map((name) => real(columnName(name), columns[name])),
  ]);
}

/** Records that all have the same names: words, whole numbers, and real ones. */
type PlainTable = {
  readonly rows: readonly Readonly<Record<string, string | number | undefined>>[];
  readonly words: readonly string[];
  readonly wholes: readonly string[];
  readonly reals: readonly string[];
};

function tableOf({ rows, words, wholes, reals }: PlainTable): Uint8Array {
  const of = (name: string) => rows.map((row) => row[name]);
  return parquet([
    ...words.map((name) => text(name, of(name))),
    ...wholes.map((name) => whole(name, of(name))),
    ...reals.map((name) => real(name, of(name) as (number | undefined)[])),
  ]);
}

/** What was counted of each motif. */
export const motifsTable = ({ scopes }: Analysis): PlainTable => ({
  words: ["scope", "checkpoint", "motif"],
  wholes: ["length", "count", "traces"],
  reals: ["frequency", "frequency_low", "frequency_high"],
  rows: scopes.flatMap(({ scope, motifs }) =>
    motifs.map(({ checkpoint, motif, length, count, traces, frequency: { value, low, high } }) => ({
      ...{ scope: scope.name, checkpoint, motif, length, count, traces },
      ...{ frequency: value, frequency_low: low, frequency_high: high },
    })),
  ),
});

/** Every measure of every checkpoint; `raw_…` by the labels as given, where the value is corrected. */
export const measuresTable = ({ scopes, taxonomy }: Analysis): PlainTable => ({
  words: ["scope", "checkpoint", "measure"],
  wholes: ["step"],
  reals: ["value", "low", "high", "raw_value", "raw_low", "raw_high"],
  rows: scopes.flatMap(({ scope, checkpoints }) =>
    checkpoints.flatMap(({ checkpoint, step, measures, passAtK, depthPercentile90 }) =>
      [
        ...measureNames(alphabetOf(taxonomy)).map((measure) => ({ measure, ...measures[measure] })),
        { measure: "chain depth p90", ...depthPercentile90 },
        ...Object.entries(passAtK).map(([k, estimate]) => ({ measure: `pass@${k}`, ...estimate })),
      ].map(({ measure, value, low, high, raw }) => ({
        ...{ scope: scope.name, checkpoint, measure, step, value, low, high },
        ...{ raw_value: raw?.value, raw_low: raw?.low, raw_high: raw?.high },
      })),
    ),
  ),
});
