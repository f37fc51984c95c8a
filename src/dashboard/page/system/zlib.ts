// Node's compression, by fflate: it works in any worker, and a stream may hold several members.
import { Gunzip, gunzipSync, gzipSync, Inflate } from "fflate";
import { Buffer } from "./buffer.ts";

type Done = (error: Error | null, bytes?: Buffer) => void;

const failed = (code: string, error: unknown): Error =>
  Object.assign(new Error(error instanceof Error ? error.message : String(error)), { code });

function answer(done: Done, work: () => Uint8Array): void {
  let bytes: Buffer;
  try {
    bytes = Buffer.over(work());
  } catch (error) {
    done(
      error instanceof Error && "code" in error && typeof error.code === "string"
        ? error
        : failed("Z_DATA_ERROR", error),
    );
    return;
  }
  done(null, bytes);
}

export const gunzip = (bytes: Uint8Array, done: Done): void => answer(done, () => gunzipSync(bytes));

export const gzip = (bytes: Uint8Array, { level }: { readonly level?: number }, done: Done): void =>
  // A time in its header would make equal contents differ.
  answer(done, () => gzipSync(bytes, { level: (level ?? 6) as 6, mtime: 0 }));

/** Stops where more comes out than is allowed, before memory is taken for it. */
export const inflateRaw = (bytes: Uint8Array, { maxOutputLength: most = Number.POSITIVE_INFINITY }, done: Done): void =>
  answer(done, () => {
    const pieces: Uint8Array[] = [];
    let length = 0;
    const inflate = new Inflate((piece) => {
      length += piece.length;
      if (length > most) throw failed("ERR_BUFFER_TOO_LARGE", `more than ${most} bytes`);
      pieces.push(piece);
    });
    const pieceBytes = 1 << 16;
    for (let at = 0; at < bytes.length || at === 0; at += pieceBytes)
      inflate.push(bytes.subarray(at, at + pieceBytes), at + pieceBytes >= bytes.length);
    return Buffer.concat(pieces);
  });

type Listener = (value?: never) => void;

class GunzipStream {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #gunzip = new Gunzip((bytes) => this.#tell("data", Buffer.over(bytes)));

  on(event: string, listener: Listener): this {
    const own = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, own.add(listener));
    return this;
  }

  once(event: string, listener: Listener): this {
    const own: Listener = (value) => {
      this.#listeners.get(event)?.delete(own);
      listener(value);
    };
    return this.on(event, own);
  }

  off(event: string, listener: Listener): this {
    this.#listeners.get(event)?.delete(listener);
    return this;
  }

  write(bytes: Uint8Array, done: () => void): void {
    if (this.#push(bytes, false)) done();
  }

  end(): this {
    if (this.#push(new Uint8Array(0), true)) this.#tell("end");
    return this;
  }

  destroy(): void {
    this.#listeners.clear();
  }

  #push(bytes: Uint8Array, last: boolean): boolean {
    try {
      this.#gunzip.push(bytes, last);
      return true;
    } catch (error) {
      this.#tell("error", failed("Z_DATA_ERROR", error));
      this.#tell("close");
      return false;
    }
  }

  #tell(event: string, value?: unknown): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(value as never);
  }
}

export const createGunzip = (): GunzipStream => new GunzipStream();
