// A static export's answers: the same routes and replies as the server's, from files beside the page. Runs in the browser;
// `load` gets one file by its name. What filters need is loaded once a source, texts come in chunks.
import type { ScopeAnalysis } from "../traces/analysis/scope-analysis.ts";
import { type Alphabet, alphabetOf, readSequence } from "../traces/sequence.ts";
import { scopeComparison, scopeMotifs } from "./analysis-view.ts";
import type {
  ComparisonReply,
  MotifReply,
  NotesReply,
  ProblemReply,
  ProblemRow,
  ProblemStatement,
  RolloutsReply,
  RunReply,
  RunsReply,
  SimilarReply,
  TraceReply,
  TrainingReply,
} from "./api.ts";
import {
  comparisonQuerySchema,
  motifQuerySchema,
  motifsQuerySchema,
  problemQuerySchema,
  queryRecord,
  rolloutQuerySchema,
  similarQuerySchema,
  traceQuerySchema,
  trainingQuerySchema,
  twoCheckpointsSchema,
} from "./queries.ts";
import { type AskedSource, type Known, RolloutAnswers, worded } from "./rollout-answers.ts";
import { RolloutColumns, rolloutColumnTypes } from "./rollout-columns.ts";
import type { ProblemFacts } from "./rollout-filter.ts";
import { rolloutRow } from "./rollout-lists.ts";

type Load = (name: string) => Promise<unknown>;

/** `start`: what every page needs. */
export type ExportedStart = {
  readonly run: RunReply;
  /** When the export was made. */
  readonly written: string;
  /** Sets and puzzles of problems, for filters. */
  readonly facts: readonly (readonly [problem: string, facts: Pick<ProblemRow, "set" | "puzzle" | "asked">])[];
};

export const exportedColumns = [
  "attempt",
  "step",
  "state",
  "verdict",
  "reward",
  "tokens",
  "novelty",
  "surprisal",
  "bytes",
] as const;

/** `source-<i>`, in the order of the run's sources. A number that is not known is null. */
export type ExportedSource = {
  readonly problems: readonly string[];
  readonly problem: readonly number[];
  readonly columns: Readonly<Record<(typeof exportedColumns)[number], readonly (number | null)[]>>;
  readonly hidden: readonly number[];
  readonly sequences: readonly string[];
  /** The first row of each chunk of texts, `traces-<i>-<chunk>`. */
  readonly chunks: readonly number[];
};

/** What a trace says beyond its row and its problem, which are kept once elsewhere. */
export type ExportedTrace = Omit<TraceReply, "rollout" | "problem">;

export async function exportedReply(route: string, search: URLSearchParams, load: Load): Promise<unknown> {
  const answer = routes.get(route);
  if (answer === undefined) throw new Error(`an export cannot answer ${route}; serve the run to see it`);
  const start = (await load("start")) as ExportedStart;
  const run = search.get("run");
  if (run !== null && run !== start.run.run.id) throw new Error(`this export holds the run ${start.run.run.id} only`);
  let known = opened.get(start);
  if (known === undefined) opened.set(start, (known = new ExportedRun(start, load)));
  return answer(known, search);
}

/** What a run found is remembered as long as its start is loaded. */
const opened = new WeakMap<ExportedStart, ExportedRun>();

type Answer = (run: ExportedRun, search: URLSearchParams) => unknown;

const routes: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ["runs", (run) => run.runs()],
  ["run", (run) => run.start.run],
  ["items", (run) => run.load("items")],
  ["training", (run, search) => run.training(search)],
  ["problems", (run) => run.load("problems")],
  ["repertoire", (run) => run.load("repertoire")],
  ["comparison", (run, search) => run.comparison(search)],
  ["changes", (run, search) => run.ofTwo("changes", search)],
  ["pairs", (run, search) => run.ofTwo("pairs", search)],
  ["problem", (run, search) => run.problem(search)],
  ["rollouts", (run, search) => run.rollouts(search)],
  ["trace", (run, search) => run.trace(search)],
  ["motifs", (run, search) => run.motifs(search)],
  ["motif", (run, search) => run.motif(search)],
  ["notes", (run) => run.load("notes")],
  ["similar", (run, search) => run.similar(search)],
]);

