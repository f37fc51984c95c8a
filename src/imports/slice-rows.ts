// The rows of a slice, each with its place, so that one that cannot be used can be named.
import { createReadStream } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createGunzip } from "node:zlib";
import { DataError, messageOf } from "../base/errors.ts";
import { type BoundedLine, LineSplitter, longestLine, tooLongText } from "../base/json-lines.ts";
import { csvRows } from "./csv-rows.ts";
import { parsedJson, pythonValue } from "./json-values.ts";
import { parquetRows } from "./parquet-rows.ts";
import { pickleValue } from "./pickle-values.ts";
import type { Row } from "./row-format.ts";
import { listOf, objectOf, valueIn } from "./row-values.ts";
import { contentKind, firstBytes, isSample, type Slice } from "./slice.ts";
import { sqliteRows } from "./sqlite-rows.ts";
import { recordsIn, respelled, rowsWithin } from "./tables.ts";
import { readZipEntry, zipEntries } from "./zip-archive.ts";
import { unzstd } from "./zstd-stream.ts";

export type PlacedRow = {
  readonly where: string;
  /** True where bytes were not text in the file's encoding and stand as replacement characters now. */
  readonly damaged?: boolean;
} & ({ readonly row: Row } | { readonly error: string });

/** A JSON document is held as bytes, as text and as values; a larger file is tried as JSON lines. */
const largestDocument = 512 << 20;

/** Every row that can be read. A file that cannot, or not to its end, costs its own rows and is named among them. */
export async function* sliceRows(slice: Slice): AsyncGenerator<PlacedRow> {
  try {
    for await (const placed of rowsOf(slice))
      if ("row" in placed) for (const row of rowsWithin(placed.row)) yield { ...placed, row: respelled(row) };
      else yield placed;
  } catch (error) {
    yield { where: slice.path, error: reasonOf(error) };
  }
}

/** What a file can be blamed for: its content, or the disk it is on. Anything else is our bug. */
function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (error instanceof DataError || typeof code === "string") return messageOf(error);
  throw error;
}

async function* rowsOf(slice: Slice): AsyncGenerator<PlacedRow> {
  switch (slice.kind) {
    case "unreadable":
      throw new DataError(slice.because ?? "cannot be read");
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
    case "torch":
      return yield* torchRows(slice);
    case "csv":
      return yield* separatedRows(slice);
    case "log":
      return yield* loggedRows(slice);
    case "sqlite":
      return yield* databaseRows(slice);
  }
}

function parsed(text: string, where: string): PlacedRow | undefined {
  if (text.trim() === "") return undefined;
  const damaged = text.includes("\uFFFD") ? { damaged: true } : {};
  try {
    const row = objectOf(parsedJson(text));
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
      yield { where, error: tooLongText(length) };
      return;
    }
    const row = parsed(decoder.decode(bytes), where);
    if (row !== undefined) yield row;
  }
}

/** Compressed or UTF-16 lines, from the start. What comes before the place where a file is damaged is read. */
async function* packedRows({ path }: Slice): AsyncGenerator<PlacedRow> {
  let count = 0;
  const splitter = new LineSplitter();
  function* rows(lines: Iterable<BoundedLine>): Generator<PlacedRow> {
    for (const line of lines) {
      const where = `${path} line ${++count}`;
      const row = "tooLong" in line ? { where, error: tooLongText(line.tooLong) } : parsed(line.text, where);
      if (row !== undefined) yield row;
    }
  }
  try {
    for await (const text of decodedText(path)) yield* rows(splitter.push(text));
  } catch (error) {
    yield { where: `${path} after line ${count}`, error: `the rest cannot be unpacked: ${reasonOf(error)}` };
    return;
  }
  yield* rows(splitter.end());
}

