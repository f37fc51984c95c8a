// Rows of a table in an SQLite file, read and never written: no more of the format than tables of values need (pages, overflow
// pages, and what a writer at work has committed to its log). Node has SQLite of its own from 22 on; this runs on 20.
import { type FileHandle, open } from "node:fs/promises";
import { DataError } from "../base/errors.ts";
import type { Row } from "./row-format.ts";

type Pages = { readonly page: (number: number) => Promise<Buffer>; readonly usable: number };

const [leaf, interior] = [0x0d, 0x05];
const deepest = 40;

/** Of the tables that are asked for and there, every row, in the order in which they were written. */
export async function* sqliteRows(
  path: string,
  tables: readonly string[],
): AsyncGenerator<{ table: string; row: Row }> {
  const file = await open(path, "r");
  const log = await open(`${path}-wal`, "r").catch(() => undefined);
  try {
    const pages = await pagesOf(file, log);
    const schema = await all(cells(pages, 1));
    for (const table of tables) {
      const [, , , root, sql] = schema.find(([type, name]) => type === "table" && name === table) ?? [];
      if (typeof root !== "number" || typeof sql !== "string") continue;
      const names = columnNames(sql);
      for await (const values of cells(pages, root))
        yield { table, row: Object.fromEntries(names.map((name, i) => [name, values[i] ?? null])) };
    }
  } catch (error) {
    // Fields that lie beyond the end of what was read.
    if (error instanceof RangeError) throw new DataError("the database is damaged");
    throw error;
  } finally {
    await file.close();
    await log?.close();
  }
}

async function all<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const found: Value[] = [];
  for await (const value of values) found.push(value);
  return found;
}

async function pagesOf(file: FileHandle, log: FileHandle | undefined): Promise<Pages> {
  const header = await bytesAt(file, 0, 100);
  if (!isSqlite(header)) throw new DataError("not an SQLite database");
  if (header.readUInt32BE(56) > 1) throw new DataError("an SQLite database in UTF-16, which is not read");
  const size = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  const logged = log === undefined ? new Map<number, number>() : await committed(log, size);
  let left = 4 * Math.ceil((await file.stat()).size / size) + 4 * logged.size + 100;
  return {
    usable: size - header[20],
    async page(number) {
      // Pages that lead to each other have no end.
      if (number < 1 || left-- < 0) throw new DataError("the database is damaged: its pages lead nowhere");
      const at = logged.get(number);
      return at === undefined ? bytesAt(file, (number - 1) * size, size) : bytesAt(log!, at, size);
    },
  };
}

const isSqlite = (start: Buffer): boolean => start.subarray(0, 15).toString("latin1") === "SQLite format 3";

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  if (bytesRead < length) throw new DataError("the database is cut off");
  return buffer;
}

/** Where the newest committed version of a page lies in the write-ahead log. */
async function committed(log: FileHandle, size: number): Promise<Map<number, number>> {
  const pages = new Map<number, number>();
  const { size: end } = await log.stat();
  if (end < 32) return pages;
  const header = await bytesAt(log, 0, 32);
  if (header.readUInt32BE(0) >>> 1 !== 0x377f0682 >>> 1 || header.readUInt32BE(8) !== size) return pages;
  const big = (header[3] & 1) === 1;
  let sums = checksums([0, 0], header.subarray(0, 24), big);
  const open = new Map<number, number>();
  for (let at = 32; at + 24 + size <= end; at += 24 + size) {
    const frame = await bytesAt(log, at, 24 + size);
    sums = checksums(checksums(sums, frame.subarray(0, 8), big), frame.subarray(24), big);
    const isNext =
      frame.compare(header, 16, 24, 8, 16) === 0 &&
      frame.readUInt32BE(16) === sums[0] &&
      frame.readUInt32BE(20) === sums[1];
    if (!isNext) break;
    open.set(frame.readUInt32BE(0), at + 24);
    if (frame.readUInt32BE(4) === 0) continue;
    for (const [page, place] of open) pages.set(page, place);
    open.clear();
  }
  return pages;
}

