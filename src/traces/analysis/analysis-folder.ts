// An analysis on disk: the whole of it as JSON, its tables as Parquet for DuckDB and anything else that reads them.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parquetWriteBuffer } from "hyparquet-writer";
import { z } from "zod";
import { RunFolderError } from "../../base/errors.ts";
import { writeFileAtomically } from "../../base/files.ts";
import type { LabelledText } from "../label-slice.ts";
import { type TraceRecord, traceRecordSchema } from "../trace-record.ts";
import { type Analysis, analysisVersion } from "./analysis.ts";
import { measureColumns, measureNames } from "./measures.ts";
import type { ReadingPair } from "./reading-pairs.ts";

export const analysisFiles = {
  analysis: "analysis.json",
  pairs: "pairs.json",
  traces: "traces.parquet",
  motifs: "motifs.parquet",
  measures: "measures.parquet",
} as const;

/** A pair with its texts, as it is read. */
export type PairToRead = ReadingPair & {
  readonly firstSpans: readonly LabelledText[];
  readonly secondSpans: readonly LabelledText[];
};

export async function writeAnalysis(
  folder: string,
  records: readonly TraceRecord[],
  analysis: Analysis,
  pairs: readonly PairToRead[],
): Promise<void> {
  await writeFileAtomically(join(folder, analysisFiles.traces), tracesTable(records));
  await writeFileAtomically(join(folder, analysisFiles.motifs), motifsTable(analysis));
  await writeFileAtomically(join(folder, analysisFiles.measures), measuresTable(analysis));
  await writeFileAtomically(join(folder, analysisFiles.pairs), `${JSON.stringify(pairs)}\n`);
  // Last, because where it is the analysis is complete.
  await writeFileAtomically(join(folder, analysisFiles.analysis), `${JSON.stringify(analysis)}\n`);
}

export const analysisComplete = (folder: string): boolean => existsSync(join(folder, analysisFiles.analysis));

export async function readAnalysis(folder: string): Promise<Analysis> {
  const path = join(folder, analysisFiles.analysis);
  if (!existsSync(path)) throw new RunFolderError(`${path} does not exist; make it with: repertoire traces analyze`);
  const analysis = JSON.parse(await readFile(path, "utf8"), withoutHoles) as Analysis;
  if (analysis.version !== analysisVersion) {
    throw new RunFolderError(`${path} is version ${analysis.version}, expected ${analysisVersion}; analyze again`);
  }
  return analysis;
}

/** JSON has no NaN: a number that could not be estimated is null there. */
const numbers = new Set(["value", "low", "high", "mean", "first", "second", "meanConfidence"]);
const withoutHoles = (key: string, value: unknown) => (value === null && numbers.has(key) ? Number.NaN : value);

export async function readPairs(folder: string): Promise<PairToRead[]> {
  return JSON.parse(await readFile(join(folder, analysisFiles.pairs), "utf8"));
}

type Column = Parameters<typeof parquetWriteBuffer>[0]["columnData"][number];
const text = (name: string, data: (string | undefined)[]): Column => ({ name, data, type: "STRING", nullable: true });
const real = (name: string, data: ArrayLike<number>): Column => ({
  name,
  data: Array.from(data, (value) => (Number.isFinite(value) ? value : undefined)),
  type: "DOUBLE",
  nullable: true,
});
const whole = (name: string, data: (number | undefined)[]): Column => ({ name, data, type: "INT32", nullable: true });
const truth = (name: string, data: (boolean | undefined)[]): Column => ({
  name,
  data,
  type: "BOOLEAN",
  nullable: true,
});

const parquet = (columnData: Column[]): Uint8Array => new Uint8Array(parquetWriteBuffer({ columnData }));

/** A name that needs no quotes in SQL: `check→compute→check` becomes `check_compute_check`. */
export const columnName = (name: string): string => name.replace(/[^A-Za-z0-9]+/g, "_");