async function* decodedText(path: string): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const chunk of await unpackedBytes(path)) {
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

/** By what it is, whatever its name says. */
async function unpackedBytes(path: string): Promise<AsyncIterable<Uint8Array>> {
  const packed = contentKind(path, await firstBytes(path));
  if (packed === "gzip") return gunzipped(path);
  const bytes = createReadStream(path, { highWaterMark: 1 << 18 });
  return packed === "zstd" ? unzstd(bytes) : bytes;
}

/** A piece that fails takes with it what it held of good: that one is unpacked again, byte by byte. */
async function* gunzipped(path: string): AsyncGenerator<Uint8Array> {
  const good = { bytes: 0 };
  let given = 0;
  try {
    for await (const piece of gunzippedPieces(smallPieces(path, good))) {
      given += piece.length;
      yield piece;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "Z_DATA_ERROR") throw error;
    let again = 0;
    for await (const piece of gunzippedPieces(smallPieces(path, { bytes: 0 }, good.bytes))) {
      if (again + piece.length > given) yield piece.subarray(Math.max(0, given - again));
      again += piece.length;
    }
  }
}

/** Says how much has been taken and done with; single bytes from some place on. */
async function* smallPieces(path: string, done: { bytes: number }, singlyFrom = Number.POSITIVE_INFINITY) {
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 10 }) as AsyncIterable<Uint8Array>) {
    if (done.bytes < singlyFrom) yield piece;
    else for (const byte of piece) yield Uint8Array.of(byte);
    done.bytes += piece.length;
  }
}

/** Piece by small piece, and not as a stream: a stream that fails takes with it what it had unpacked before. */
async function* gunzippedPieces(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  let made: Uint8Array[] = [];
  let failure: Error | undefined;
  gunzip.on("data", (chunk) => made.push(chunk));
  gunzip.on("error", (error) => {
    failure = error;
  });
  const settled = (act: (done: () => void) => void) =>
    new Promise<void>((resolve) => {
      gunzip.once("close", resolve);
      act(() => {
        gunzip.off("close", resolve);
        resolve();
      });
    });
  try {
    for await (const chunk of packed) {
      await settled((done) => gunzip.write(chunk, done));
      const ready = made;
      made = [];
      yield* ready;
      if (failure !== undefined) throw failure;
    }
    await settled((done) => gunzip.once("end", done).end());
    yield* made;
    if (failure !== undefined) throw failure;
  } finally {
    gunzip.destroy();
  }
}

/** A JSON file that is one document. */
async function* documentRows({ path, bytes }: Slice): AsyncGenerator<PlacedRow> {
  let document: unknown;
  try {
    if (bytes > largestDocument) throw new RangeError("too large to be read at once");
    document = parsedJson((await wholeText(path)).replace(/^\uFEFF/, ""));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    // JSON lines under the wrong name are common.
    return yield* packedRows({ path, kind: "packed-lines", start: 0, end: 0, bytes: 0 });
  }
  for (const [i, value] of recordsIn(document).entries()) {
    const row = objectOf(value);
    const where = `${path} record ${i + 1}`;
    yield row === undefined ? { where, error: "not a record" } : { where, row };
  }
}

async function wholeText(path: string): Promise<string> {
  const pieces: string[] = [];
  let length = 0;
  for await (const piece of decodedText(path)) {
    length += piece.length;
    if (length > largestDocument) throw new RangeError("too large to be read at once");
    pieces.push(piece);
  }
  return pieces.join("");
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
  const entries = await zipEntries(path);
  const samples = entries.filter(({ name }) => isSample(name)).slice(start, end);
  const file = await open(path, "r");
  try {
    // Samples are numbered within a task, which the header names, or of a log that broke off its beginning.
    const header = entries.find(({ name }) => /^(?:header|_journal\/start)\.json$/.test(name));
    const told = header && parsed(new TextDecoder().decode(await readZipEntry(file, header)), path);
    const task = objectOf(told && "row" in told ? told.row.eval : undefined)?.task;
    for (const entry of samples) {
      const where = `${path} entry ${entry.name}`;
      try {
        const row = parsed(new TextDecoder().decode(await readZipEntry(file, entry)), where);
        if (row !== undefined) yield "row" in row ? { ...row, row: { task, ...row.row } } : row;
      } catch (error) {
        yield { where, error: reasonOf(error) };
      }
    }
  } finally {
    await file.close();
  }
}

