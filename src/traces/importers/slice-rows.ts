// The rows of a slice, each with its place, so that one that cannot be used can be named.
import { createReadStream } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { compressors } from "hyparquet-compressors";
import { messageOf } from "../../base/errors.ts";
import { parquetRows } from "./parquet-rows.ts";
import type { Row } from "./row-format.ts";
import { listOf, recordOf } from "./row-values.ts";
import { isSample, type Slice } from "./slice.ts";
import { readZipEntry, zipEntries } from "./zip-archive.ts";

export type PlacedRow = {
  readonly where: string;
  /** True where bytes were not text in the file's encoding and stand as replacement characters now. */
  readonly damaged?: boolean;
} & ({ readonly row: Row } | { readonly error: string });

/** Longer lines are not records but a mistake; the largest response of a model is a few megabytes. */
const longestLine = 256 << 20;

export async function* sliceRows(slice: Slice): AsyncGenerator<PlacedRow> {
  switch (slice.kind) {
    case "lines":
      return yield* lineRows(slice);
    case "packed-lines":
      return yield* packedRows(slice);
    case "document":
      return yield* documentRows(slice);
    case "parquet":
      return yield* tableRows(slice);
    case "archive":
      return yield* archiveRows(slice);
  }
}

function parsed(text: string, where: string): PlacedRow | undefined {
  if (text.trim() === "") return undefined;
  const damaged = text.includes("\uFFFD") ? { damaged: true } : {};
  try {
    const row = recordOf(JSON.parse(text));
    return row === undefined ? { where, error: "JSON, but not a record", ...damaged } : { where, row, ...damaged };
  } catch (error) {
    return { where, error: `not JSON: ${messageOf(error).slice(0, 120)}`, ...damaged };
  }
}

/** The lines that start inside the byte range; the last of them is read past its end. */
async function* lineRows({ path, start, end }: Slice): AsyncGenerator<PlacedRow> {
  const decoder = new TextDecoder("utf-8");
  // One byte earlier, to see whether a line starts exactly at `start`.
  const from = start === 0 ? 0 : start - 1;
  let skipping = start > 0;
  let lineStart = from;
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const chunk of createReadStream(path, { start: from, highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    let at = 0;
    for (let newline = chunk.indexOf(10); newline !== -1; newline = chunk.indexOf(10, at)) {
      const lineEnd = lineStart + length + (newline - at);
      if (!skipping) {
        yield* line(Buffer.concat([...pieces, chunk.subarray(at, newline)]), lineStart);
      }
      skipping = false;
      pieces = [];
      length = 0;
      lineStart = lineEnd + 1;
      at = newline + 1;
      if (lineStart >= end) return;
    }
    const rest = chunk.subarray(at);
    length += rest.length;
    if (!skipping && length <= longestLine) pieces.push(rest);
    else pieces = [];
  }
  if (!skipping && length > 0) yield* line(Buffer.concat(pieces), lineStart);

  function* line(bytes: Buffer, offset: number): Generator<PlacedRow> {
    const where = `${path} at byte ${offset}`;
    if (length > longestLine) {
      yield { where, error: `a line of ${Math.round(length / 1e6)} MB; the limit is ${longestLine >> 20} MiB` };
      return;
    }
    const row = parsed(decoder.decode(bytes), where);
    if (row !== undefined) yield row;
  }
}

/** Compressed or UTF-16 lines, from the start. */
async function* packedRows({ path }: Slice): AsyncGenerator<PlacedRow> {
  let count = 0;
  let pending = "";
  for await (const text of decodedText(path)) {
    pending += text;
    const lines = pending.split("\n");
    pending = lines.pop() ?? "";
    for (const line of lines) {
      count += 1;
      const row = parsed(line, `${path} line ${count}`);
      if (row !== undefined) yield row;
    }
  }
  const last = parsed(pending, `${path} line ${count + 1}`);
  if (last !== undefined) yield last;
}

async function* decodedText(path: string): AsyncGenerator<string> {
  if (/\.zst$/i.test(path)) {
    yield new TextDecoder().decode(compressors.ZSTD!(await readFile(path), 0));
    return;
  }
  const bytes = createReadStream(path, { highWaterMark: 1 << 20 });
  const stream = (/\.gz$/i.test(path) ? bytes.pipe(createGunzip()) : bytes) as AsyncIterable<Buffer>;
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const chunk of stream) {
    decoder ??= new TextDecoder(
      chunk[0] === 0xff && chunk[1] === 0xfe
        ? "utf-16le"
        : chunk[0] === 0xfe && chunk[1] === 0xff
          ? "utf-16be"
          : "utf-8",
    );
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder?.decode() ?? "";
}

/** A JSON file that is one document: a list of records, or a log whose `samples`, `rows` or `data` are. */
async function* documentRows({ path }: Slice): AsyncGenerator<PlacedRow> {
  let document: unknown;
  try {
    document = JSON.parse(await readFile(path, "utf8"));
  } catch {
    // JSON lines under the wrong name are common.
    return yield* packedRows({ path, kind: "packed-lines", start: 0, end: 0, bytes: 0 });
  }
  const record = recordOf(document);
  const rows = listOf(document) ??
    listOf(record?.samples) ??
    listOf(record?.rows) ??
    listOf(record?.data) ??
    numbered(record) ?? [document];
  for (const [i, value] of rows.entries()) {
    const row = recordOf(value);
    const where = `${path} record ${i + 1}`;
    yield row === undefined ? { where, error: "not a record" } : { where, row };
  }
}

/** OpenCompass: `{"0": {…}, "1": {…}}`. */
function numbered(record: Row | undefined): readonly unknown[] | undefined {
  const keys = Object.keys(record ?? {});
  if (record === undefined || keys.length === 0 || !keys.every((key) => /^\d+$/.test(key))) return undefined;
  return keys.map((key) => record[key]);
}

async function* tableRows({ path, start, end }: Slice): AsyncGenerator<PlacedRow> {
  let next = start;
  try {
    for await (const { index, row } of parquetRows(path, start, end)) {
      next = index + 1;
      yield { where: `${path} row ${index + 1}`, row };
    }
  } catch (error) {
    yield { where: `${path} rows ${next + 1} to ${end}`, error: `cannot be decoded: ${messageOf(error)}` };
  }
}

async function* archiveRows({ path, start, end }: Slice): AsyncGenerator<PlacedRow> {
  const samples = (await zipEntries(path)).filter(({ name }) => isSample(name)).slice(start, end);
  const file = await open(path, "r");
  try {
    for (const entry of samples) {
      const where = `${path} entry ${entry.name}`;
      try {
        const row = parsed(new TextDecoder().decode(await readZipEntry(file, entry)), where);
        if (row !== undefined) yield row;
      } catch (error) {
        yield { where, error: messageOf(error) };
      }
    }
  } finally {
    await file.close();
  }
}
