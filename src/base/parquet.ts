// DuckDB for as long as it is needed, and JSON lines to Parquet by it, nested records included: it streams, and infers the
// columns from the records.
import { randomBytes } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { optionalPackage, requireOptional } from "./optional-package.ts";

const duckDb = ["@duckdb/node-api"];
const writing = "writing records as Parquet";

export const quotedSql = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Loaded only here: it is large, and most commands never need it. `what` needs it, if it is missing. */
export async function inDuckDb<Result>(
  what: string,
  use: (connection: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
  const { DuckDBInstance } = await optionalPackage(duckDb, what, () => import("@duckdb/node-api"));
  const database = await DuckDBInstance.create(":memory:");
  const connection = await database.connect();
  try {
    return await use(connection);
  } finally {
    connection.closeSync();
    database.closeSync();
  }
}

/** Says at once what would be missing when the records are made. */
export const requireParquet = (): void => requireOptional(duckDb, writing);

/** Writes `parquet` whole or not at all. */
export async function jsonLinesToParquet(jsonLines: string, parquet: string): Promise<void> {
  const temporary = `${parquet}.${randomBytes(6).toString("hex")}.tmp`;
  // Every record decides the types (sample_size=-1): the first rows of a dataset are not always typical.
  const records = `read_json(${quotedSql(jsonLines)}, format='newline_delimited', sample_size=-1, maximum_object_size=268435456)`;
  const copy = `COPY (SELECT * FROM ${records}) TO ${quotedSql(temporary)} (FORMAT parquet, COMPRESSION zstd)`;
  try {
    await inDuckDb(writing, (connection) => connection.run(copy));
    await rename(temporary, parquet);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
