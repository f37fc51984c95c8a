// JSON lines to Parquet, nested records included, by DuckDB: it streams, and infers the columns from the records.
import { randomBytes } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import { optionalPackage, requireOptional } from "./optional-package.ts";

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

const needed = [["@duckdb/node-api"], "writing records as Parquet"] as const;

/** Says at once what would be missing when the records are made. */
export const requireParquet = (): void => requireOptional(...needed);

/** Writes `parquet` whole or not at all. */
export async function jsonLinesToParquet(jsonLines: string, parquet: string): Promise<void> {
  const temporary = `${parquet}.${randomBytes(6).toString("hex")}.tmp`;
  // Loaded only here: it is large, and most commands never write Parquet.
  const { DuckDBInstance } = await optionalPackage(...needed, () => import("@duckdb/node-api"));
  const database = await DuckDBInstance.create(":memory:");
  const connection = await database.connect();
  try {
    // Every record decides the types (sample_size=-1): the first rows of a dataset are not always typical.
    const records = `read_json(${quoted(jsonLines)}, format='newline_delimited', sample_size=-1, maximum_object_size=268435456)`;
    await connection.run(`COPY (SELECT * FROM ${records}) TO ${quoted(temporary)} (FORMAT parquet, COMPRESSION zstd)`);
    await rename(temporary, parquet);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    connection.closeSync();
    database.closeSync();
  }
}
