// Notes, tags and bookmarks on traces: one file in the run's folder, whole at any moment, one line a trace: the
// only thing that the dashboard writes.
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../base/files.ts";
import { parsedJson } from "../base/json-file.ts";
import { Mutex } from "../base/mutex.ts";
import { waitForLock } from "../runs/writer-lock.ts";
import type { Gap, TraceNote } from "./api.ts";

export const notesFile = "trace-notes.jsonl";

type Keyed = Pick<TraceNote, "source" | "problem" | "attempt" | "step">;

export const noteKey = ({ source, problem, attempt, step }: Keyed): string =>
  JSON.stringify([source, problem, attempt, step ?? null]);

const traceNoteSchema = z.object({
  source: z.string(),
  problem: z.string(),
  attempt: z.number().int().nonnegative(),
  step: z.number().int().nonnegative().optional(),
  text: z.string().default(""),
  tags: z.array(z.string()).default([]),
  bookmarked: z.boolean().default(false),
});

export class TraceNotes {
  readonly #path: string;
  #read: { readonly state: string; readonly notes: readonly TraceNote[]; readonly unreadable: readonly string[] } = {
    ...{ state: "", notes: [], unreadable: [] },
  };
  readonly #mutex = new Mutex();

  constructor(folder: string) {
    this.#path = join(folder, notesFile);
  }

  /** As they stand on disk, where somebody may have written by another server or by hand. */
  async all(): Promise<readonly TraceNote[]> {
    const file = await stat(this.#path).catch(() => undefined);
    const state = file === undefined ? "none" : `${file.size} ${file.mtimeMs} ${file.ino}`;
    if (state === this.#read.state) return this.#read.notes;
    const text = file === undefined ? "" : await readFile(this.#path, "utf8");
    const notes: TraceNote[] = [];
    const unreadable: string[] = [];
    for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
      const note = parsedJson(line, traceNoteSchema);
      if (note === undefined) unreadable.push(line);
      else notes.push(note);
    }
    this.#read = { state, notes, unreadable };
    return notes;
  }

  gaps(where: string): Gap[] {
    const { length } = this.#read.unreadable;
    return length === 0
      ? []
      : [{ missing: `${length} lines of ${notesFile} that cannot be read`, where, remedy: "the rest was read" }];
  }

  /** One after the other: two people do not lose each other's notes, at two windows or two dashboards. Returns how many there are. */
  write(note: TraceNote): Promise<number> {
    return this.#mutex.take(async () => {
      const lock = await waitForLock(`${this.#path}.lock`, this.#path);
      try {
        return await this.#write(note);
      } finally {
        await lock.release();
      }
    });
  }

  async #write(note: TraceNote): Promise<number> {
    const others = (await this.all()).filter((other) => noteKey(other) !== noteKey(note));
    const empty = note.text === "" && note.tags.length === 0 && !note.bookmarked;
    const notes = empty ? others : [...others, note];
    // What could not be read is somebody's, and stays.
    const lines = [...this.#read.unreadable, ...notes.map((one) => JSON.stringify(one))];
    await writeFileAtomically(this.#path, lines.map((line) => `${line}\n`).join(""));
    await this.all();
    return notes.length;
  }
}
