// The index of one source, kept up with its files: what was appended is read, then labeled, a batch at a time in another
// thread; a file that was cut or replaced is read again from its start.
import { join } from "node:path";
import { messageOf } from "../base/errors.ts";
import { Mutex } from "../base/mutex.ts";
import type { Language } from "../engine/language.ts";
import { evaluationFiles } from "../evaluation/evaluation-folder.ts";
import { withReasoning } from "../imports/trace.ts";
import { gradedKeySchema, type Rollout } from "../rollouts/rollout.ts";
import { type LogFile, logSize, openLog } from "../runs/packed-log.ts";
import { corpusFile } from "../runs/run-parts.ts";
import { isExact, type LabelerDescription, labelerId, labelerWords } from "../traces/labeler.ts";
import { type Alphabet, writeSequence } from "../traces/sequence.ts";
import type { PartLabels } from "./analyzed-labels.ts";
import type { Gap, Source, TraceReply, TraceSpan } from "./api.ts";
import type { IndexingThread } from "./indexing-thread.ts";
import { LeastRecentlyUsed } from "./least-recently-used.ts";
import { type LogKind, parsedRollout, searchStretch } from "./log-reading.ts";
import type { RunLabeling } from "./opened-analysis.ts";
import { type Place, RolloutIndex } from "./rollout-index.ts";

/** Where a source's records lie. */
export type LogPlace = Pick<Source, "id" | "name" | "kind" | "role"> & {
  /** What analyses call the policy whose rollouts these are. */
  readonly checkpoint: string;
  readonly folder: string;
  readonly log: string;
  /** What the run says its model speaks. */
  readonly language?: Language;
};

/** A record with its text; with spans and whose labels they are where that is kept beside it. */
export type Read =
  | { readonly rollout: Rollout; readonly spans?: readonly TraceSpan[]; readonly labeledBy?: LabelerDescription }
  | { readonly unavailable: string };

/** Whole, with its reasoning; empty where it cannot be had. */
export const textOf = (read: Read): string =>
  "unavailable" in read ? "" : withReasoning(read.rollout.reasoning, read.rollout.response);

/** Who labels it, and with which labels. */
export type LogLabeling = Pick<RunLabeling, "spec" | "reader"> & {
  readonly alphabet: Alphabet;
  /** What an analysis of the run says of this log. */
  readonly known?: () => Promise<PartLabels>;
};

/** How far a growing file was read, and what its last line was, to notice when it is no longer the same file. */
type Reached = { readonly end: number; readonly inode: number; readonly tail: string };
const nothing: Reached = { end: 0, inode: 0, tail: "" };

/** Labeled at once: small enough that a page's own questions are soon answered. */
const stretchBytes = 4 << 20;
const stretchRows = 2_000;
/** Searched at once. */
const searchBytes = 2 << 20;

const attemptsOf = { evaluation: "replaced", training: "kept", teacher: "counted" } as const;

/** What was searched of a source, and in which rows the words stand. */
type Search = { readonly index: RolloutIndex; readonly found: Set<number>; searched: number; readonly turn: Mutex };