/** Rebuilding columns costs a moment; a page asks many questions about the same source. */
const rebuilt = new WeakMap<object, RolloutColumns>();

class ExportedRun {
  readonly start: ExportedStart;
  readonly load: Load;
  readonly #facts: ProblemFacts;
  readonly #alphabet: Alphabet;
  readonly #answers: RolloutAnswers;

  constructor(start: ExportedStart, load: Load) {
    this.start = start;
    this.load = load;
    this.#alphabet = alphabetOf(start.run.taxonomy);
    this.#facts = new Map(start.facts);
    this.#answers = new RolloutAnswers(this.#alphabet);
  }

  runs(): RunsReply {
    const { run } = this.start.run;
    return { folder: `an export of ${this.start.written}`, runs: [run], juries: [], gaps: [] };
  }

  async training(search: URLSearchParams): Promise<TrainingReply> {
    const { stage, after } = trainingQuerySchema.parse(queryRecord(search));
    const index = this.start.run.run.stages.findIndex(({ id }) => id === stage);
    const reply = (await this.load(`training-${index}`)) as TrainingReply;
    const later = ({ step }: { readonly step: number }) => after === undefined || step > after;
    return { ...reply, points: reply.points.filter(later) };
  }

  /** Of every two checkpoints over all sets; what a single set says is the server's to compute. */
  ofTwo(what: "changes" | "pairs", search: URLSearchParams): Promise<unknown> {
    const { first, second, set } = twoCheckpointsSchema.parse(queryRecord(search));
    const index = (id: string) => this.#index(id);
    const name = `${what}-${index(first)}-${index(second)}`;
    const part = exportedParts(this.#facts, this.#scopes()).indexOf(set ?? "");
    return this.load(set === undefined ? name : `${name}-${part}`);
  }

  #scopes(): readonly string[] {
    return (this.start.run.analysis?.scopes ?? []).map(({ name }) => name);
  }

