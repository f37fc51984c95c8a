// The records of a small growing file (events, paces), read as they are appended. A torn last line waits until it is
// whole; a file that was cut or replaced is read again from its start.
import { open } from "node:fs/promises";

type Appended = {
  readonly values: readonly unknown[];
  /** The file is not what it was: what was read before no longer counts. */
  readonly restarted: boolean;
};

export class AppendedLines {
  readonly #path: string;
  #end = 0;
  #inode = 0;
  #tail = "";
  #unreadable = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Whole lines that are not JSON. */
  get unreadable(): number {
    return this.#unreadable;
  }

  /** Undefined where there is no file. */
  async read(): Promise<Appended | undefined> {
    const file = await open(this.#path, "r").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (file === undefined) return undefined;
    try {
      const { size, ino } = await file.stat();
      const tail = Buffer.alloc(Math.min(this.#tail.length, size));
      await file.read(tail, 0, tail.length, this.#end - tail.length);
      const restarted =
        this.#end > 0 && (ino !== this.#inode || size < this.#end || tail.toString("latin1") !== this.#tail);
      if (restarted) {
        this.#end = 0;
        this.#unreadable = 0;
      }
      this.#inode = ino;
      const appended = Buffer.alloc(size - this.#end);
      const { bytesRead } = await file.read(appended, 0, appended.length, this.#end);
      const whole = appended.subarray(0, appended.subarray(0, bytesRead).lastIndexOf(10) + 1);
      this.#end += whole.length;
      if (whole.length > 0) this.#tail = whole.subarray(-256).toString("latin1");
      return { values: this.#parse(whole.toString("utf8")), restarted };
    } finally {
      await file.close();
    }
  }

  #parse(text: string): unknown[] {
    return text.split("\n").flatMap((line) => {
      if (line.trim() === "") return [];
      try {
        return [JSON.parse(line)];
      } catch {
        this.#unreadable += 1;
        return [];
      }
    });
  }
}
