// SQL over an analysis: the tables `traces`, `motifs` and `measures`, in a terminal, a server or a page.
import { join } from "node:path";
import { type AsyncDataSource, asyncRow, collect, executeSql } from "squirreling";
import { ConfigurationError, messageOf, RunFolderError } from "../../base/errors.ts";
import { parquetRowGroups, parquetRows } from "../../imports/parquet-rows.ts";
import { analysisComplete, analysisFiles, measuresTable, motifsTable, readAnalysis } from "./analysis-folder.ts";

type Value = string | number | boolean | null;
type Row = Record<string, Value>;

export async function queryAnalysis(folder: string, sql: string): Promise<Row[]> {
  if (!analysisComplete(folder)) throw new RunFolderError(`${folder} holds no finished analysis`);
  const analysis = await readAnalysis(folder);
  const path = join(folder, analysisFiles.traces);
  const traces: object[] = [];
  for (const { start, end } of await parquetRowGroups(path))
    for await (const { row } of parquetRows(path, start, end)) traces.push(row);
  const derived = [motifsTable(analysis), measuresTable(analysis)].map(({ rows, words, wholes, reals }) =>
    sourceOf(rows, [...words, ...wholes, ...reals]),
  );
  const tables = { traces: sourceOf(traces, Object.keys(traces[0] ?? {})), motifs: derived[0], measures: derived[1] };
  try {
    return (await collect(executeSql({ tables, query: sql }))).map(plain);
  } catch (error) {
    throw new ConfigurationError(`the query cannot be answered: ${messageOf(error)}`);
  }
}

function sourceOf(given: readonly object[], columns: string[]): AsyncDataSource {
  const rows = given.map(plain);
  const scanned = async function* () {
    for (const row of rows) yield asyncRow(row, columns);
  };
  const scan = () => ({ rows: scanned, appliedWhere: false, appliedLimitOffset: false });
  return { columns, numRows: rows.length, scan };
}

/** What is not known is null, and a count is a number like any other. */
const plain = (row: object): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const own = typeof value === "bigint" ? Number(value) : value;
      return [name, own === undefined || Number.isNaN(own) ? null : own];
    }),
  );