  /** Everything, where no scope is named. */
  #scope(name: string | undefined): Promise<ScopeAnalysis> {
    const place = name === undefined ? 0 : this.#scopes().indexOf(name);
    if (place < 0) throw new Error(`unknown scope ${JSON.stringify(name)}`);
    return this.load(`scope-${place}`) as Promise<ScopeAnalysis>;
  }

  async comparison(search: URLSearchParams): Promise<ComparisonReply> {
    const { first, second, scope } = comparisonQuerySchema.parse(queryRecord(search));
    const { analysis, sources } = this.start.run;
    if (analysis === undefined) return { scope: scope ?? "", words: [], compared: [], training: [] };
    return scopeComparison(await this.#scope(scope), sources, [first, second]);
  }

  async problem(search: URLSearchParams): Promise<ProblemReply> {
    const { problem } = problemQuerySchema.parse(queryRecord(search));
    const [sources, known, statement] = [await this.#sources([]), await this.#known(), await this.#statement(problem)];
    return { problem: statement, ...this.#answers.problem(sources, problem, known) };
  }

  async rollouts(search: URLSearchParams): Promise<RolloutsReply> {
    const query = rolloutQuerySchema(this.#alphabet).parse(queryRecord(search));
    return this.#answers.rollouts(await this.#sources(query.source), query, await this.#known());
  }

  async trace(search: URLSearchParams): Promise<TraceReply> {
    const { source, row } = traceQuerySchema.parse(queryRecord(search));
    const { columns } = (await this.#sources([source]))[0];
    if (row >= columns.rows) throw new Error(`${source} has ${columns.rows} rollouts; there is no row ${row}`);
    const [trace] = await this.#traces(source, [row]);
    return {
      ...trace,
      rollout: worded(await this.#known())(rolloutRow(source, columns, row)),
      problem: await this.#statement(columns.problemOf(row)),
    };
  }

  async motifs(search: URLSearchParams): Promise<unknown> {
    const query = motifsQuerySchema(this.#alphabet).parse(queryRecord(search));
    const { analysis, sources } = this.start.run;
    if (query.scope !== undefined && analysis !== undefined)
      return scopeMotifs(await this.#scope(query.scope), sources, query.length, this.#alphabet);
    return this.#answers.motifs(await this.#sources(query.source), query, { facts: this.#facts });
  }

  async motif(search: URLSearchParams): Promise<MotifReply> {
    const query = motifQuerySchema(this.#alphabet).parse(queryRecord(search));
    return this.#answers.motif(await this.#sources(query.source), query, await this.#known());
  }

  async similar(search: URLSearchParams): Promise<SimilarReply> {
    const query = similarQuerySchema.parse(queryRecord(search));
    return this.#answers.similar(await this.#sources([]), query, await this.#known());
  }

  async #known(): Promise<Known> {
    const { notes } = (await this.load("notes")) as NotesReply;
    return { facts: this.#facts, notes, scopes: this.start.run.analysis?.scopes ?? [] };
  }

  #index(source: string): number {
    const index = this.start.run.sources.findIndex(({ id }) => id === source);
    if (index === -1) throw new Error(`unknown source ${JSON.stringify(source)}`);
    return index;
  }

  async #sources(ids: readonly string[]): Promise<AskedSource[]> {
    const { sources } = this.start.run;
    const asked = ids.length === 0 ? sources : ids.map((id) => sources[this.#index(id)]);
    return Promise.all(
      asked.map(async (source) => ({
        ...source,
        columns: await this.#columns(source.id),
        texts: async (rows) => (await this.#traces(source.id, rows)).map(({ text }) => text),
        labeledText: async (row) => (await this.#traces(source.id, [row]))[0],
      })),
    );
  }

  async #columns(source: string): Promise<RolloutColumns> {
    const exported = (await this.load(`source-${this.#index(source)}`)) as ExportedSource;
    let columns = rebuilt.get(exported);
    if (columns === undefined) rebuilt.set(exported, (columns = columnsOf(exported, this.#alphabet)));
    return columns;
  }

  /** Those of a chunk are loaded at once. */
  async #traces(source: string, rows: readonly number[]): Promise<ExportedTrace[]> {
    const index = this.#index(source);
    const { chunks } = (await this.load(`source-${index}`)) as ExportedSource;
    const loaded = new Map<number, Promise<readonly ExportedTrace[]>>();
    return Promise.all(
      rows.map(async (row) => {
        const chunk = chunks.findLastIndex((first) => first <= row);
        const traces =
          loaded.get(chunk) ?? (this.load(`traces-${index}-${chunk}`) as Promise<readonly ExportedTrace[]>);
        loaded.set(chunk, traces);
        return (await traces)[row - chunks[chunk]];
      }),
    );
  }

  async #statement(problem: string): Promise<ProblemStatement> {
    const statements = (await this.load("statements")) as readonly ProblemStatement[];
    return statements.find(({ id }) => id === problem) ?? { id: problem, set: "", kind: "unknown" };
  }
}

/** Sets and scopes of which two checkpoints can be compared, in the order of their files. */
export const exportedParts = (facts: ProblemFacts, scopes: readonly string[]): string[] => [
  ...new Set([...Array.from(facts.values(), ({ set }) => set), ...scopes]),
];

function columnsOf(exported: ExportedSource, alphabet: Alphabet): RolloutColumns {
  const rows = exported.problem.length;
  const columns = new RolloutColumns("kept", alphabet);
  const given: Record<string, readonly (number | null)[]> = { ...exported.columns, problem: exported.problem };
  const filled = Object.entries(rolloutColumnTypes).map(([name, type]) => {
    const values = given[name] ?? [];
    const column = new type(rows);
    for (let row = 0; row < values.length; row++) column[row] = values[row] ?? Number.NaN;
    return [name, column];
  });
  columns.append({ problems: exported.problems, columns: Object.fromEntries(filled) });
  columns.hide(exported.hidden);
  const sequences = exported.sequences.map((sequence) => readSequence(sequence, alphabet));
  const codes = new Uint8Array(sequences.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const sequence of sequences) {
    codes.set(sequence, at);
    at += sequence.length;
  }
  columns.label({ lengths: Uint32Array.from(sequences, ({ length }) => length), codes });
  return columns;
}
