// The safetensors format: an eight-byte length, a JSON header of names, types, shapes and offsets, then the bytes.
// Everything becomes float32 here; bfloat16 and float16 checkpoints are widened on reading.
import { type FileHandle, open } from "node:fs/promises";
import { z } from "zod";
import { DataError, messageOf } from "../../../base/errors.ts";

export type NamedTensor = { readonly shape: readonly number[]; readonly data: Float32Array };

const entrySchema = z.object({
  dtype: z.string(),
  shape: z.array(z.int().nonnegative()),
  data_offsets: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
});

const longestHeader = 100 * 1024 * 1024;
/** Reads go in pieces of this size, since one read takes at most 2 GiB. */
const pieceBytes = 256 * 1024 * 1024;

export async function readSafetensors(path: string): Promise<Map<string, NamedTensor>> {
  const tensors = new Map<string, NamedTensor>();
  const file = await open(path, "r");
  try {
    const { entries, dataStart, dataLength } = await readHeader(file, path);
    for (const [name, entry] of entries) {
      const [start, end] = entry.data_offsets;
      const count = entry.shape.reduce((product, size) => product * size, 1);
      const bytesPerElement = elementBytes[entry.dtype];
      if (bytesPerElement === undefined) {
        throw new DataError(`${path}: tensor ${name} is of type ${entry.dtype}; expected one of: F32, F16, BF16, F64`);
      }
      if (end - start !== count * bytesPerElement || end > dataLength) {
        throw new DataError(`${path}: tensor ${name} says ${entry.shape.join("x")} but holds ${end - start} bytes`);
      }
      const bytes = new Uint8Array(end - start);
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        const length = Math.min(pieceBytes, bytes.length - at);
        const { bytesRead } = await file.read(bytes, at, length, dataStart + start + at);
        if (bytesRead !== length) throw new DataError(`${path} ends within tensor ${name}`);
      }
      tensors.set(name, { shape: entry.shape, data: widened(bytes, entry.dtype) });
    }
  } finally {
    await file.close();
  }
  return tensors;
}

const elementBytes: Readonly<Record<string, number>> = { F32: 4, F16: 2, BF16: 2, F64: 8 };

async function readHeader(file: FileHandle, path: string) {
  const { size } = await file.stat();
  const prefix = Buffer.alloc(8);
  await file.read(prefix, 0, 8, 0);
  const length = size < 8 ? Number.NaN : Number(prefix.readBigUInt64LE());
  if (!(length <= Math.min(size - 8, longestHeader))) throw new DataError(`${path} is not a safetensors file`);
  const text = Buffer.alloc(length);
  await file.read(text, 0, length, 8);
  let json: unknown;
  try {
    json = JSON.parse(text.toString("utf8"));
  } catch (error) {
    throw new DataError(`${path} is not a safetensors file: its header is not JSON (${messageOf(error)})`);
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new DataError(`${path} is not a safetensors file: its header is not an object`);
  }
  const entries: [string, z.infer<typeof entrySchema>][] = [];
  for (const [name, value] of Object.entries(json)) {
    if (name === "__metadata__") continue;
    const entry = entrySchema.safeParse(value);
    if (!entry.success) throw new DataError(`${path}: the header of tensor ${name} is wrong: ${entry.error.message}`);
    entries.push([name, entry.data]);
  }
  const dataLength = size - 8 - length;
  refuseGaps(
    entries.map(([name, { data_offsets }]) => [name, ...data_offsets]),
    dataLength,
    path,
  );
  return { entries, dataStart: 8 + length, dataLength };
}

/** The format leaves no byte without a tensor, and none with two. */
function refuseGaps(ranges: readonly (readonly [string, number, number])[], dataLength: number, path: string): void {
  let at = 0;
  for (const [name, start, end] of [...ranges].sort((a, b) => a[1] - b[1] || a[2] - b[2])) {
    if (start !== at)
      throw new DataError(`${path}: tensor ${name} begins at byte ${start} and not where the last one ends, at ${at}`);
    at = end;
  }
  if (at !== dataLength) throw new DataError(`${path}: its tensors hold ${at} bytes, and the file has ${dataLength}`);
}

function widened(bytes: Uint8Array, type: string): Float32Array {
  switch (type) {
    case "F64":
      return Float32Array.from(new Float64Array(bytes.buffer));
    case "BF16": {
      const halves = new Uint16Array(bytes.buffer);
      const words = new Uint32Array(halves.length);
      for (let i = 0; i < halves.length; i++) words[i] = halves[i] << 16;
      return new Float32Array(words.buffer);
    }
    case "F16": {
      const halves = new Uint16Array(bytes.buffer);
      const data = new Float32Array(halves.length);
      for (let i = 0; i < halves.length; i++) data[i] = halfToFloat(halves[i]);
      return data;
    }
    default:
      return new Float32Array(bytes.buffer);
  }
}

function halfToFloat(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Writes float32 tensors and syncs them to the disk. */
export async function writeSafetensors(
  path: string,
  tensors: ReadonlyMap<string, NamedTensor>,
  metadata: Readonly<Record<string, string>> = { format: "pt" },
): Promise<void> {
  const entries: [string, unknown][] = [["__metadata__", metadata]];
  let offset = 0;
  for (const [name, { shape, data }] of tensors) {
    entries.push([name, { dtype: "F32", shape, data_offsets: [offset, offset + data.byteLength] }]);
    offset += data.byteLength;
  }
  // Not by assignment, which would lose a tensor called __proto__.
  const text = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  // The data begins on a multiple of eight bytes; spaces are the format's padding.
  const padded = Buffer.alloc(Math.ceil(text.length / 8) * 8, " ");
  text.copy(padded);
  const prefix = Buffer.alloc(8);
  prefix.writeBigUInt64LE(BigInt(padded.length));
  const file = await open(path, "w");
  try {
    await file.write(prefix);
    await file.write(padded);
    for (const { data } of tensors.values()) {
      const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        await file.write(bytes, at, Math.min(pieceBytes, bytes.length - at));
      }
    }
    await file.sync();
  } finally {
    await file.close();
  }
}
