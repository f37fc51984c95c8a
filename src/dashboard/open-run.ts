// One run while somebody looks at it: the indexes of its sources, the curves of its stages, its problems. Answers every
// question about the run; knows nothing of HTTP.
import { Refusal } from "../base/http/body.ts";
import type { Language } from "../engine/language.ts";
import type { ScopeAnalysis } from "../traces/analysis/scope-analysis.ts";
import type { Alphabet } from "../traces/sequence.ts";
import { isMeant, scopeComparison } from "./analysis-view.ts";
import type {
  ComparisonReply,
  Gap,
  NoteReply,
  NoteRequest,
  NotesReply,
  PairsReply,
  ProblemReply,
  ProblemsReply,
  QueryReply,
  RolloutsReply,
  RunReply,
  SolveCount,
  Source,
  TraceReply,
  VerdictOrNone,
} from "./api.ts";
import type { IndexingThread } from "./indexing-thread.ts";
import type { LogSource } from "./log-source.ts";
import type { OpenedAnalysis, RunLabeling } from "./opened-analysis.ts";
import { pairsToRead } from "./pairs-to-read.ts";
import { ProblemBook } from "./problem-book.ts";
import type { ComparisonQuery, RolloutQuery, TraceQuery, TwoCheckpoints } from "./queries.ts";
import { type Known, RolloutAnswers, worded } from "./rollout-answers.ts";
import { downloadedLines } from "./rollout-download.ts";
import type { FoundRun } from "./run-discovery.ts";
import { brokenStages, missingStages } from "./run-gaps.ts";
import { openSources } from "./run-sources.ts";
import { runEntry } from "./run-state.ts";
import { forksOfTrace } from "./trace-forks.ts";
import { notesFile, TraceNotes } from "./trace-notes.ts";
import { traceReply } from "./trace-view.ts";

/** What is read before a run is opened. */
export type KnownOfRun = {
  readonly labeling: RunLabeling;
  /** What the model of each stage speaks, where its run says so. */
  readonly languages: ReadonlyMap<string, Language>;
  readonly analysis?: OpenedAnalysis;
  readonly gaps: readonly Gap[];
};

type OpenRunOptions = KnownOfRun & {
  /** The served folder. */
  readonly home: string;
  readonly thread: IndexingThread;
  /** More of a source was read or labeled. */
  readonly onIndexed: (source: Source) => void;
};

/** A page that comes before the first reading waits this long, and then gets what is there; more is told as it comes. */
const firstReadingMs = { counts: 1_500, lists: 300, run: 50 };

const longestWaitMs = 20_000;

export class OpenRun {
  readonly #options: OpenRunOptions;
  readonly #found: FoundRun;
  readonly #book: ProblemBook;
  readonly #answers: RolloutAnswers;
  readonly #sources: readonly LogSource[];
  readonly #alphabet: Alphabet;
  /** Only where its labels are those of the rollouts. */
  readonly #analysis: OpenedAnalysis | undefined;
  readonly #notes: TraceNotes;

