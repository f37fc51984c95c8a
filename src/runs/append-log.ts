// An append-only file of JSON lines that survives being killed: records are whole or absent, synced before `append`
// returns, and a line torn by a crash is cut off when the file is opened again.
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { RunFolderError } from "../base/errors.ts";
import { makeFolder, namedAs } from "../base/files.ts";
import { Digester, type FileDigest } from "../base/integrity.ts";

export class AppendLog {
  readonly path: string;
  readonly #file: FileHandle;
  #bytes: number;
  /** Appends go one after another: two callers never interleave their bytes. */
  #queue: Promise<void> = Promise.resolve();
  /** Of what has been read back so far. */
  #digester = new Digester();

  private constructor(path: string, file: FileHandle, bytes: number) {
    this.path = path;
    this.#file = file;
    this.#bytes = bytes;
  }

  static async open(path: string): Promise<AppendLog> {
    await makeFolder(dirname(path));
    const file = await open(path, "a+");
    const bytes = await endOfLastWholeLine(file);
    const { size } = await file.stat();
    if (bytes < size) await file.truncate(bytes);
    return new AppendLog(path, file, bytes);
  }

  /** The length of what is safely written; `cutTo` goes back to such a place. */
  get bytes(): number {
    return this.#bytes;
  }

  append(...records: readonly unknown[]): Promise<void> {
    const lines = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    const written = this.#queue.then(async () => {
      try {
        await namedAs(this.path, this.path, async () => {
          await this.#file.appendFile(lines);
          await this.#file.datasync();
        });
        this.#bytes += lines.length;
      } catch (error) {
        // A full disk leaves half a line: take it back so that what is there stays readable.
        await this.#file.truncate(this.#bytes).catch(() => {});
        throw error;
      }
    });
    this.#queue = written.catch(() => {});
    return written;
  }

  /** Forgets everything after a place that an earlier `bytes` named; used when a run goes back to its last checkpoint. */
  async cutTo(bytes: number): Promise<void> {
    await this.#queue;
    await this.#file.truncate(bytes);
    await this.#file.datasync();
    this.#bytes = bytes;
    this.#digester = new Digester();
  }

  /** What is safely written now; reads back what was added since it was last asked. */
  async digest(): Promise<FileDigest> {
    await this.#queue;
    const block = Buffer.alloc(1 << 20);
    for (let at = this.#digester.digest.bytes; at < this.#bytes; ) {
      const { bytesRead } = await this.#file.read(block, 0, Math.min(block.length, this.#bytes - at), at);
      if (bytesRead === 0) throw new RunFolderError(`${this.path} was cut by another process while it was written`);
      this.#digester.add(block.subarray(0, bytesRead));
      at += bytesRead;
    }
    return this.#digester.digest;
  }

  async close(): Promise<void> {
    await this.#queue;
    await this.#file.close();
  }
}

async function endOfLastWholeLine(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const block = Buffer.alloc(1 << 16);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - block.length);
    const { bytesRead } = await file.read(block, 0, end - start, start);
    const newline = block.subarray(0, bytesRead).lastIndexOf(10);
    if (newline !== -1) return start + newline + 1;
    end = start;
  }
  return 0;
}
