// Reading single entries of a zip archive without reading the rest: the directory at its end, then one entry at a time.
// Inspect's logs are such archives, of up to gigabytes. What an archive says about itself is checked against its size
// before memory is taken for it.
import { type FileHandle, open } from "node:fs/promises";
import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import { DataError, messageOf } from "../base/errors.ts";
import { unzstd } from "./zstd-stream.ts";

type ZipEntry = {
  readonly name: string;
  readonly offset: number;
  readonly compressedBytes: number;
  readonly bytes: number;
  readonly method: number;
};

const [stored, deflated, zstandard] = [0, 8, 93];

/** A sample of an evaluation is a few megabytes; unpacked and parsed it takes several times its size. */
const largestEntry = 256 << 20;

async function readAt(file: FileHandle, offset: number, length: number, what: string): Promise<Buffer> {
  const { size } = await file.stat();
  if (!(offset >= 0 && length >= 0 && offset + length <= size))
    throw new DataError(`${what} claims to lie at bytes ${offset} to ${offset + length}, and the archive has ${size}`);
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, offset);
  if (bytesRead < length) throw new DataError(`${what} ends after ${bytesRead} of ${length} bytes`);
  return buffer;
}

export async function zipEntries(path: string): Promise<ZipEntry[]> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    // The end record sits before a comment of at most 65,535 bytes.
    const tailLength = Math.min(size, 65_557);
    const tail = await readAt(file, size - tailLength, tailLength, "the end record");
    const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
    if (end === -1 || end + 22 > tail.length)
      throw new DataError("not a zip archive, or it was cut off before its directory");
    let count = tail.readUInt16LE(end + 10);
    let directoryBytes = tail.readUInt32LE(end + 12);
    let directoryAt = tail.readUInt32LE(end + 16);
    const locator = end - 20;
    if (locator >= 0 && tail.readUInt32LE(locator) === 0x07064b50) {
      const large = await readAt(file, Number(tail.readBigUInt64LE(locator + 8)), 56, "the zip64 end record");
      count = Number(large.readBigUInt64LE(32));
      directoryBytes = Number(large.readBigUInt64LE(40));
      directoryAt = Number(large.readBigUInt64LE(48));
    }
    const entries = directoryEntries(await readAt(file, directoryAt, directoryBytes, "the directory"), count);
    refuseOverlap(entries);
    return entries;
  } catch (error) {
    // Fields that lie beyond the end of what was read.
    if (error instanceof DataError || error instanceof RangeError)
      throw new DataError(`${path}: the archive is damaged: ${messageOf(error)}`);
    throw error;
  } finally {
    await file.close();
  }
}

function directoryEntries(directory: Buffer, count: number): ZipEntry[] {
  const entries: ZipEntry[] = [];
  for (let at = 0; entries.length < count; ) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02014b50)
      throw new DataError(`its directory ends after ${entries.length} of ${count} entries`);
    const method = directory.readUInt16LE(at + 10);
    let compressedBytes = directory.readUInt32LE(at + 20);
    let bytes = directory.readUInt32LE(at + 24);
    const nameBytes = directory.readUInt16LE(at + 28);
    const extraBytes = directory.readUInt16LE(at + 30);
    const commentBytes = directory.readUInt16LE(at + 32);
    let offset = directory.readUInt32LE(at + 42);
    const name = directory.toString("utf8", at + 46, at + 46 + nameBytes);
    // Zip64: sizes and offset that do not fit 32 bits stand in an extra field, in this order, only those that overflow.
    const extraEnd = at + 46 + nameBytes + extraBytes;
    for (let extra = at + 46 + nameBytes; extra + 4 <= extraEnd; extra += 4 + directory.readUInt16LE(extra + 2)) {
      if (directory.readUInt16LE(extra) !== 1) continue;
      let field = extra + 4;
      const next = () => Number(directory.readBigUInt64LE((field += 8) - 8));
      if (bytes === 0xffffffff) bytes = next();
      if (compressedBytes === 0xffffffff) compressedBytes = next();
      if (offset === 0xffffffff) offset = next();
    }
    entries.push({ name, offset, compressedBytes, bytes, method });
    at = extraEnd + commentBytes;
  }
  return entries;
}

/** Entries that share their bytes make a small archive unpack to any size. */
function refuseOverlap(entries: readonly ZipEntry[]): void {
  const byPlace = [...entries].sort((a, b) => a.offset - b.offset);
  for (const [i, { name, offset, compressedBytes }] of byPlace.slice(0, -1).entries()) {
    if (offset + 30 + compressedBytes > byPlace[i + 1].offset)
      throw new DataError(`its entries ${name} and ${byPlace[i + 1].name} overlap`);
  }
}

export async function readZipEntry(file: FileHandle, entry: ZipEntry): Promise<Uint8Array> {
  const { name, offset, compressedBytes, bytes, method } = entry;
  if (bytes > largestEntry || compressedBytes > largestEntry)
    throw new DataError(`an entry of ${Math.round(bytes / 1e6)} MB; the limit is ${largestEntry >> 20} MiB`);
  const header = await readAt(file, offset, 30, name);
  const start = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = await readAt(file, start, compressedBytes, name);
  const unpacked = await unpack(packed, entry);
  if (unpacked.length !== bytes)
    throw new DataError(`the entry unpacks to ${unpacked.length} bytes, and the directory says ${bytes}`);
  return unpacked;

  async function unpack(from: Buffer, { bytes: most }: ZipEntry): Promise<Uint8Array> {
    switch (method) {
      case stored:
        return from;
      case deflated:
        return await inflated(from, most);
      case zstandard:
        return await together(unzstd(only(from)), most);
      default:
        throw new DataError(`compressed with zip method ${method}; only store, deflate and zstd are read`);
    }
  }
}

const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw);

async function inflated(packed: Buffer, most: number): Promise<Buffer> {
  try {
    // One byte of room at least: an empty entry is allowed to be what it says.
    return await inflate(packed, { maxOutputLength: Math.max(1, most) });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ERR_BUFFER_TOO_LARGE")
      throw new DataError(`the entry unpacks to more than the ${most} bytes that the directory says`);
    throw new DataError(`the entry cannot be unpacked: ${messageOf(error)}`);
  }
}

async function together(chunks: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > most) throw new DataError(`the entry unpacks to more than the ${most} bytes that the directory says`);
    kept.push(chunk);
  }
  return Buffer.concat(kept);
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
