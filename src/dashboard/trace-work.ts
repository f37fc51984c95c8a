// What people do with the traces of an open run: write on them, take lists of them home.
import type { Gap, NoteReply, NoteRequest, NotesReply, TraceNote } from "./api.ts";
import { notesByKey } from "./note-marks.ts";
import type { ProblemBook } from "./problem-book.ts";
import { downloadedLines, type Wanted } from "./rollout-download.ts";
import { rolloutRow } from "./rollout-lists.ts";
import type { RolloutSource } from "./rollout-source.ts";
import type { FoundRun } from "./run-discovery.ts";
import { notesFile, TraceNotes } from "./trace-notes.ts";

export class TraceWork {
  readonly #found: FoundRun;
  readonly #book: ProblemBook;
  readonly #notes: TraceNotes;

  constructor(found: FoundRun, book: ProblemBook) {
    this.#found = found;
    this.#book = book;
    this.#notes = new TraceNotes(found.folder);
  }

  notes(): Promise<readonly TraceNote[]> {
    return this.#notes.all();
  }

  async gaps(): Promise<Gap[]> {
    await this.#notes.all();
    return this.#notes.gaps(this.#found.id);
  }

  async reply(): Promise<NotesReply> {
    return { notes: await this.#notes.all(), file: this.#file, writable: true };
  }

  async note(source: RolloutSource, { row, text, tags, bookmarked }: NoteRequest): Promise<NoteReply> {
    const { id } = source.place;
    const { problem, attempt, step } = rolloutRow(id, source.columns, row);
    const about = { source: id, problem, attempt, ...(step !== undefined && { step }) };
    const notes = await this.#notes.write({ ...about, text: text.trim(), tags: [...new Set(tags)], bookmarked });
    return { notes, file: this.#file };
  }

  get #file(): string {
    return this.#found.id === "." ? notesFile : `${this.#found.id}/${notesFile}`;
  }

  async *lines(wanted: readonly Wanted[]): AsyncGenerator<string> {
    yield* downloadedLines(wanted, this.#book.facts, notesByKey(await this.#notes.all()));
  }
}
