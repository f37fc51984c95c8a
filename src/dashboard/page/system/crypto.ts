// Node's digests and random bytes, as far as files and folders are named and recognized by them. The browser's own digests
// answer later, and only in secure pages.
import { sha256 } from "@noble/hashes/sha2.js";
import { Buffer } from "./buffer.ts";

class Sha256 {
  readonly #hash: ReturnType<typeof sha256.create>;

  constructor(hash = sha256.create()) {
    this.#hash = hash;
  }

  update(data: string | ArrayBufferView): this {
    const { buffer, byteOffset, byteLength } = typeof data === "string" ? Buffer.from(data) : data;
    this.#hash.update(new Uint8Array(buffer, byteOffset, byteLength));
    return this;
  }

  copy(): Sha256 {
    return new Sha256(this.#hash.clone());
  }

  digest(): Buffer;
  digest(encoding: "hex" | "base64"): string;
  digest(encoding?: "hex" | "base64"): Buffer | string {
    const bytes = Buffer.over(this.#hash.digest());
    return encoding === undefined ? bytes : bytes.toString(encoding);
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
