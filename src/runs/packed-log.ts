// A log that is written once and is large: JSON lines in parts of a few megabytes, each compressed by itself and named by
// the place of its first byte in the whole. Whoever reads by place unpacks one part; `zcat` reads all of them.
import { open, readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { DataError, messageOf } from "../base/errors.ts";
import { makeFolder, writeFileAtomically } from "../base/files.ts";

const [packed, unpacked] = [promisify(gzip), promisify(gunzip)];

/** Of lines, before they are packed: small enough to unpack for a single trace. */
const partBytes = 2 << 20;
const partName = /^(\d{13})\.jsonl\.gz$/;
const nameAt = (start: number) => `${String(start).padStart(13, "0")}.jsonl.gz`;

/** The folder that a log belongs to, by the path of a plain one or of a part. */
export const logFolder = (path: string): string =>
  partName.test(basename(path)) ? dirname(dirname(path)) : dirname(path);

/** What readers of logs by place need of a file, packed or not. */
export type LogFile = {
  close(): Promise<void>;
  read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number; readonly buffer: Buffer }>;
  stat(): Promise<{ readonly size: number; readonly ino: number }>;
};

/** A plain file, or the folder of a packed log. */
export async function openLog(path: string): Promise<LogFile> {
  return (await stat(path)).isDirectory() ? new PackedLog(path) : open(path, "r");
}

/** Of a log as it is now; undefined where there is none. */
export async function logSize(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || !found.isDirectory()) return found?.size;
  return sizeOf(path, await partsOf(path));
}

async function partsOf(folder: string): Promise<number[]> {
  const starts = (await readdir(folder)).flatMap((name) => partName.exec(name)?.[1] ?? []).map(Number);
  return starts.sort((a, b) => a - b);
}

/** The last four bytes of a packed part say how long it is. */
async function sizeOf(folder: string, starts: readonly number[]): Promise<number> {
  const last = starts.at(-1);
  if (last === undefined) return 0;
  const file = await open(join(folder, nameAt(last)), "r");
  try {
    const { size } = await file.stat();
    const length = Buffer.alloc(4);
    await file.read(length, 0, 4, Math.max(0, size - 4));
    return last + length.readUInt32LE();
  } finally {
    await file.close();
  }
}

const keptParts = 2;

class PackedLog implements LogFile {
  readonly #folder: string;
  readonly #parts = new Map<number, Promise<Buffer>>();
  #starts: readonly number[] | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(buffer: Buffer, offset: number, length: number, position: number) {
    this.#starts ??= await partsOf(this.#folder);
    let done = 0;
    for (let i = this.#starts.findLastIndex((start) => start <= position); i >= 0 && i < this.#starts.length; i++) {
      const part = await this.#part(this.#starts[i]);
      const from = position + done - this.#starts[i];
      done += part.copy(buffer, offset + done, from, Math.min(part.length, from + length - done));
      if (done === length) break;
    }
    return { bytesRead: done, buffer };
  }

  async stat() {
    this.#starts ??= await partsOf(this.#folder);
    const { ino } = await stat(this.#folder);
    return { size: await sizeOf(this.#folder, this.#starts), ino };
  }

  async close(): Promise<void> {
    this.#parts.clear();
  }

  #part(start: number): Promise<Buffer> {
    let part = this.#parts.get(start);
    if (part === undefined) {
      if (this.#parts.size === keptParts) this.#parts.delete(this.#parts.keys().next().value!);
      part = unpackedPart(join(this.#folder, nameAt(start)));
      this.#parts.set(start, part);
    }
    return part;
  }
}

async function unpackedPart(path: string): Promise<Buffer> {
  const bytes = await readFile(path);
  try {
    return await unpacked(bytes);
  } catch (error) {
    throw new DataError(`${path} is damaged (${messageOf(error)}); import the rollouts again`);
  }
}

/** Appends lines; what was given is on disk once `close` resolves. Goes on where an earlier one ended. */
export class PackedLogWriter {
  readonly #folder: string;
  #start: number;
  #lines: Buffer[] = [];
  #bytes = 0;
  #writing: Promise<void> = Promise.resolve();

  private constructor(folder: string, start: number) {
    this.#folder = folder;
    this.#start = start;
  }

  static async open(folder: string): Promise<PackedLogWriter> {
    await makeFolder(folder);
    return new PackedLogWriter(folder, (await logSize(folder)) ?? 0);
  }

  /** A record as a line; where it lies. */
  async append(record: unknown): Promise<{ readonly offset: number; readonly bytes: number }> {
    const line = Buffer.from(`${JSON.stringify(record)}\n`);
    const place = { offset: this.#start + this.#bytes, bytes: line.length - 1 };
    this.#lines.push(line);
    this.#bytes += line.length;
    if (this.#bytes >= partBytes) await this.#flush();
    return place;
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#lines);
    const path = join(this.#folder, nameAt(this.#start));
    this.#start += bytes.length;
    this.#lines = [];
    this.#bytes = 0;
    // One part is packed while the next one is gathered.
    await this.#writing;
    this.#writing = packed(bytes, { level }).then((small) => writeFileAtomically(path, small));
    // Whoever comes next hears of its failure.
    this.#writing.catch(() => {});
  }

  async close(): Promise<void> {
    if (this.#bytes > 0) await this.#flush();
    await this.#writing;
  }
}

/** Of packing: three times as fast as the usual one, for a tenth more bytes. */
const level = 3;

/** The bytes of a log from a place on. */
export async function* logStream(path: string, start: number): AsyncGenerator<Buffer> {
  const log = await openLog(path);
  try {
    for (let position = start; ; ) {
      const block = Buffer.allocUnsafe(1 << 20);
      const { bytesRead } = await log.read(block, 0, block.length, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield block.subarray(0, bytesRead);
    }
  } finally {
    await log.close();
  }
}