function checksums([first, second]: readonly [number, number], bytes: Buffer, big: boolean): [number, number] {
  for (let at = 0; at < bytes.length; at += 8) {
    const [a, b] = big
      ? [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)]
      : [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)];
    first = (first + a + second) >>> 0;
    second = (second + b + first) >>> 0;
  }
  return [first, second];
}

async function* cells(pages: Pages, number: number, depth = 0): AsyncGenerator<readonly unknown[]> {
  if (depth > deepest) throw new DataError("the database is damaged: its pages lead nowhere");
  const page = await pages.page(number);
  const start = number === 1 ? 100 : 0;
  const kind = page[start];
  if (kind !== leaf && kind !== interior) throw new DataError(`the database is damaged: page ${number} holds no table`);
  const first = start + (kind === leaf ? 8 : 12);
  for (let i = 0; i < page.readUInt16BE(start + 3); i++) {
    const at = page.readUInt16BE(first + 2 * i);
    if (kind === interior) yield* cells(pages, page.readUInt32BE(at), depth + 1);
    else yield recordOf(await payload(pages, page, at));
  }
  if (kind === interior) yield* cells(pages, page.readUInt32BE(start + 8), depth + 1);
}

/** What fits in the page, and the rest from overflow pages. */
async function payload({ page: pageAt, usable }: Pages, page: Buffer, at: number): Promise<Buffer> {
  const [length, afterLength] = varint(page, at);
  const [, start] = varint(page, afterLength);
  const most = usable - 35;
  if (length <= most) return page.subarray(start, start + length);
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const whole = least + ((length - least) % (usable - 4));
  const here = whole <= most ? whole : least;
  const pieces = [page.subarray(start, start + here)];
  let next = page.readUInt32BE(start + here);
  for (let left = length - here; left > 0; left -= usable - 4) {
    const more = await pageAt(next);
    pieces.push(more.subarray(4, 4 + Math.min(left, usable - 4)));
    next = more.readUInt32BE(0);
  }
  return Buffer.concat(pieces);
}

function recordOf(bytes: Buffer): unknown[] {
  let [headerBytes, at] = varint(bytes, 0);
  let value = headerBytes;
  const values: unknown[] = [];
  while (at < headerBytes) {
    const [type, next] = varint(bytes, at);
    at = next;
    const length = type >= 12 ? Math.floor((type - 12) / 2) : [0, 1, 2, 3, 4, 6, 8, 8, 0, 0][type];
    values.push(cellOf(type, bytes.subarray(value, value + length)));
    value += length;
  }
  return values;
}

function cellOf(type: number, bytes: Buffer): unknown {
  if (type === 0) return null;
  if (type === 7) return bytes.readDoubleBE(0);
  if (type === 6) return Number(bytes.readBigInt64BE(0));
  if (type === 8 || type === 9) return type - 8;
  return type < 12 ? bytes.readIntBE(0, bytes.length) : bytes.toString("utf8");
}

/** Seven bits a byte, eight in the ninth. */
function varint(bytes: Buffer, from: number): [value: number, next: number] {
  let value = 0;
  for (let i = 0; i < 9; i++) {
    const byte = bytes.readUInt8(from + i);
    if (i === 8) return [value * 256 + byte, from + 9];
    value = value * 128 + (byte & 127);
    if (byte < 128) return [value, from + i + 1];
  }
  return [value, from + 9];
}

/** From `CREATE TABLE name (a TEXT, "b" INTEGER NOT NULL, PRIMARY KEY (a))`. */
function columnNames(sql: string): string[] {
  const inner = sql.slice(sql.indexOf("(") + 1, sql.lastIndexOf(")"));
  const parts: string[] = [""];
  let depth = 0;
  for (const letter of inner) {
    depth += letter === "(" ? 1 : letter === ")" ? -1 : 0;
    if (letter === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  const names = parts.map((part) => /^\s*["`[]?(\w+)/.exec(part)?.[1] ?? "");
  return names.filter((name) => name !== "" && !/^(?:constraint|primary|unique|check|foreign)$/i.test(name));
}
