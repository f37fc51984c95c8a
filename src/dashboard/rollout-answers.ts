// Questions about many rollouts, with what they found remembered: scrolling a list asks the same question for the next
// window, and a search that was stopped resumes.
import type { Alphabet } from "../traces/sequence.ts";
import { isMeant } from "./analysis-view.ts";
import type {
  AnalyzedScope,
  MotifReply,
  MotifsReply,
  ProblemReply,
  RolloutRow,
  RolloutsReply,
  Source,
  TraceNote,
  TraceSpan,
} from "./api.ts";
import { excerptOf } from "./excerpt.ts";
import { LeastRecentlyUsed } from "./least-recently-used.ts";
import { notedRows, notesByKey, withWords } from "./note-marks.ts";
import type { MotifQuery, MotifsQuery, RolloutQuery, WantedMotif } from "./queries.ts";
import type { RolloutColumns } from "./rollout-columns.ts";
import { type FilteredSource, type Matches, matchingRollouts, type ProblemFacts } from "./rollout-filter.ts";
import { motifLength, motifName, motifsReply, occurrencesIn, rolloutRow, rolloutsReply } from "./rollout-lists.ts";
import { type LookThrough, RolloutSearch } from "./rollout-search.ts";

/** What answering needs of rollouts that belong together, wherever they are kept. */
export type AskedSource = Pick<Source, "id" | "name" | "role" | "labeled"> & {
  readonly columns: RolloutColumns;
  /** Whole, with their reasoning; empty where a text cannot be had. */
  readonly texts: (rows: readonly number[]) => Promise<readonly string[]>;
  readonly labeledText: (row: number) => Promise<{ readonly text: string; readonly spans: readonly TraceSpan[] }>;
  /** Marks the rows whose texts hold it. */
  readonly through: (needle: string) => LookThrough;
};

/** What a run knows besides its rollouts. */
export type Known = {
  readonly facts: ProblemFacts;
  readonly notes: readonly TraceNote[];
  readonly scopes: readonly AnalyzedScope[];
};

/** How long one request may search; the next one goes on. */
const searchMs = 2_000;
const mostOfProblem = 2_000;
const mostOccurrences = 20;

/** Rows with what people wrote on them, and with what was asked where ids do not say it. */
export function worded({ facts, notes }: Pick<Known, "facts" | "notes">): (row: RolloutRow) => RolloutRow {
  const byKey = notesByKey(notes);
  return (row) => withWords(row, byKey, facts);
}

export class RolloutAnswers {
  readonly #alphabet: Alphabet;
  readonly #matches = new LeastRecentlyUsed<string, Matches>(8);
  readonly #motifs = new LeastRecentlyUsed<string, MotifsReply>(16);
  readonly #searches = new LeastRecentlyUsed<string, WeakMap<object, RolloutSearch>>(4);

  constructor(alphabet: Alphabet) {
    this.#alphabet = alphabet;
  }

  async rollouts(sources: readonly AskedSource[], query: RolloutQuery, known: Known): Promise<RolloutsReply> {
    const { text } = query;
    const { filtered, matches } = await this.#matching(sources, query, known);
    const found = rolloutsReply(filtered, matches, query, this.#alphabet);
    const reply = { ...found, rows: found.rows.map(worded(known)) };
    if (text === undefined) return reply;
    const searched = searchedOf(filtered);
    const of = sources.reduce((total, { columns }) => total + columns.rows, 0);
    const rows = await withExcerpts(reply.rows, sources, text);
    return { ...reply, rows, search: { searched, of, complete: searched === of } };
  }

  /** All of them, whatever window the query names. */
  async matching(
    sources: readonly AskedSource[],
    query: RolloutQuery,
    known: Known,
  ): Promise<{ readonly source: string; readonly row: number }[]> {
    const { matches } = await this.#matching(sources, query, known);
    return Array.from(matches.rows, (row, i) => ({ source: sources[matches.sources[i]].id, row }));
  }

  async #matching(sources: readonly AskedSource[], query: RolloutQuery, { facts, notes }: Known) {
    const { text } = query;
    const searched = text === undefined ? sources : await this.#search(sources, text);
    const filtered = searched.map((source): Searched => {
      const noted = notedRows(source.id, source.columns, notes, query);
      return noted === undefined ? source : { ...source, noted };
    });
    const { offset: _, limit: __, ...question } = query;
    const wanted = query.noted.length > 0 || query.tag.length > 0 ? notes : [];
    const key = JSON.stringify([question, versionsOf(sources), searchedOf(filtered), wanted]);
    return { filtered, matches: this.#matches.get(key, () => matchingRollouts(filtered, query, facts)) };
  }

  async #search(sources: readonly AskedSource[], text: string): Promise<Searched[]> {
    const searches = this.#searches.get(text, () => new WeakMap<object, RolloutSearch>());
    const deadline = performance.now() + searchMs;
    const found: Searched[] = [];
    for (const source of sources) {
      // By its columns: a source that was read again from its start has new ones, and is searched again.
      let search = searches.get(source.columns);
      if (search === undefined) {
        search = new RolloutSearch(source.columns, source.through(text));
        searches.set(source.columns, search);
      }
      await search.advance(deadline);
      found.push({ ...source, found: search.found, searched: search.searched });
    }
    return found;
  }

