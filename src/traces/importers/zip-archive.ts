// Reading single entries of a zip archive without reading the rest: the directory at its end, then one entry at a time.
// Inspect's logs are such archives, of up to gigabytes.
import { type FileHandle, open } from "node:fs/promises";
import { inflateRawSync } from "node:zlib";
import { compressors } from "hyparquet-compressors";
import { DataError } from "../../base/errors.ts";

export type ZipEntry = {
  readonly name: string;
  readonly offset: number;
  readonly compressedBytes: number;
  readonly bytes: number;
  readonly method: number;
};

const [stored, deflated, zstandard] = [0, 8, 93];

async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, offset);
  return buffer.subarray(0, bytesRead);
}

export async function zipEntries(path: string): Promise<ZipEntry[]> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    // The end record sits before a comment of at most 65,535 bytes.
    const tailLength = Math.min(size, 65_557);
    const tail = await readAt(file, size - tailLength, tailLength);
    const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
    if (end === -1) throw new DataError(`${path} is not a zip archive, or it was cut off before its directory`);
    let count = tail.readUInt16LE(end + 10);
    let directoryBytes = tail.readUInt32LE(end + 12);
    let directoryAt = tail.readUInt32LE(end + 16);
    const locator = end - 20;
    if (locator >= 0 && tail.readUInt32LE(locator) === 0x07064b50) {
      const large = await readAt(file, Number(tail.readBigUInt64LE(locator + 8)), 56);
      count = Number(large.readBigUInt64LE(32));
      directoryBytes = Number(large.readBigUInt64LE(40));
      directoryAt = Number(large.readBigUInt64LE(48));
    }
    return directoryEntries(await readAt(file, directoryAt, directoryBytes), count, path);
  } finally {
    await file.close();
  }
}

function directoryEntries(directory: Buffer, count: number, path: string): ZipEntry[] {
  const entries: ZipEntry[] = [];
  for (let at = 0; entries.length < count; ) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02014b50) {
      throw new DataError(
        `${path}: the directory of the archive is damaged after ${entries.length} of ${count} entries`,
      );
    }
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

export async function readZipEntry(file: FileHandle, entry: ZipEntry): Promise<Uint8Array> {
  const header = await readAt(file, entry.offset, 30);
  const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = await readAt(file, start, entry.compressedBytes);
  switch (entry.method) {
    case stored:
      return packed;
    case deflated:
      return inflateRawSync(packed);
    case zstandard:
      return compressors.ZSTD!(packed, entry.bytes);
    default:
      throw new DataError(
        `${entry.name} is compressed with zip method ${entry.method}; only store, deflate and zstd are read`,
      );
  }
}