async function* separatedRows({ path, bytes }: Slice): AsyncGenerator<PlacedRow> {
  if (bytes > largestDocument) throw new DataError("a table of more than 512 MiB; write it as JSON lines or Parquet");
  let count = 0;
  for (const row of csvRows((await wholeText(path)).replace(/^\uFEFF/, ""))) {
    const cells = Object.entries(row).map(([name, cell]) => [name, typeof cell === "string" ? cellValue(cell) : cell]);
    yield { where: `${path} row ${++count}`, row: Object.fromEntries(cells) };
  }
}

/** What a cell holds the text of, JSON or as Python prints it: texts, records or lists of them; numbers in brackets are an answer. */
function cellValue(cell: string): unknown {
  const value = valueIn(cell) === cell && /^\s*[[{]/.test(cell) ? (pythonValue(cell) ?? cell) : valueIn(cell);
  const list = listOf(value);
  return list === undefined ||
    list.every((item) => typeof item === "string" || typeof item === "boolean" || objectOf(item) || listOf(item))
    ? value
    : cell;
}

/** EasyR1's `generations.log`: samples of validation one after another, as many each time; the log beside it has the steps. */
async function* loggedRows({ path }: Slice): AsyncGenerator<PlacedRow> {
  const sample = /^\[prompt\] ([\s\S]*?)\n\[output\] ([\s\S]*?)\n\[ground_truth\] ([\s\S]*?)\n\[score\] (\S+)\n/gm;
  const samples = [...(await wholeText(path)).matchAll(sample)];
  if (samples.length === 0) throw new DataError("a log without samples as EasyR1 writes them");
  const log = await readFile(join(dirname(path), "experiment_log.jsonl"), "utf8").catch(() => "");
  const steps = log.split("\n").flatMap((line) => {
    const told = parsed(line, path);
    return told && "row" in told && told.row.val !== undefined ? [told.row.step] : [];
  });
  const each = samples.length / Math.max(1, steps.length);
  for (const [i, [, prompt, output, label, score]] of samples.entries()) {
    const step = Number.isInteger(each) ? (steps[Math.floor(i / each)] ?? null) : null;
    yield { where: `${path} sample ${i + 1}`, row: { prompt, output, ground_truth: label, score, step } };
  }
}

/** Trackio's database: traces, and tables that were logged among its metrics. */
async function* databaseRows({ path }: Slice): AsyncGenerator<PlacedRow> {
  let count = 0;
  for await (const { table, row } of sqliteRows(path, ["traces", "metrics"])) {
    const where = `${path} table ${table} row ${++count}`;
    if (table === "traces") yield { where, row };
    else
      for (const logged of Object.values(objectOf(valueIn(row.metrics)) ?? {})) {
        const rows = objectOf(logged)?._type === "trackio.table" ? listOf(objectOf(logged)?._value) : undefined;
        for (const one of rows ?? []) yield { where, row: { run_name: row.run_name, ...objectOf(one) } };
      }
  }
  if (count === 0) throw new DataError("an SQLite database without a table of traces, as Trackio has");
}

/** slime's dump of one rollout: `{ rollout_id, samples: [...] }`, a row a sample. */
async function* torchRows({ path }: Slice): AsyncGenerator<PlacedRow> {
  const entry = (await zipEntries(path)).find(({ name }) => /(^|\/)data\.pkl$/.test(name));
  if (entry === undefined) throw new DataError("a torch file without data.pkl");
  const file = await open(path, "r");
  try {
    const dump = objectOf(pickleValue(await readZipEntry(file, entry)));
    const samples = listOf(dump?.samples);
    if (samples === undefined) throw new DataError("a torch file that holds no samples of rollouts");
    for (const [i, sample] of samples.entries()) {
      const [where, row] = [`${path} sample ${i}`, objectOf(sample)];
      yield row === undefined
        ? { where, error: "a sample that is not a record" }
        : { where, row: { ...row, rollout_id: dump?.rollout_id } };
    }
  } finally {
    await file.close();
  }
}