  constructor(found: FoundRun, options: OpenRunOptions) {
    this.#found = found;
    this.#options = options;
    this.#book = new ProblemBook(found.stages);
    this.#notes = new TraceNotes(found.folder);
    const { reader, spec } = options.labeling;
    const { analysis } = options;
    this.#alphabet = found.kind === "import" && analysis ? analysis.alphabet : reader.alphabet;
    this.#analysis = analysis?.analysis.taxonomy.name === this.#alphabet.taxonomy.name ? analysis : undefined;
    this.#answers = new RolloutAnswers(this.#alphabet);
    const labeling = { spec, reader, alphabet: this.#alphabet };
    this.#sources = openSources(found, { ...options, labeling }, (source) => options.onIndexed(this.#describe(source)));
    this.refresh();
  }

  get found(): FoundRun {
    return this.#found;
  }
  /** The labels of its spans. */
  get alphabet(): Alphabet {
    return this.#alphabet;
  }
  /** What its analysis says, scope by scope; empty where it has none. */
  get scopes(): readonly ScopeAnalysis[] {
    return this.#analysis?.analysis.scopes ?? [];
  }
  get byteLength(): number {
    return this.#sources.reduce((total, { index }) => total + index.byteLength, 0);
  }

  /** Looks at the files again; stages whose files did not change cost a `stat`. */
  refresh(stages?: readonly string[]): void {
    for (const source of this.#sources) if (stages === undefined || stages.includes(source.place.id)) source.refresh();
  }

  close(): void {
    for (const source of this.#sources) source.close();
  }

  /** Resolves when everything that is there is read, labeled and summed up. */
  async whenComplete(): Promise<void> {
    for (const source of this.#sources) await source.whenComplete();
    await this.#book.refresh();
  }

  async run(): Promise<RunReply> {
    // The first thing that anybody sees: it waits for nothing, and more is told when it is known.
    await this.#book.refresh();
    await this.#read(firstReadingMs.run);
    const run = await runEntry(this.#found);
    const gaps: Gap[] = [
      ...missingStages(this.#found, run.state),
      ...[...this.#options.gaps, ...this.#book.gaps],
      ...(await this.#noteGaps()),
      ...this.#sources.flatMap(({ gaps: own }) => own),
      ...brokenStages(this.#found),
    ];
    for (const { place, index, isRead } of this.#evaluations()) {
      const graded = index.rows.some(({ verdict }) => verdict !== "ungraded");
      if (index.rows.length === 0 || !isRead || run.state === "running" || graded) continue;
      const remedy =
        this.#found.kind === "import"
          ? "if the records have them, analyze them again with --columns correct=<their column>"
          : "repertoire grade, with the evaluation's folder";
      gaps.push({ missing: "grades", where: place.id, remedy });
    }
    const config = this.#found.description?.config ?? {};
    const { taxonomy } = this.#alphabet;
    const analysis = await this.#analysis?.entry();
    const sources = this.#described();
    const sets = [...new Set(Array.from(this.#book.facts.values(), ({ set }) => set))];
    return { run, config, taxonomy, sources, sets, ...(analysis && { analysis }), gaps };
  }

  comparison({ first, second, scope }: ComparisonQuery): ComparisonReply {
    const sources = [this.#source(first), this.#source(second)].map(({ place }) => place.id);
    if (this.#analysis === undefined) return { scope: scope ?? "", compared: [], items: [] };
    return scopeComparison(this.#analysis.scope(scope), this.#described(), [sources[0], sources[1]], this.#alphabet);
  }

  async query(sql: string): Promise<QueryReply> {
    return this.#options.thread.query({ folder: this.#analyzed().folder, sql });
  }

  #analyzed(): OpenedAnalysis {
    if (this.#analysis !== undefined) return this.#analysis;
    throw new Refusal(404, "this run has no analysis to ask; make one with: repertoire traces analyze");
  }

  async problems(): Promise<ProblemsReply> {
    await this.#ready("counts");
    const evaluations = this.#evaluations();
    return {
      checkpoints: evaluations.map(({ place: { id, name, role } }) => ({ stage: id, name, ...(role && { role }) })),
      problems: Array.from(this.#book.facts, ([problem, fact]) => ({
        ...{ problem, ...fact },
        counts: evaluations.map(({ index }) => solveCount(index.ofProblem(problem))),
      })),
    };
  }

  async problem(problem: string): Promise<ProblemReply> {
    await this.#ready("lists");
    const known = await this.#known();
    return { problem: this.#book.statement(problem), ...this.#answers.problem(this.#sources, problem, known) };
  }

  async rollouts(query: RolloutQuery): Promise<RolloutsReply> {
    await this.#ready("lists");
    return this.#answers.rollouts(this.#asked(query.source), query, await this.#known());
  }

  /** What a query matches, all of it, line by line. A search goes through everything first. */
  async *download(query: RolloutQuery): AsyncGenerator<string> {
    await this.#ready("lists");
    const sources = this.#asked(query.source);
    for (const source of sources) await source.whenComplete();
    const known = await this.#known();
    yield* downloadedLines(await this.#answers.matching(sources, query, known), sources, known);
  }

  async notes(): Promise<NotesReply> {
    return { notes: await this.#notes.all(), file: this.#notesFile, writable: true };
  }

  get #notesFile(): string {
    return this.#found.id === "." ? notesFile : `${this.#found.id}/${notesFile}`;
  }

  async #noteGaps(): Promise<Gap[]> {
    await this.#notes.all();
    return this.#notes.gaps(this.#found.id);
  }

  async note({ source: id, row, text, tags, bookmarked }: NoteRequest): Promise<NoteReply> {
    const source = this.#source(id);
    await this.#untilRow(source, row);
    const { problem, attempt, step } = source.index.rows[row];
    const about = { source: id, problem, attempt, ...(step !== undefined && { step }) };
    const notes = await this.#notes.write({ ...about, text: text.trim(), tags: [...new Set(tags)], bookmarked });
    return { notes, file: this.#notesFile };
  }

  async trace({ source: id, row }: TraceQuery): Promise<TraceReply> {
    const source = this.#source(id);
    await this.#book.refresh();
    await this.#untilRow(source, row);
    const reply = await traceReply(source, row, this.#book, this.#options.labeling.reader);
    const { problem, attempt } = reply.rollout;
    const forks = await forksOfTrace(this.#found.folder, source.place.checkpoint, problem, attempt);
    const rollout = worded(await this.#known())(source.index.rows[row]);
    return { ...reply, rollout, ...(forks.length > 0 && { forks }) };
  }

  /** An address that somebody shared may be the first thing that is asked of a run. */
  async #untilRow(source: LogSource, row: number): Promise<void> {
    for (let waited = 0; row >= source.index.rows.length && !source.isRead && waited < longestWaitMs; waited += 100)
      await within(source.whenRead(), 100);
    const { length } = source.index.rows;
    if (row >= length) throw new Refusal(404, `${source.place.id} has ${length} rollouts; there is no row ${row}`);
  }

  async pairs({ first, second, set }: TwoCheckpoints): Promise<PairsReply> {
    await this.#ready("counts");
    const [a, b] = [this.#source(first), this.#source(second)];
    const scopes = this.#analysis?.scopes ?? [];
    const isWanted = (problem: string) => isMeant(this.#book.facts.get(problem)?.set, set, scopes);
    const chosen = await pairsToRead(a, b, (await this.#analysis?.pairs()) ?? [], isWanted);
    const word = worded(await this.#known());
    return {
      pairs: chosen.map(({ first, second, ...pair }) => ({ ...pair, first: word(first), second: word(second) })),
    };
  }

  async #ready(what: "counts" | "lists"): Promise<void> {
    await this.#book.refresh();
    await this.#read(firstReadingMs[what]);
  }

  #read(milliseconds: number): Promise<void> {
    return within(Promise.all(this.#sources.map((source) => source.whenRead())), milliseconds);
  }

  /** Whatever has verdicts on problems. */
  #evaluations(): LogSource[] {
    return this.#sources.filter(({ place }) => place.kind === "evaluation");
  }

  #source(id: string): LogSource {
    return named("source", id, this.#sources, ({ place }) => place.id);
  }

  #asked(ids: readonly string[]): readonly LogSource[] {
    return ids.length === 0 ? this.#sources : ids.map((id) => this.#source(id));
  }

  async #known(): Promise<Known> {
    return { facts: this.#book.facts, notes: await this.#notes.all() };
  }

  #described(): Source[] {
    return this.#sources.map((source) => this.#describe(source));
  }

  #describe({ place: { id, name, kind, checkpoint, role }, index, labeled }: LogSource): Source {
    const steps = kind === "training" ? index.steps : undefined;
    return {
      ...{ id, name, kind, checkpoint, rollouts: index.rows.length, indexed: index.labeled },
      ...(role && { role }),
      ...(labeled && { labeled }),
      ...(steps && { steps }),
    };
  }
}

/** Undefined grades are none: a problem that nobody graded has no count. */
function solveCount(rows: readonly { readonly verdict: VerdictOrNone }[]): SolveCount | null {
  const graded = rows.filter(({ verdict }) => verdict !== "ungraded");
  const correct = graded.filter(({ verdict }) => verdict === "correct").length;
  return graded.length === 0 ? null : { correct, attempts: graded.length };
}

/** Waits for it, but no longer than this. */
async function within(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let clock: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise((resolve) => (clock = setTimeout(resolve, milliseconds)))]);
  clearTimeout(clock);
}

function named<Item>(what: string, id: string, items: readonly Item[], idOf: (item: Item) => string): Item {
  const found = items.find((item) => idOf(item) === id);
  if (found !== undefined) return found;
  const expected = items.map(idOf).join(", ");
  throw new Refusal(404, `unknown ${what} ${JSON.stringify(id.slice(0, 100))}; expected one of: ${expected}`);
}
