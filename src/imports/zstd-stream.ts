// Zstandard (RFC 8878) block by block: whatever a frame claims, memory holds its window and one block of at most 128 kB.
import { Decompress } from "fzstd";
import { DataError } from "../base/errors.ts";

/** As far as the zstd program goes unless it is told to use more. */
const largestWindow = 128 << 20;
const largestBlock = 128 << 10;
const [repeatedByte, reserved] = [1, 3];

export async function* unzstd(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const bytes = new ByteReader(packed);
  for (let frame = 1; ; frame++) {
    const magic = await bytes.take(4, "start");
    if (magic === undefined) return;
    const number = magic.readUInt32LE();
    if (number >>> 4 === 0x184d2a5) await bytes.skip((await bytes.take(4)).readUInt32LE());
    else if (number === 0xfd2fb528) yield* frameContent(bytes, magic);
    else if (frame === 1) throw new DataError("not a Zstandard file");
    else throw new DataError(`something else follows after ${frame - 1} Zstandard frames`);
  }
}

async function* frameContent(bytes: ByteReader, magic: Buffer): AsyncGenerator<Uint8Array> {
  const descriptor = await bytes.take(1);
  const [flags] = descriptor;
  const single = (flags >> 5) & 1;
  const dictionaryBytes = [0, 1, 2, 4][flags & 3];
  const sizeBytes = [single, 2, 4, 8][flags >> 6];
  const rest = await bytes.take(1 - single + dictionaryBytes + sizeBytes);
  if (dictionaryBytes > 0 && rest.readUIntLE(1 - single, dictionaryBytes) !== 0)
    throw new DataError("packed with a dictionary, which is not here");
  const window = single ? contentSize(rest.subarray(dictionaryBytes)) : windowSize(rest[0]);
  if (window > largestWindow)
    throw new DataError(`needs a window of ${Math.round(window / 1e6)} MB; the limit is ${largestWindow >> 20} MiB`);

  let made: Uint8Array[] = [];
  const checked = (flags & 4) !== 0;
  const unpacking = new Decompress((chunk) => void made.push(chunk));
  const unpacked = (chunk: Uint8Array, last: boolean): Uint8Array[] => {
    made = [];
    try {
      unpacking.push(chunk, last);
    } catch (error) {
      throw new DataError(`damaged: ${(error as Error).message}`);
    }
    return made;
  };
  yield* unpacked(Buffer.concat([magic, descriptor, rest]), false);
  for (let last = false; !last; ) {
    const header = await bytes.take(3);
    const fields = header.readUIntLE(0, 3);
    last = (fields & 1) === 1;
    const [kind, size] = [(fields >> 1) & 3, fields >> 3];
    if (kind === reserved || size > largestBlock)
      throw new DataError("damaged: a block that the format does not allow");
    const content = await bytes.take(kind === repeatedByte ? 1 : size);
    yield* unpacked(Buffer.concat([header, content]), false);
  }
  yield* unpacked(checked ? await bytes.take(4) : Buffer.alloc(0), true);
}

/** One byte means less than 256; two bytes begin there. */
function contentSize(field: Buffer): number {
  if (field.length === 8) return Number(field.readBigUInt64LE());
  return field.readUIntLE(0, field.length) + (field.length === 2 ? 256 : 0);
}

function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

/** Bytes of a stream, as many at a time as are asked for. */
class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Undefined at the end, where a frame may start. */
  take(count: number, at: "start"): Promise<Buffer | undefined>;
  take(count: number): Promise<Buffer>;
  async take(count: number, at?: "start"): Promise<Buffer | undefined> {
    while (this.#rest.length < count && (await this.#more()));
    if (this.#rest.length === 0 && at === "start") return undefined;
    if (this.#rest.length < count) throw new DataError("cut off: the file ends within a frame");
    const taken = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return taken;
  }

  async skip(count: number): Promise<void> {
    for (let left = count; left > 0; ) {
      if (this.#rest.length === 0 && !(await this.#more()))
        throw new DataError("cut off: the file ends within a frame");
      const step = Math.min(left, this.#rest.length);
      this.#rest = this.#rest.subarray(step);
      left -= step;
    }
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (done) return false;
    this.#rest = Buffer.concat([this.#rest, value]);
    return true;
  }
}
