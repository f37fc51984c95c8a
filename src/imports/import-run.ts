// Whatever enters becomes a run folder: rollouts of any program, read once and written down as we write our own. Nothing
// later looks at where they came from.
import { rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, relative, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { writeFileAtomically } from "../base/files.ts";
import { startWorker } from "../base/worker-thread.ts";
import type { RolloutStage } from "../rollouts/rollout.ts";
import { type ImportReport, importFile, readImport } from "./import-report.ts";
import { ImportedPart, type PartKey } from "./imported-part.ts";
import { inThreads } from "./in-threads.ts";
import { type InputFile, inputChange, inputFile, isSameFile } from "./inputs.ts";
import { type PlannedSlice, planSlices, type ReadOptions, sliceBytes, type TraceInput } from "./plan.ts";
import { Numberings, ProblemNames, UniqueIds } from "./problem-names.ts";
import { type ReadSlice, readSlice } from "./read-slice.ts";
import { promptName } from "./row-values.ts";
import { ScoreCounts } from "./score-counts.ts";
import { nothingRead, SkipCounts, sameAttempt } from "./skips.ts";
import { stepOfName } from "./step-name.ts";
import type { Trace } from "./trace.ts";

export type ImportRequest = {
  readonly inputs: readonly TraceInput[];
  readonly reading?: ReadOptions;
  readonly workers?: number;
};

export type ImportEvent =
  | { readonly type: "import-planned"; readonly files: number; readonly bytes: number }
  | { readonly type: "import-slice"; readonly bytes: number; readonly traces: number }
  | { readonly type: "import-again"; readonly because: string };

/** Reads into the folder, or finds that it holds just that; the folder is its caller's, who has its lock. */
export async function importRun(
  folder: string,
  request: ImportRequest,
  onEvent: (event: ImportEvent) => void = () => {},
): Promise<ImportReport> {
  const before = await readImport(folder);
  const importing = await Importing.begin(folder, request);
  const because = before && (await importing.change(before));
  if (before !== undefined && because === undefined) return before;
  if (because !== undefined) onEvent({ type: "import-again", because });
  return importing.fresh(before?.parts ?? [], onEvent);
}

/** An import under way, which can go on when its files have grown. */
export class Importing {
  readonly #folder: string;
  readonly #request: ImportRequest;
  #planned: readonly PlannedSlice[];
  #parts = new Map<string, ImportedPart>();
  #places: string[] = [];
  #names = new ProblemNames();
  #skips = new SkipCounts();
  #formats: Record<string, number> = {};
  #graded = { byRecord: 0, byGold: 0, byScore: 0, both: 0, disagree: 0, disagreeing: [] as string[], ungraded: 0 };
  #counts = { traces: 0, damaged: 0 };
  #inputs: readonly InputFile[] = [];
  #scores = new ScoreCounts();
  #ids = new UniqueIds();
  #numberings = new Numberings();
  #reading: Meanings = { scoresGrade: false, byPrompt: false, otherMarks: {}, apart: {} };

  private constructor(folder: string, request: ImportRequest, planned: readonly PlannedSlice[]) {
    this.#folder = folder;
    this.#request = request;
    this.#planned = planned;
  }

  static async begin(folder: string, request: ImportRequest): Promise<Importing> {
    return new Importing(folder, request, await planSlices(request.inputs, readingOf(request)));
  }

  /** Why what was read before is not what would be read now. */
  async change({ reading, inputs }: ImportReport): Promise<string | undefined> {
    if (!isDeepStrictEqual(reading, recordedReading(this.#request))) return "it is read in another way";
    return inputChange(inputs, await this.#files());
  }

  /** Everything from the start, in place of parts that were there. */
  async fresh(replaced: readonly string[], onEvent: (event: ImportEvent) => void): Promise<ImportReport> {
    const place = join(this.#folder, ".importing");
    await rm(place, { recursive: true, force: true });
    this.#inputs = await this.#files();
    await this.#read(place, this.#planned, onEvent);
    const reading = this.#meanings();
    if (!isDeepStrictEqual(reading, this.#reading)) {
      const again = new Importing(this.#folder, this.#request, this.#planned);
      again.#reading = reading;
      again.#inputs = this.#inputs;
      await rm(place, { recursive: true, force: true });
      await again.#read(place, this.#planned, onEvent);
      this.#takeOver(again);
    }
    if (this.#counts.traces === 0) {
      await rm(place, { recursive: true, force: true });
      throw nothingRead(this.#skips.reasons());
    }
    await rm(join(this.#folder, importFile), { force: true });
    for (const part of replaced) await rm(join(this.#folder, part), { recursive: true, force: true });
    for (const [i, part] of [...this.#parts.values()].entries()) await part.moveTo(join(this.#folder, this.#places[i]));
    await rm(place, { recursive: true, force: true });
    return this.#write();
  }

  #meanings(): Meanings {
    const { grade, alone, otherMarks } = this.#scores;
    return {
      scoresGrade: grade && alone > 0,
      byPrompt: this.#ids.nameAttempts,
      otherMarks,
      apart: this.#numberings.apart,
    };
  }

  #takeOver(other: Importing): void {
    this.#parts = other.#parts;
    this.#places = other.#places;
    this.#names = other.#names;
    this.#skips = other.#skips;
    this.#formats = other.#formats;
    this.#graded = other.#graded;
    this.#counts = other.#counts;
    this.#scores = other.#scores;
    this.#numberings = other.#numberings;
    this.#reading = other.#reading;
  }

  /** What was added to the files since, in the parts where it belongs. */
  async grown(onEvent: (event: ImportEvent) => void): Promise<ImportReport | "changed otherwise" | "same"> {
    const planned = await planSlices(this.#request.inputs, readingOf(this.#request));
    const before = new Map(this.#inputs.map((file) => [file.path, file]));
    // With a first file of validation beside it, what was of no stage becomes training.
    const readAs = new Map(this.#planned.map(({ slice, options }) => [slice.path, JSON.stringify(options)]));
    if (
      planned.some(
        ({ slice, options }) => (readAs.get(slice.path) ?? JSON.stringify(options)) !== JSON.stringify(options),
      )
    )
      return "changed otherwise";
    const added: PlannedSlice[] = [];
    for (const one of planned) {
      const file = before.get(relative(resolve(this.#folder), one.slice.path));
      if (file === undefined) added.push(one);
      else if (one.slice.kind === "lines" && one.slice.end > file.bytes)
        added.push({ ...one, slice: { ...one.slice, start: Math.max(one.slice.start, file.bytes) } });
    }
    this.#planned = planned;
    const files = await this.#files();
    for (const file of files) {
      const old = before.get(file.path);
      if (old === undefined || isSameFile(old, file)) continue;
      const grew = added.some(({ slice }) => relative(resolve(this.#folder), slice.path) === file.path);
      if (!grew || !isSameFile(old, { ...(await inputFile(this.#at(file.path), old.bytes)), path: file.path }))
        return "changed otherwise";
    }
    if (added.length === 0) return "same";
    this.#inputs = files;
    await this.#read(this.#folder, added, onEvent);
    // A score between says that the others were no grades either.
    const { scoresGrade, otherMarks, apart } = this.#reading;
    const now = this.#meanings();
    const same =
      (!scoresGrade || this.#scores.grade) &&
      isDeepStrictEqual({ otherMarks, apart }, { otherMarks: now.otherMarks, apart: now.apart });
    return same ? this.#write() : "changed otherwise";
  }

  async #read(place: string, planned: readonly PlannedSlice[], onEvent: (event: ImportEvent) => void): Promise<void> {
    const files = new Set(planned.map(({ slice }) => slice.path));
    onEvent({ type: "import-planned", files: files.size, bytes: sliceBytes(planned) });
    const workers = Math.min(this.#request.workers ?? availableParallelism(), planned.length);
    // In the order of the files, whoever is done first: attempts are counted as they come.
    let turn = 0;
    const waiting = new Map<number, () => void>();
    const done = async (index: number, read: ReadSlice) => {
      if (index !== turn) await new Promise<void>((resolve) => waiting.set(index, resolve));
      await this.#add(place, planned[index], read);
      waiting.get(++turn)?.();
      onEvent({ type: "import-slice", bytes: planned[index].slice.bytes, traces: read.traces.length });
    };
    if (workers > 1) {
      const start = () => startWorker(import.meta.url, "./read-worker.ts");
      const tasks = planned.map((one, index) => ({ ...one, index }));
      await inThreads(tasks, workers, start, done);
    } else for (const [index, one] of planned.entries()) await done(index, await readSlice(one));
    for (const part of this.#parts.values()) await part.finish();
  }

  async #add(place: string, { slice }: PlannedSlice, read: ReadSlice): Promise<void> {
    this.#skips.merge(read.skipped);
    if (read.traces.length === 0 && read.skipped.length === 0) this.#skips.add("nothing in it", slice.path);
    this.#counts.damaged += read.damaged;
    for (const [format, count] of Object.entries(read.formats))
      this.#formats[format] = (this.#formats[format] ?? 0) + count;
    for (const found of read.traces) {
      this.#ids.add(found);
      this.#numberings.add(found);
      const trace = this.#byScore(this.#byMark({ ...found, problem: this.#problem(found) }));
      const problem = this.#names.of(trace);
      if (!(await this.#part(place, trace).add(trace, problem))) {
        this.#skips.add(sameAttempt, `${slice.path}: ${problem}, attempt ${trace.attempt}`);
        continue;
      }
      this.#counts.traces += 1;
      this.#count(trace, problem);
    }
  }

  #problem({ problem, prompt, checkpoint }: Trace): string {
    const { byPrompt, apart } = this.#reading;
    if (byPrompt && prompt) return promptName(prompt);
    const own = prompt === undefined || problem !== promptName(prompt) ? apart[checkpoint] : undefined;
    return own === undefined ? problem : `${problem} of ${own}`;
  }

  #byMark(trace: Trace): Trace {
    this.#scores.addMark(trace);
    const { mark, set = "", gradedBy } = trace;
    const right = this.#reading.otherMarks[set];
    if (mark === undefined || right === undefined) return trace;
    const said = right === null ? undefined : mark === right;
    const told = said === undefined ? undefined : ("recorded" as const);
    return gradedBy === "gold" ? { ...trace, recorded: said } : { ...trace, correct: said, gradedBy: told };
  }

  #byScore(trace: Trace): Trace {
    this.#scores.add(trace);
    const { correct, score, scoreIsAside } = trace;
    if (!this.#reading.scoresGrade || correct !== undefined || score === undefined || scoreIsAside) return trace;
    return { ...trace, correct: score === 1, gradedBy: "score" };
  }

  #count(trace: Trace, problem: string): void {
    const { correct, gradedBy, recorded, checkpoint, attempt, score, scoreIsAside } = trace;
    const counts = this.#graded;
    if (correct === undefined) counts.ungraded += 1;
    else if (gradedBy === "score") counts.byScore += 1;
    else if (gradedBy === "gold") counts.byGold += 1;
    else counts.byRecord += 1;
    if (gradedBy !== "gold") return;
    const said = recorded ?? (score === undefined || scoreIsAside ? undefined : score === 1);
    if (said === undefined) return;
    // A score says so only if all scores turn out to be grades.
    const beside = recorded === undefined ? this.#scores : counts;
    beside.both += 1;
    if (said === correct) return;
    beside.disagree += 1;
    const who = `${checkpoint}, ${problem}${attempt === undefined ? "" : `, attempt ${attempt}`}`;
    if (beside.disagreeing.length < listedAtMost)
      beside.disagreeing.push(`${who}: recorded as ${said ? "right" : "wrong"}`);
  }

  /** With the scores as grades beside ours, where all of them are. */
  #grades(): ImportReport["graded"] {
    const [own, scores] = [this.#graded, this.#scores];
    if (!scores.grade) return own;
    return {
      ...own,
      both: own.both + scores.both,
      disagree: own.disagree + scores.disagree,
      disagreeing: [...own.disagreeing, ...scores.disagreeing].slice(0, listedAtMost),
    };
  }

  #part(place: string, trace: Trace): ImportedPart {
    const { stage = "evaluation" } = trace;
    const policy = stage === "training" ? stepOfName(trace).series : trace.checkpoint;
    const key = JSON.stringify([stage, policy]);
    let part = this.#parts.get(key);
    if (part === undefined) {
      const own = freeName({ stage, policy }, new Set(this.#places));
      part = new ImportedPart(join(place, own), { stage, policy }, this.#places.length);
      this.#places.push(own);
      this.#parts.set(key, part);
    }
    return part;
  }

  async #files(): Promise<InputFile[]> {
    const read = this.#planned.filter(({ slice }) => slice.kind !== "unreadable");
    const paths = [...new Set(read.map(({ slice }) => slice.path))];
    // Named from the run, so that both can move together.
    const named = (path: string) => relative(resolve(this.#folder), path);
    return Promise.all(paths.map(async (path) => ({ ...(await inputFile(path)), path: named(path) })));
  }

  #at(path: string): string {
    return resolve(this.#folder, path);
  }

  async #write(): Promise<ImportReport> {
    const report: ImportReport = {
      reading: recordedReading(this.#request),
      inputs: [...this.#inputs],
      formats: this.#formats,
      ...this.#counts,
      graded: this.#grades(),
      scoresGrade: this.#scores.grade,
      byPrompt: this.#reading.byPrompt,
      apart: Object.keys(this.#reading.apart),
      skipped: this.#skips.reasons(),
      parts: [...this.#places],
    };
    await writeFileAtomically(join(this.#folder, importFile), `${JSON.stringify(report, null, 2)}\n`);
    return report;
  }
}

/** What only a first reading of everything shows. */
type Meanings = {
  readonly scoresGrade: boolean;
  readonly byPrompt: boolean;
  readonly otherMarks: ScoreCounts["otherMarks"];
  readonly apart: Numberings["apart"];
};

const listedAtMost = 20;

const readingOf = ({ reading = { format: "auto" } }: ImportRequest): ReadOptions => reading;

/** What another request would have to ask for to read the same: the names that were given, the format, the columns. */
function recordedReading(request: ImportRequest): Record<string, unknown> {
  const { format, columns } = readingOf(request);
  return { names: request.inputs.map(({ name }) => name ?? null), format, ...(columns && { columns }) };
}

/** A folder of its own, named so that somebody finds it. */
function freeName({ stage, policy }: PartKey, taken: ReadonlySet<string>): string {
  const within: Record<RolloutStage, string> = { evaluation: "evaluations/", training: "", teacher: "" };
  const plain = policy
    .replace(/[^\w.=@+-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, 80);
  const name = plain === "" || reserved.has(plain.toLowerCase()) ? `${stage}${plain && `-${plain}`}` : plain;
  const lower = new Set([...taken].map((one) => one.toLowerCase()));
  for (let copy = 1; ; copy++) {
    const own = `${within[stage]}${name}${copy === 1 ? "" : `-${copy}`}`;
    if (!lower.has(own.toLowerCase())) return own;
  }
}

const reserved = new Set(["analysis", "evaluations", "report", "checkpoints"]);