function tracesTable(records: readonly TraceRecord[]): Uint8Array {
  const columns = measureColumns(records);
  return parquet([
    text(
      "checkpoint",
      records.map((r) => r.checkpoint),
    ),
    whole(
      "step",
      records.map((r) => r.step),
    ),
    text(
      "problem",
      records.map((r) => r.problem),
    ),
    whole(
      "attempt",
      records.map((r) => r.attempt),
    ),
    text(
      "set",
      records.map((r) => r.set),
    ),
    text(
      "puzzle",
      records.map((r) => r.puzzle),
    ),
    text(
      "size",
      records.map((r) => r.size),
    ),
    truth(
      "correct",
      records.map((r) => r.correct),
    ),
    text(
      "sequence",
      records.map((r) => r.sequence),
    ),
    real(
      "confidence",
      records.map((r) => r.confidence),
    ),
    whole(
      "abstained",
      records.map((r) => r.abstained),
    ),
    whole(
      "slice",
      records.map((r) => r.slice),
    ),
    whole(
      "ordinal",
      records.map((r) => r.ordinal),
    ),
    // Under its own name even for traces without a span, which have no other measure.
    real(
      "reasoning_tokens",
      records.map((r) => r.tokens),
    ),
    ...measureNames.map((name) => real(columnName(name), columns[name])),
  ]);
}

function motifsTable({ motifs }: Analysis): Uint8Array {
  return parquet([
    text(
      "checkpoint",
      motifs.map((row) => row.checkpoint),
    ),
    whole(
      "length",
      motifs.map((row) => row.length),
    ),
    text(
      "motif",
      motifs.map((row) => row.motif),
    ),
    whole(
      "count",
      motifs.map((row) => row.count),
    ),
    whole(
      "traces",
      motifs.map((row) => row.traces),
    ),
    real(
      "frequency",
      motifs.map((row) => row.frequency.value),
    ),
    real(
      "frequency_low",
      motifs.map((row) => row.frequency.low),
    ),
    real(
      "frequency_high",
      motifs.map((row) => row.frequency.high),
    ),
  ]);
}

function measuresTable({ checkpoints }: Analysis): Uint8Array {
  const rows = checkpoints.flatMap(({ checkpoint, step, measures, depthPercentile90 }) => [
    ...measureNames.map((measure) => ({ checkpoint, step, measure: measure as string, ...measures[measure] })),
    { checkpoint, step, measure: "chain depth p90", ...depthPercentile90 },
  ]);
  return parquet([
    text(
      "checkpoint",
      rows.map((row) => row.checkpoint),
    ),
    whole(
      "step",
      rows.map((row) => row.step),
    ),
    text(
      "measure",
      rows.map((row) => row.measure),
    ),
    real(
      "value",
      rows.map((row) => row.value),
    ),
    real(
      "low",
      rows.map((row) => row.low),
    ),
    real(
      "high",
      rows.map((row) => row.high),
    ),
  ]);
}

const quoted = (path: string) => `'${path.replaceAll("'", "''")}'`;

/** SQL over the tables `traces`, `motifs` and `measures` of an analysis. */
export async function queryAnalysis(folder: string, sql: string): Promise<Record<string, unknown>[]> {
  if (!analysisComplete(folder)) throw new RunFolderError(`${folder} holds no finished analysis`);
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const database = await DuckDBInstance.create(":memory:");
  const connection = await database.connect();
  try {
    for (const table of ["traces", "motifs", "measures"] as const) {
      const file = quoted(join(folder, analysisFiles[table]));
      await connection.run(`CREATE VIEW ${table} AS SELECT * FROM read_parquet(${file})`);
    }
    const reader = await connection.runAndReadAll(sql);
    return reader.getRowObjectsJS() as Record<string, unknown>[];
  } finally {
    connection.closeSync();
    database.closeSync();
  }
}

/** The records of an analysis again, of some checkpoints or of all. */
export async function readRecords(folder: string, checkpoints?: readonly string[]): Promise<TraceRecord[]> {
  const wanted = checkpoints === undefined ? "" : ` WHERE checkpoint IN (${checkpoints.map(quoted).join(", ")})`;
  const fields =
    'checkpoint, step, problem, attempt, "set", puzzle, size, correct, sequence, confidence, abstained, slice, ordinal';
  const rows = await queryAnalysis(folder, `SELECT ${fields}, reasoning_tokens AS tokens FROM traces${wanted}`);
  const present = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)));
  const parsed = z.array(traceRecordSchema).safeParse(present);
  if (!parsed.success) {
    throw new RunFolderError(`${join(folder, analysisFiles.traces)} is damaged: ${z.prettifyError(parsed.error)}`);
  }
  return parsed.data;
}
