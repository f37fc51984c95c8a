// Rows of a data file, whatever its format: JSON lines, a JSON array, or Parquet.
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { DataError, messageOf } from "../../base/errors.ts";
import { readJsonLinesFile } from "../../base/json-lines.ts";

export type DataRow = Readonly<Record<string, unknown>>;

export const dataFileEndings = [".jsonl", ".ndjson", ".json", ".parquet"] as const;

export async function readRows(path: string): Promise<DataRow[]> {
  switch (extname(path).toLowerCase()) {
    case ".jsonl":
    case ".ndjson":
      return readJsonLineRows(path);
    case ".json":
      return readJsonRows(path);
    case ".parquet":
      return readParquetRows(path);
    default:
      throw new DataError(`${path}: expected a name that ends in ${dataFileEndings.join(", ")}`);
  }
}

async function readJsonLineRows(path: string): Promise<DataRow[]> {
  const rows: DataRow[] = [];
  for await (const read of readJsonLinesFile(path)) {
    if ("error" in read) throw new DataError(`${path} line ${read.line}: ${read.error}`);
    rows.push(asRow(read.value, `${path} line ${read.line}`));
  }
  return rows;
}

async function readJsonRows(path: string): Promise<DataRow[]> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    throw new DataError(`${path}: ${messageOf(error)}`);
  }
  if (!Array.isArray(value)) throw new DataError(`${path}: expected a JSON array of records`);
  return value.map((row, i) => asRow(row, `${path} record ${i}`));
}

async function readParquetRows(path: string): Promise<DataRow[]> {
  try {
    return await parquetReadObjects({ file: await asyncBufferFromFile(path), compressors });
  } catch (error) {
    throw new DataError(`${path} cannot be read as Parquet: ${messageOf(error)}`);
  }
}

function asRow(value: unknown, place: string): DataRow {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as DataRow;
  throw new DataError(`${place}: expected a record, got ${JSON.stringify(value)?.slice(0, 60)}`);
}
