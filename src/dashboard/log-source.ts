// The index of one source, kept up with its files: what was appended is read, then labeled, a batch at a time in another
// thread; a file that was cut or replaced is read again from its start. Only numbers stay in memory.
import { join } from "node:path";
import { messageOf } from "../base/errors.ts";
import type { Language } from "../engine/language.ts";
import { evaluationFiles } from "../evaluation/evaluation-folder.ts";
import { gradedKeySchema } from "../rollouts/rollout.ts";
import { type LogFile, logSize, openLog } from "../runs/packed-log.ts";
import { corpusFile } from "../runs/run-parts.ts";
import { isExact, type LabelerDescription, labelerId } from "../traces/labeler.ts";
import type { Alphabet, PrimitiveSequence } from "../traces/sequence.ts";
import type { PartLabels } from "./analyzed-labels.ts";
import type { Gap, TraceReply } from "./api.ts";
import type { IndexingThread } from "./indexing-thread.ts";
import { concatenated, type LogKind, parsedRollout } from "./log-reading.ts";
import type { RunLabeling } from "./opened-analysis.ts";
import { RolloutColumns, type SequenceBatch } from "./rollout-columns.ts";
import type { Read, RolloutSource, SourcePlace } from "./rollout-source.ts";

/** A log's name, and what the run says its model speaks. */
export type LogPlace = SourcePlace & { readonly log: string; readonly language?: Language };

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

const attemptsOf = { evaluation: "replaced", training: "kept", teacher: "counted" } as const;

export class LogSource implements RolloutSource {
  readonly place: LogPlace;
  readonly #thread: IndexingThread;
  readonly #labeling: LogLabeling;
  readonly #labelers = new Map<string, LabelerDescription>();
  readonly #tell: () => void;
  #told = "";
  #columns: RolloutColumns;
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
    this.#columns = this.#fresh();
  }

  get isRead(): boolean {
    return this.#read;
  }
  get columns(): RolloutColumns {
    return this.#columns;
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
  get log(): string {
    return join(this.place.folder, this.place.log);
  }
  get #gradesFile(): string {
    return join(this.place.folder, evaluationFiles.grades);
  }

  get gaps(): Gap[] {
    const where = this.place.stage;
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

  rowOf(problem: string, attempt: number): number | undefined {
    return this.#columns.rowOf(problem, attempt);
  }

  /** Several at once, for lists: opening a file costs more than reading a record. */
  async read(rows: readonly number[]): Promise<Read[]> {
    const { offset, bytes } = this.#columns.columns;
    const failed = (error: unknown) => ({
      unavailable: `the log cannot be read: ${(error as NodeJS.ErrnoException).code ?? messageOf(error)}`,
    });
    const file = await openLog(this.log).catch(failed);
    if ("unavailable" in file) return rows.map(() => file);
    try {
      return await Promise.all(
        rows.map(async (row) => {
          const rollout = parsedRollout(await readText(file, offset[row], bytes[row]), this.#logKind);
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
    const { gradeOffset, gradeBytes } = this.#columns.columns;
    if (gradeBytes[row] === 0) return undefined;
    const file = await openLog(this.#gradesFile).catch(() => undefined);
    try {
      if (file === undefined) return undefined;
      const text = await readText(file, gradeOffset[row], gradeBytes[row]);
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
    const news = `${this.#columns.rows} ${this.#columns.version} ${this.#failure ?? ""}`;
    if (news === this.#told) return;
    this.#told = news;
    this.#tell();
  }

  async #readRollouts(): Promise<void> {
    let reached = await stillThere(this.log, this.#rollouts);
    if (reached === undefined) return;
    if (reached === nothing && this.#rollouts !== nothing) {
      this.#columns = this.#fresh();
      this.#unreadable = 0;
      this.#grades = nothing;
    }
    for (let complete = false; !complete && !this.#closed; ) {
      const read = await this.#thread.rollouts(this.log, this.#logKind, reached.end);
      if (read.batch.columns.problem.length > 0) this.#columns.append(read.batch);
      this.#unreadable += read.unreadable;
      complete = read.complete;
      reached = await placeAt(this.log, read.end);
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
    if (reached === nothing && this.#grades !== nothing) this.#columns.forgetGrades();
    for (let complete = false; !complete && !this.#closed; ) {
      const read = await this.#thread.grades(this.#gradesFile, reached.end);
      if (read.batch.columns.problem.length > 0) this.#ungradable += this.#columns.grade(read.batch);
      complete = read.complete;
      reached = await placeAt(this.#gradesFile, read.end);
      this.#grades = reached;
    }
  }

  async #label(): Promise<void> {
    const columns = this.#columns;
    this.#known = await this.#labeling.known?.();
    while (columns === this.#columns && columns.labeled < columns.rows && !this.#closed) {
      const from = columns.labeled;
      const { offset, bytes } = columns.columns;
      let to = from;
      for (let sum = 0; to < columns.rows && to - from < stretchRows && (to === from || sum < stretchBytes); to++)
        sum += bytes[to];
      const known = this.#knownLabels(from, to);
      if (known !== undefined) {
        columns.label(known);
        this.#tellNews();
        continue;
      }
      const stretch = {
        path: this.log,
        kind: this.#logKind,
        offset: offset.slice(from, to),
        bytes: bytes.slice(from, to),
        ...(this.language && { language: this.language }),
      };
      const labeled = await this.#thread.label(stretch, this.#labeling);
      for (const labeler of labeled.labelers) this.#labelers.set(labelerId(labeler), labeler);
      columns.label(labeled);
      this.#tellNews();
    }
  }

  /** Of a stretch, where the analysis has all of it; where its labeler is not here, of what it has. */
  #knownLabels(from: number, to: number): SequenceBatch | undefined {
    const known = this.#known;
    if (known === undefined) return undefined;
    const columns = this.#columns;
    const sequences: PrimitiveSequence[] = [];
    const isHere = this.#labeling.reader.alphabet.taxonomy.name === this.#labeling.alphabet.taxonomy.name;
    for (let row = from; row < to; row++) {
      const sequence = known.sequence(row, columns.problemOf(row), columns.columns.attempt[row]);
      if (sequence === undefined && isHere) return undefined;
      sequences.push(sequence ?? new Uint8Array(0));
      const labeler = sequence && sequence.length > 0 ? known.labeler(row) : undefined;
      if (labeler !== undefined) this.#labelers.set(labelerId(labeler), labeler);
    }
    return { lengths: Uint32Array.from(sequences, ({ length }) => length), codes: concatenated(sequences) };
  }

  /** The spans of a trace that was labeled by somebody else than whoever labels here. */
  #kept(row: number, response: string): Pick<Extract<Read, { rollout: unknown }>, "spans" | "labeledBy"> {
    const labeledBy = this.#known?.labeler(row);
    const own = labelerId(this.#labeling.reader.labeler.description);
    if (labeledBy === undefined || isExact(labeledBy) || labelerId(labeledBy) === own) return {};
    return { spans: this.#known!.spans(row, response), labeledBy };
  }

  #fresh(): RolloutColumns {
    return new RolloutColumns(attemptsOf[this.place.kind], this.#labeling.alphabet);
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

async function readText(file: LogFile, offset: number, bytes: number): Promise<string> {
  const line = Buffer.alloc(bytes);
  const { bytesRead } = await file.read(line, 0, bytes, offset);
  return line.toString("utf8", 0, bytesRead);
}