export class LogSource {
  readonly place: LogPlace;
  readonly #thread: IndexingThread;
  readonly #labeling: LogLabeling;
  readonly #labelers = new Map<string, LabelerDescription>();
  readonly #tell: () => void;
  #told = "";
  readonly #searches = new LeastRecentlyUsed<string, Search>(4);
  #index: RolloutIndex;
  #rollouts: Reached = nothing;
  #grades: Reached = nothing;
  #unreadable = 0;
  #ungradable = 0;
  #failure: string | undefined;
  #working: Promise<void> | undefined;
  #again = false;
  #read = false;
  #tellRead = () => {};
  readonly #firstReading = new Promise<void>((resolve) => {
    this.#tellRead = resolve;
  });
  #closed = false;
  #known: PartLabels | undefined;

  /** `tell` is called whenever more is known. */
  constructor(place: LogPlace, thread: IndexingThread, labeling: LogLabeling, tell: () => void) {
    this.place = place;
    this.#thread = thread;
    this.#labeling = labeling;
    this.#tell = tell;
    this.#index = this.#fresh();
  }

  get isRead(): boolean {
    return this.#read;
  }
  get index(): RolloutIndex {
    return this.#index;
  }
  get language(): Language | undefined {
    return this.place.language;
  }
  get labelers(): readonly LabelerDescription[] {
    return [...this.#labelers.values()];
  }
  get #logKind(): LogKind {
    return this.place.log === corpusFile ? "teacher" : "rollout";
  }
  /** Everybody who labeled some of it, in words. */
  get labeled(): string | undefined {
    return this.#labelers.size === 0 ? undefined : this.labelers.map(labelerWords).join("; ");
  }
  get #log(): string {
    return join(this.place.folder, this.place.log);
  }
  get #gradesFile(): string {
    return join(this.place.folder, evaluationFiles.grades);
  }

  get gaps(): Gap[] {
    const where = this.place.id;
    const gaps: Gap[] = [];
    if (this.#failure !== undefined)
      gaps.push({
        missing: `a readable ${this.place.log} (${this.#failure})`,
        where,
        remedy: "what was read before is shown",
      });
    if (this.#unreadable > 0)
      gaps.push({
        missing: `${this.#unreadable} lines of ${this.place.log} that are not records`,
        where,
        remedy: "the rest was read",
      });
    return gaps;
  }

  /** Several at once, for lists: opening a file costs more than reading a record. */
  async read(rows: readonly number[]): Promise<Read[]> {
    const { rows: all } = this.#index;
    const failed = (error: unknown) => ({
      unavailable: `the log cannot be read: ${(error as NodeJS.ErrnoException).code ?? messageOf(error)}`,
    });
    const file = await openLog(this.#log).catch(failed);
    if ("unavailable" in file) return rows.map(() => file);
    try {
      return await Promise.all(
        rows.map(async (row) => {
          const rollout = parsedRollout(await readText(file, all[row]), this.#logKind);
          return rollout === undefined
            ? { unavailable: "the record in the log is no longer readable" }
            : { rollout, ...this.#kept(row, rollout.response) };
        }),
      );
    } catch (error) {
      return rows.map(() => failed(error));
    } finally {
      await file.close();
    }
  }

  async grade(row: number): Promise<TraceReply["grade"]> {
    const place = this.#index.rows[row].grade;
    if (place === undefined) return undefined;
    const file = await openLog(this.#gradesFile).catch(() => undefined);
    try {
      if (file === undefined) return undefined;
      const text = await readText(file, place);
      const { verdict, because, answer, reward } = gradedKeySchema.parse(JSON.parse(text));
      return { verdict, reward, ...(because && { because }), ...(answer && { answer }) };
    } catch {
      // The file was replaced since it was indexed; the next refresh reads it again.
      return undefined;
    } finally {
      await file?.close();
    }
  }

  /** Catches up with the files; calls that come meanwhile are one more round. */
  refresh(): void {
    if (this.#closed) return;
    if (this.#working !== undefined) {
      this.#again = true;
      return;
    }
    this.#working = this.#catchUp().finally(() => {
      this.#working = undefined;
      if (!this.#again) return;
      this.#again = false;
      this.refresh();
    });
  }

  whenRead(): Promise<void> {
    return this.#firstReading;
  }

  async whenComplete(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  close(): void {
    this.#closed = true;
  }

  async #catchUp(): Promise<void> {
    try {
      await this.#readRollouts();
      if (this.place.kind === "evaluation") await this.#readGrades();
      this.#failure = undefined;
    } catch (error) {
      this.#failure = messageOf(error);
    }
    this.#read = true;
    this.#tellRead();
    try {
      await this.#label();
    } catch (error) {
      this.#failure = messageOf(error);
    }
    this.#tellNews();
  }

  /** Looking again is cheap and often done; only what it found is told. */
  #tellNews(): void {
    const news = `${this.#index.rows.length} ${this.#index.version} ${this.#failure ?? ""}`;
    if (news === this.#told) return;
    this.#told = news;
    this.#tell();
  }

  async #readRollouts(): Promise<void> {
    let reached = await stillThere(this.#log, this.#rollouts);
    if (reached === undefined) return;
    if (reached === nothing && this.#rollouts !== nothing) {
      this.#index = this.#fresh();
      this.#unreadable = 0;
      this.#grades = nothing;
    }
    for (let complete = false; !complete && !this.#closed; ) {
      const read = await this.#thread.rollouts(this.#log, this.#logKind, reached.end);
      if (read.records.length > 0) this.#index.append(read.records);
      this.#unreadable += read.unreadable;
      complete = read.complete;
      reached = await placeAt(this.#log, read.end);
      this.#rollouts = reached;
      if (!complete) this.#tellNews();
    }
  }

  async #readGrades(): Promise<void> {
    // Grades of rollouts that were written while the log was being read found no row; they are read once more.
    if (this.#ungradable > 0) this.#grades = nothing;
    this.#ungradable = 0;
    let reached = await stillThere(this.#gradesFile, this.#grades);
    if (reached === undefined) return;
    if (reached === nothing && this.#grades !== nothing) this.#index.forgetGrades();
    for (let complete = false; !complete && !this.#closed; ) {
      const read = await this.#thread.grades(this.#gradesFile, reached.end);
      if (read.records.length > 0) this.#ungradable += this.#index.grade(read.records);
      complete = read.complete;
      reached = await placeAt(this.#gradesFile, read.end);
      this.#grades = reached;
    }
  }

  async #label(): Promise<void> {
    const index = this.#index;
    this.#known = await this.#labeling.known?.();
    while (index === this.#index && index.labeled < index.rows.length && !this.#closed) {
      const from = index.labeled;
      const to = this.#stretch(from, stretchBytes, stretchRows);
      const known = this.#knownLabels(from, to);
      if (known !== undefined) index.label(known);
      else {
        const wanted = { path: this.#log, kind: this.#logKind, places: this.#places(from, to) };
        const labeled = await this.#thread.label({ ...wanted, language: this.language }, this.#labeling);
        for (const labeler of labeled.labelers) this.#labelers.set(labelerId(labeler), labeler);
        index.label(labeled.sequences);
      }
      this.#tellNews();
    }
  }

  /** Where so many bytes or rows end, from a row on; at least one row. */
  #stretch(from: number, mostBytes: number, mostRows: number): number {
    const { rows } = this.#index;
    let to = from;
    for (let sum = 0; to < rows.length && to - from < mostRows && (to === from || sum < mostBytes); to++)
      sum += rows[to].bytes;
    return to;
  }

  #places(from: number, to: number): Place[] {
    return this.#index.rows.slice(from, to).map(({ offset, bytes }) => ({ offset, bytes }));
  }

  /** Of a stretch, where the analysis has all of it; where its labeler is not here, of what it has. */
  #knownLabels(from: number, to: number): string[] | undefined {
    const known = this.#known;
    if (known === undefined) return undefined;
    const { alphabet, reader } = this.#labeling;
    const sequences: string[] = [];
    const isHere = reader.alphabet.taxonomy.name === alphabet.taxonomy.name;
    for (const { row, problem, attempt } of this.#index.rows.slice(from, to)) {
      const sequence = known.sequence(row, problem, attempt);
      if (sequence === undefined && isHere) return undefined;
      sequences.push(sequence === undefined ? "" : writeSequence(sequence, alphabet));
      const labeler = sequence && sequence.length > 0 ? known.labeler(row) : undefined;
      if (labeler !== undefined) this.#labelers.set(labelerId(labeler), labeler);
    }
    return sequences;
  }

  /** The rows whose texts hold the words, as far as this much time sufficed; asked again it goes on. */
  search(words: string, deadline: number): Promise<{ readonly found: ReadonlySet<number>; readonly searched: number }> {
    if (this.#searches.peek(words)?.index !== this.#index) this.#searches.delete(words);
    const search = this.#searches.get(words, () => ({
      ...{ index: this.#index, found: new Set<number>(), searched: 0, turn: new Mutex() },
    }));
    // A list asks for several windows at once; the second waits and finds the work done.
    return search.turn.take(async () => {
      const { index, found } = search;
      while (search.searched < index.rows.length && index === this.#index && performance.now() < deadline) {
        const from = search.searched;
        const to = this.#stretch(from, searchBytes, Number.POSITIVE_INFINITY);
        const held = await searchStretch({ path: this.#log, places: this.#places(from, to) }, words);
        for (const at of held) found.add(from + at);
        search.searched = to;
      }
      return { found, searched: search.searched };
    });
  }

  /** The spans of a trace that was labeled by somebody else than whoever labels here. */
  #kept(row: number, response: string): Pick<Extract<Read, { rollout: unknown }>, "spans" | "labeledBy"> {
    const labeledBy = this.#known?.labeler(row);
    const own = labelerId(this.#labeling.reader.labeler.description);
    if (labeledBy === undefined || isExact(labeledBy) || labelerId(labeledBy) === own) return {};
    return { spans: this.#known!.spans(row, response), labeledBy };
  }

  #fresh(): RolloutIndex {
    return new RolloutIndex(this.place.id, attemptsOf[this.place.kind], this.#labeling.alphabet);
  }
}

/** Where reading goes on: `nothing` where the file is another than before, undefined where it is absent or did not grow. */
async function stillThere(path: string, reached: Reached): Promise<Reached | undefined> {
  const size = await logSize(path);
  if (size === undefined) return undefined;
  if (reached === nothing) return size === 0 ? undefined : nothing;
  const now = size < reached.end ? undefined : await placeAt(path, reached.end);
  if (now === undefined || now.inode !== reached.inode || now.tail !== reached.tail) return nothing;
  return size === reached.end ? undefined : reached;
}

async function placeAt(path: string, end: number): Promise<Reached> {
  const file = await openLog(path);
  try {
    const tail = Buffer.alloc(Math.min(end, 256));
    await file.read(tail, 0, tail.length, end - tail.length);
    const { ino: inode } = await file.stat();
    return { end, inode, tail: tail.toString("latin1") };
  } finally {
    await file.close();
  }
}

async function readText(file: LogFile, { offset, bytes }: Place): Promise<string> {
  const line = Buffer.alloc(bytes);
  const { bytesRead } = await file.read(line, 0, bytes, offset);
  return line.toString("utf8", 0, bytesRead);
}
