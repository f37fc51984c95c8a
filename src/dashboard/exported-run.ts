// A static export's answers: the same routes and replies as the server's, from files beside the page. Runs in the browser;
// `load` gets one file by its name. What filters need is loaded once a source, texts come in chunks.
import type { ScopeAnalysis } from "../traces/analysis/scope-analysis.ts";
import { type Alphabet, alphabetOf, readSequence } from "../traces/sequence.ts";
import { isMeant, scopeComparison, scopeMotifs } from "./analysis-view.ts";
import type {
  ClassifierReply,
  ComparisonReply,
  MotifReply,
  NotesReply,
  ProblemReply,
  ProblemRow,
  ProblemStatement,
  RolloutRow,
  RolloutsReply,
  RunReply,
  RunsReply,
  SimilarReply,
  TraceNote,
  TraceReply,
  TrainingReply,
} from "./api.ts";
import { excerptOf } from "./excerpt.ts";
import {
  alikeByMotifs,
  countedText,
  mostAlike,
  type Scored,
  sampleOf,
  tellingWords,
  wordLikeness,
} from "./likeness.ts";
import { notedRows, notesByKey, withWords } from "./note-marks.ts";
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
  type WantedMotif,
} from "./queries.ts";
import { RolloutColumns, rolloutColumnTypes } from "./rollout-columns.ts";
import { matchingRollouts, type ProblemFacts } from "./rollout-filter.ts";
import { motifLength, motifName, motifsReply, occurrencesIn, rolloutRow, rolloutsReply } from "./rollout-lists.ts";

type Load = (name: string) => Promise<unknown>;

/** `start`: what every page needs. */
export type ExportedStart = {
  readonly run: RunReply;
  /** When the export was made. */
  readonly written: string;
  /** Sets and puzzles of problems, for filters. */
  readonly facts: readonly (readonly [problem: string, facts: Pick<ProblemRow, "set" | "puzzle" | "asked">])[];
  readonly classifier: ClassifierReply;
  /** Of the traces, as they refer to them. */
  readonly classifiers: readonly ClassifierReply[];
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

/** What a trace says beyond its row, its problem and its classifier, which are kept once elsewhere. */
export type ExportedTrace = Omit<TraceReply, "rollout" | "problem" | "classifier"> & { readonly classifiedBy?: number };

export async function exportedReply(route: string, search: URLSearchParams, load: Load): Promise<unknown> {
  const answer = routes.get(route);
  if (answer === undefined) throw new Error(`an export cannot answer ${route}; serve the run to see it`);
  const start = (await load("start")) as ExportedStart;
  const run = search.get("run");
  if (run !== null && run !== start.run.run.id) throw new Error(`this export holds the run ${start.run.run.id} only`);
  return answer(new ExportedRun(start, load), search);
}

type Answer = (run: ExportedRun, search: URLSearchParams) => unknown;

const routes: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ["runs", (run) => run.runs()],
  ["run", (run) => run.start.run],
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
  ["classifier", (run) => run.start.classifier],
]);

/** Rebuilding columns costs a moment; a page asks many questions about the same source. */
const rebuilt = new WeakMap<object, RolloutColumns>();

class ExportedRun {
  readonly start: ExportedStart;
  readonly load: Load;
  readonly #facts: ProblemFacts;
  readonly #alphabet: Alphabet;

  constructor(start: ExportedStart, load: Load) {
    this.start = start;
    this.load = load;
    this.#alphabet = alphabetOf(start.run.taxonomy);
    this.#facts = new Map(start.facts);
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
    return reply.kind === "rl"
      ? { ...reply, points: reply.points.filter(later) }
      : { ...reply, losses: reply.losses.filter(later) };
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
    const rollouts: RolloutRow[] = [];
    for (const { id, columns } of await this.#sources([])) {
      const code = columns.problemCode(problem);
      const { problem: codes, hidden } = columns.columns;
      for (let row = 0; code !== undefined && row < columns.rows; row++)
        if (codes[row] === code && hidden[row] === 0) rollouts.push(rolloutRow(id, columns, row));
    }
    return {
      problem: await this.#statement(problem),
      rollouts: rollouts.slice(0, 2_000),
      cut: rollouts.length > 2_000,
    };
  }