  motifs(sources: readonly AskedSource[], query: MotifsQuery, { facts }: Pick<Known, "facts">): MotifsReply {
    const key = JSON.stringify([query, versionsOf(sources)]);
    return this.#motifs.get(key, () => motifsReply(sources, query, facts, this.#alphabet));
  }

  async motif(sources: readonly AskedSource[], query: MotifQuery, known: Known): Promise<MotifReply> {
    const { motif, set, offset, limit } = query;
    const showing: { readonly source: AskedSource; readonly row: number }[] = [];
    let total = 0;
    let indexed = 0;
    for (const source of sources) {
      const { columns } = source;
      total += columns.rows;
      indexed += columns.labeled;
      for (let row = 0; row < columns.labeled; row++) {
        if (columns.columns.hidden[row] === 1) continue;
        if (!isMeant(known.facts.get(columns.problemOf(row))?.set, set, known.scopes)) continue;
        if (occurrencesIn(columns.sequenceOf(row), motif, 1, this.#alphabet).length > 0) showing.push({ source, row });
      }
    }
    const word = worded(known);
    const traces = await Promise.all(
      showing.slice(offset, offset + limit).map(async ({ source, row }) => ({
        rollout: word(rolloutRow(source.id, source.columns, row)),
        occurrences: await this.#occurrences(source, row, motif),
      })),
    );
    return {
      ...{ motif: motifName(motif, this.#alphabet), length: motifLength(motif, this.#alphabet) },
      matching: showing.length,
      ...{ offset, traces, indexed, total },
    };
  }

  async #occurrences({ columns, labeledText }: AskedSource, row: number, motif: WantedMotif) {
    const { text, spans } = await labeledText(row);
    if (text === "") return [];
    const length = motifLength(motif, this.#alphabet);
    return occurrencesIn(columns.sequenceOf(row), motif, mostOccurrences, this.#alphabet).map((first) => ({
      first,
      spans: spans.slice(first, first + length).map((span) => ({ ...span, text: text.slice(span.start, span.end) })),
    }));
  }

  problem(sources: readonly AskedSource[], problem: string, known: Known): Omit<ProblemReply, "problem"> {
    const rollouts: RolloutRow[] = [];
    const word = worded(known);
    for (const { id, columns } of sources) {
      const code = columns.problemCode(problem);
      if (code === undefined) continue;
      const { problem: codes, hidden } = columns.columns;
      for (let row = 0; row < columns.rows; row++) {
        if (codes[row] !== code || hidden[row] === 1) continue;
        if (rollouts.length === mostOfProblem) return { rollouts, cut: true };
        rollouts.push(word(rolloutRow(id, columns, row)));
      }
    }
    return { rollouts, cut: false };
  }
}

async function withExcerpts(
  rows: readonly RolloutRow[],
  sources: readonly AskedSource[],
  text: string,
): Promise<RolloutRow[]> {
  const excerpts = new Map<RolloutRow, NonNullable<RolloutRow["excerpt"]>>();
  for (const source of sources) {
    const own = rows.filter((row) => row.source === source.id);
    const texts = own.length === 0 ? [] : await source.texts(own.map(({ row }) => row));
    for (const [i, row] of own.entries()) {
      const excerpt = excerptOf(texts[i], text);
      if (excerpt !== undefined) excerpts.set(row, excerpt);
    }
  }
  return rows.map((row) => ({ ...row, ...(excerpts.has(row) && { excerpt: excerpts.get(row) }) }));
}

type Searched = FilteredSource & { readonly searched?: number };

const versionsOf = (sources: readonly AskedSource[]) =>
  sources.map(({ id, columns }) => [id, columns.rows, columns.version]);
const searchedOf = (sources: readonly Searched[]): number =>
  sources.reduce((total, { searched = 0 }) => total + searched, 0);
