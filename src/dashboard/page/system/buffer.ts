// Node's Buffer as far as reading, packing and searching need it: bytes with texts and numbers in them.

type Encoding = "utf8" | "utf-8" | "latin1" | "hex" | "base64";

const encoder = new TextEncoder();
// A mark of byte order belongs to the text here, as in Node.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function encoded(text: string, encoding: Encoding): Uint8Array {
  if (encoding === "utf8" || encoding === "utf-8") return encoder.encode(text);
  if (encoding === "hex") return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const latin = encoding === "base64" ? atob(text) : text;
  const bytes = new Uint8Array(latin.length);
  for (let i = 0; i < latin.length; i++) bytes[i] = latin.charCodeAt(i);
  return bytes;
}

/** So many code units at a time fit a call. */
const unitsAtOnce = 1 << 13;

function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += unitsAtOnce)
    text += String.fromCharCode(...bytes.subarray(at, at + unitsAtOnce));
  return text;
}

export class Buffer extends Uint8Array {
  static alloc(length: number): Buffer {
    return new Buffer(length);
  }

  static allocUnsafe(length: number): Buffer {
    return new Buffer(length);
  }

  static override from(
    source: string | ArrayBuffer | ArrayLike<number> | Iterable<number>,
    second?: unknown,
    third?: unknown,
  ): Buffer {
    if (source instanceof ArrayBuffer)
      return new Buffer(source, second as number | undefined, third as number | undefined);
    const bytes =
      typeof source === "string"
        ? encoded(source, (second as Encoding | undefined) ?? "utf8")
        : Uint8Array.from(source as ArrayLike<number>);
    return Buffer.over(bytes);
  }

  /** The same bytes, not a copy. */
  static over(bytes: Uint8Array): Buffer {
    return new Buffer(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length);
  }

  static concat(pieces: readonly Uint8Array[]): Buffer {
    const whole = new Buffer(pieces.reduce((total, { length }) => total + length, 0));
    let at = 0;
    for (const piece of pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  }

  static byteLength(text: string): number {
    return encoder.encode(text).length;
  }

  static isBuffer(value: unknown): value is Buffer {
    return value instanceof Buffer;
  }

  override toString(encoding: Encoding = "utf8", start = 0, end = this.length): string {
    const bytes = super.subarray(start, end);
    if (encoding === "utf8" || encoding === "utf-8") return decoder.decode(bytes);
    if (encoding === "hex") return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return encoding === "base64" ? btoa(latin1(bytes)) : latin1(bytes);
  }

  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((byte, i) => byte === other[i]);
  }

  copy(target: Uint8Array, targetStart = 0, start = 0, end = this.length): number {
    const piece = super.subarray(start, Math.min(end, start + target.length - targetStart));
    target.set(piece, targetStart);
    return piece.length;
  }

  override indexOf(wanted: number | string | Uint8Array, from = 0): number {
    if (typeof wanted === "number") return super.indexOf(wanted, from);
    const bytes = typeof wanted === "string" ? encoder.encode(wanted) : wanted;
    for (let at = super.indexOf(bytes[0], from); at !== -1; at = super.indexOf(bytes[0], at + 1))
      if (this.#holds(bytes, at)) return at;
    return -1;
  }

  override lastIndexOf(wanted: number | string | Uint8Array, from = this.length): number {
    if (typeof wanted === "number") return super.lastIndexOf(wanted, from);
    const bytes = typeof wanted === "string" ? encoder.encode(wanted) : wanted;
    for (let at = Math.min(from, this.length - bytes.length); at >= 0; at--) if (this.#holds(bytes, at)) return at;
    return -1;
  }

  override includes(wanted: number | string | Uint8Array, from = 0): boolean {
    return this.indexOf(wanted, from) !== -1;
  }

  #holds(bytes: Uint8Array, at: number): boolean {
    return bytes.every((byte, i) => this[at + i] === byte);
  }

  get #view(): DataView {
    return new DataView(this.buffer, this.byteOffset, this.length);
  }
  readUInt16LE(at = 0): number {
    return this.#view.getUint16(at, true);
  }
  readUInt32LE(at = 0): number {
    return this.#view.getUint32(at, true);
  }
  readInt32LE(at = 0): number {
    return this.#view.getInt32(at, true);
  }
  readBigUInt64LE(at = 0): bigint {
    return this.#view.getBigUint64(at, true);
  }
  readUInt8(at = 0): number {
    return this.#view.getUint8(at);
  }
  readUInt16BE(at = 0): number {
    return this.#view.getUint16(at);
  }
  readUInt32BE(at = 0): number {
    return this.#view.getUint32(at);
  }
  readBigInt64BE(at = 0): bigint {
    return this.#view.getBigInt64(at);
  }
  readDoubleBE(at = 0): number {
    return this.#view.getFloat64(at);
  }
  readIntBE(at: number, bytes: number): number {
    let value = this.#view.getInt8(at);
    for (let i = 1; i < bytes; i++) value = value * 256 + this.#view.getUint8(at + i);
    return value;
  }
  readUIntLE(at: number, bytes: number): number {
    let value = 0;
    for (let i = bytes - 1; i >= 0; i--) value = value * 256 + this.#view.getUint8(at + i);
    return value;
  }
}