  async rollouts(search: URLSearchParams): Promise<RolloutsReply> {
    const query = rolloutQuerySchema(this.#alphabet).parse(queryRecord(search));
    const notes = await this.#notes();
    const sources = (await this.#sources(query.source)).map((source) => {
      const noted = notedRows(source.id, source.columns, notes, query);
      return noted === undefined ? source : { ...source, noted };
    });
    const byKey = notesByKey(notes);
    const reply = (found: typeof sources) => {
      const all = rolloutsReply(found, matchingRollouts(found, query, this.#facts), query, this.#alphabet);
      return { ...all, rows: all.rows.map((row) => withWords(row, byKey, this.#facts)) };
    };
    if (query.text === undefined) return reply(sources);
    const needle = query.text.toLowerCase();
    const searched = await Promise.all(
      sources.map(async (source) => {
        const found = new Uint8Array(source.columns.rows);
        let row = 0;
        for await (const { text } of this.#texts(source.id)) found[row++] = text.toLowerCase().includes(needle) ? 1 : 0;
        return { ...source, found };
      }),
    );
    const of = sources.reduce((total, { columns }) => total + columns.rows, 0);
    const found = reply(searched);
    const rows = found.rows.map(async (row) => {
      const excerpt = excerptOf((await this.#trace(row.source, row.row)).text, needle);
      return excerpt === undefined ? row : { ...row, excerpt };
    });
    return { ...found, rows: await Promise.all(rows), search: { searched: of, of, complete: true } };
  }

  async trace(search: URLSearchParams): Promise<TraceReply> {
    const { source, row } = traceQuerySchema.parse(queryRecord(search));
    const { columns } = (await this.#sources([source]))[0];
    if (row >= columns.rows) throw new Error(`${source} has ${columns.rows} rollouts; there is no row ${row}`);
    const { classifiedBy, ...trace } = await this.#trace(source, row);
    const { classifiers } = this.start;
    return {
      ...trace,
      rollout: withWords(rolloutRow(source, columns, row), notesByKey(await this.#notes()), this.#facts),
      problem: await this.#statement(columns.problemOf(row)),
      ...(classifiedBy !== undefined && { classifier: classifiers[classifiedBy] }),
    };
  }

  async motifs(search: URLSearchParams): Promise<unknown> {
    const query = motifsQuerySchema(this.#alphabet).parse(queryRecord(search));
    const { analysis, sources } = this.start.run;
    if (query.scope !== undefined && analysis !== undefined)
      return scopeMotifs(await this.#scope(query.scope), sources, query.length, this.#alphabet);
    return motifsReply(await this.#sources(query.source), query, this.#facts, this.#alphabet);
  }

  async motif(search: URLSearchParams): Promise<MotifReply> {
    const { motif, source, set, offset, limit } = motifQuerySchema(this.#alphabet).parse(queryRecord(search));
    const scopes = this.start.run.analysis?.scopes ?? [];
    const showing: { readonly id: string; readonly columns: RolloutColumns; readonly row: number }[] = [];
    let total = 0;
    for (const { id, columns } of await this.#sources(source)) {
      total += columns.rows;
      for (let row = 0; row < columns.rows; row++) {
        if (columns.columns.hidden[row] === 1) continue;
        if (!isMeant(this.#facts.get(columns.problemOf(row))?.set, set, scopes)) continue;
        if (occurrencesIn(columns.sequenceOf(row), motif, 1, this.#alphabet).length > 0)
          showing.push({ id, columns, row });
      }
    }
    const shown = showing.slice(offset, offset + limit);
    const traces = await Promise.all(shown.map((one) => this.#occurrences(one, motif)));
    return {
      ...{ motif: motifName(motif, this.#alphabet), length: motifLength(motif, this.#alphabet) },
      matching: showing.length,
      ...{ offset, traces, indexed: total, total },
    };
  }

  async #occurrences(
    { id, columns, row }: { readonly id: string; readonly columns: RolloutColumns; readonly row: number },
    motif: WantedMotif,
  ) {
    const { text, spans } = await this.#trace(id, row);
    const occurrences = occurrencesIn(columns.sequenceOf(row), motif, 20, this.#alphabet).map((first) => ({
      first,
      spans: spans
        .slice(first, first + motifLength(motif, this.#alphabet))
        .map((span) => ({ ...span, text: text.slice(span.start, span.end) })),
    }));
    return { rollout: rolloutRow(id, columns, row), occurrences };
  }

  async #notes(): Promise<readonly TraceNote[]> {
    return ((await this.load("notes")) as NotesReply).notes;
  }

  async similar(search: URLSearchParams): Promise<SimilarReply> {
    const { source, row, by, limit } = similarQuerySchema.parse(queryRecord(search));
    const sources = await this.#sources([]);
    const byKey = notesByKey(await this.#notes());
    const rows = (scored: readonly Scored[]) =>
      scored.slice(0, limit).map((one) => ({
        rollout: withWords(
          rolloutRow(one.source, sources.find(({ id }) => id === one.source)!.columns, one.row),
          byKey,
          this.#facts,
        ),
        likeness: Math.round(one.likeness * 1000) / 1000,
      }));
    const of = sources.reduce((total, { columns }) => total + columns.listed, 0);
    if (by === "motifs") return { by, traces: rows(alikeByMotifs(sources, { source, row })), looked: of, of };
    const { text } = await this.#trace(source, row);
    if (text === "") return { by, traces: [], looked: of, of, words: [] };
    const places: { readonly source: string; readonly row: number; readonly text: string }[] = [];
    for (const { id, columns } of sources) {
      let at = 0;
      for await (const trace of this.#texts(id)) {
        if (columns.columns.hidden[at] === 0) places.push({ source: id, row: at, text: trace.text });
        at += 1;
      }
    }
    const query = tellingWords(
      text,
      sampleOf(places).map((place) => place.text),
    );
    const counted = places.map((place) => countedText(place.text, query));
    const alike = wordLikeness(countedText(text, query), counted);
    const scored = places.flatMap((place, i): Scored[] =>
      alike[i] > 0 && !(place.source === source && place.row === row)
        ? [{ source: place.source, row: place.row, likeness: alike[i] }]
        : [],
    );
    return { by, traces: rows(mostAlike(scored)), looked: places.length, of: places.length, words: query.words };
  }

  #index(source: string): number {
    const index = this.start.run.sources.findIndex(({ id }) => id === source);
    if (index === -1) throw new Error(`unknown source ${JSON.stringify(source)}`);
    return index;
  }

  async #sources(ids: readonly string[]) {
    const { sources } = this.start.run;
    const asked = ids.length === 0 ? sources : ids.map((id) => sources[this.#index(id)]);
    return Promise.all(asked.map(async (source) => ({ ...source, columns: await this.#columns(source.id) })));
  }

  async #columns(source: string): Promise<RolloutColumns> {
    const exported = (await this.load(`source-${this.#index(source)}`)) as ExportedSource;
    let columns = rebuilt.get(exported);
    if (columns === undefined) rebuilt.set(exported, (columns = columnsOf(exported, this.#alphabet)));
    return columns;
  }

  async #trace(source: string, row: number): Promise<ExportedTrace> {
    const index = this.#index(source);
    const { chunks } = (await this.load(`source-${index}`)) as ExportedSource;
    const chunk = chunks.findLastIndex((first) => first <= row);
    const traces = (await this.load(`traces-${index}-${chunk}`)) as readonly ExportedTrace[];
    return traces[row - chunks[chunk]];
  }

  async *#texts(source: string): AsyncGenerator<ExportedTrace> {
    const index = this.#index(source);
    const { chunks } = (await this.load(`source-${index}`)) as ExportedSource;
    for (let chunk = 0; chunk < chunks.length; chunk++)
      yield* (await this.load(`traces-${index}-${chunk}`)) as readonly ExportedTrace[];
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
