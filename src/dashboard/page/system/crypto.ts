// Node's digests and random bytes, as far as files and folders are named and recognized by them. SHA-256 (FIPS 180-4) is
// computed here because the browser's own answers later, and only in secure pages.
import { Buffer } from "./buffer.ts";

const constants = new Int32Array(64);
const start = new Int32Array(8);

/** The first 32 bits of the fractional parts of the square and cube roots of the first primes. */
for (let candidate = 2, count = 0; count < 64; candidate++) {
  let prime = true;
  for (let factor = 2; factor * factor <= candidate; factor++) if (candidate % factor === 0) prime = false;
  if (!prime) continue;
  const fraction = (root: number) => ((root - Math.floor(root)) * 2 ** 32) | 0;
  if (count < 8) start[count] = fraction(Math.sqrt(candidate));
  constants[count++] = fraction(Math.cbrt(candidate));
}

const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by));

class Sha256 {
  readonly #state = start.slice();
  readonly #words = new Int32Array(64);
  readonly #rest = new Uint8Array(64);
  #length = 0;

  update(data: string | ArrayBufferView): this {
    const bytes =
      typeof data === "string" ? Buffer.from(data) : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    let at = 0;
    let filled = this.#length % 64;
    this.#length += bytes.length;
    if (filled > 0) {
      at = Math.min(bytes.length, 64 - filled);
      this.#rest.set(bytes.subarray(0, at), filled);
      filled += at;
      if (filled < 64) return this;
      this.#block(this.#rest, 0);
    }
    for (; at + 64 <= bytes.length; at += 64) this.#block(bytes, at);
    this.#rest.set(bytes.subarray(at));
    return this;
  }

  copy(): Sha256 {
    const other = new Sha256();
    other.#state.set(this.#state);
    other.#rest.set(this.#rest);
    other.#length = this.#length;
    return other;
  }

  digest(): Buffer;
  digest(encoding: "hex" | "base64"): string;
  digest(encoding?: "hex" | "base64"): Buffer | string {
    const length = this.#length;
    const padding = new Uint8Array((((length + 8) >> 6) << 6) + 64 - length);
    padding[0] = 0x80;
    const view = new DataView(padding.buffer);
    view.setUint32(padding.length - 8, Math.floor(length / 2 ** 29));
    view.setUint32(padding.length - 4, (length << 3) >>> 0);
    this.update(padding);
    const bytes = Buffer.alloc(32);
    const out = new DataView(bytes.buffer);
    this.#state.forEach((word, i) => {
      out.setInt32(4 * i, word);
    });
    return encoding === undefined ? bytes : bytes.toString(encoding);
  }

  #block(bytes: Uint8Array, from: number): void {
    const words = this.#words;
    for (let i = 0; i < 16; i++) {
      const at = from + 4 * i;
      words[i] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
    }
    for (let i = 16; i < 64; i++) {
      const [before, last] = [words[i - 15], words[i - 2]];
      const first = turned(before, 7) ^ turned(before, 18) ^ (before >>> 3);
      const second = turned(last, 17) ^ turned(last, 19) ^ (last >>> 10);
      words[i] = (words[i - 16] + first + words[i - 7] + second) | 0;
    }
    const state = this.#state;
    let a = state[0];
    let b = state[1];
    let c = state[2];
    let d = state[3];
    let e = state[4];
    let f = state[5];
    let g = state[6];
    let h = state[7];
    for (let i = 0; i < 64; i++) {
      const chosen = (e & f) ^ (~e & g);
      const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + constants[i] + words[i]) | 0;
      const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + two) | 0;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
  }
}

export type Hash = Sha256;

export function createHash(name: string): Sha256 {
  if (name !== "sha256") throw new Error(`no digest ${name} here`);
  return new Sha256();
}

export const randomBytes = (length: number): Buffer => crypto.getRandomValues(Buffer.alloc(length));
export const randomInt = (below: number): number => Math.floor(Math.random() * below);
export const randomUUID = (): string => randomBytes(16).toString("hex");
