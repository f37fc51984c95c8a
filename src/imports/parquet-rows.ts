// Rows of a Parquet file, a row group at a time.
import { open, stat } from "node:fs/promises";
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { DataError, messageOf } from "../base/errors.ts";
import type { Row } from "./row-format.ts";

export async function parquetRowGroups(
  path: string,
): Promise<{ readonly start: number; readonly end: number; readonly bytes: number }[]> {
  const metadata = await metadataOf(path);
  let start = 0;
  return metadata.row_groups.map((group) => {
    const rows = Number(group.num_rows);
    start += rows;
    return { start: start - rows, end: start, bytes: Number(group.total_byte_size) };
  });
}

async function asyncBufferFromFile(path: string): Promise<AsyncBuffer> {
  const { size } = await stat(path);
  return {
    byteLength: size,
    slice: async (start, end = size) => {
      const file = await open(path, "r");
      try {
        const bytes = new Uint8Array(end - start);
        await file.read(bytes, 0, bytes.length, start);
        return bytes.buffer;
      } finally {
        await file.close();
      }
    },
  };
}

async function metadataOf(path: string): Promise<FileMetaData> {
  try {
    return await parquetMetadataAsync(await asyncBufferFromFile(path));
  } catch (error) {
    throw new DataError(`${path} is not a Parquet file that can be read: ${messageOf(error)}`);
  }
}

/** How many rows are decoded at once: long responses are megabytes each. */
const rowsAtOnce = 256;

export async function* parquetRows(
  path: string,
  start: number,
  end: number,
): AsyncGenerator<{ index: number; row: Row }> {
  const file = await asyncBufferFromFile(path);
  const metadata = await metadataOf(path);
  for (let rowStart = start; rowStart < end; rowStart += rowsAtOnce) {
    const rowEnd = Math.min(end, rowStart + rowsAtOnce);
    const rows = await parquetReadObjects({ file, metadata, compressors, rowStart, rowEnd });
    for (const [i, row] of rows.entries()) yield { index: rowStart + i, row };
  }
}
