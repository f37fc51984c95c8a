// Questions about many rollouts of an open run, with what they found remembered: scrolling a list asks the same question
// for the next window, and a search that was stopped resumes.
import { labelerWords } from "../traces/labeler.ts";
import type { Alphabet } from "../traces/sequence.ts";
import type { TraceReader } from "../traces/trace-reader.ts";
import type { MotifReply, MotifsReply, ProblemReply, RolloutRow, RolloutsReply, TraceNote } from "./api.ts";
import { excerptOf } from "./excerpt.ts";
import { LeastRecentlyUsed } from "./least-recently-used.ts";
import { notedRows, notesByKey, withWords } from "./note-marks.ts";
import type { ProblemBook } from "./problem-book.ts";
import type { MotifQuery, MotifsQuery, RolloutQuery, WantedMotif } from "./queries.ts";
import { ReadSearch } from "./read-search.ts";
import { type FilteredSource, type Matches, matchingRollouts } from "./rollout-filter.ts";
import { motifLength, motifName, motifsReply, occurrencesIn, rolloutRow, rolloutsReply } from "./rollout-lists.ts";
import type { RolloutSource } from "./rollout-source.ts";
import { TextSearch } from "./text-search.ts";
import { labeledText } from "./trace-view.ts";

/** How long one request may search; the next one goes on. */
const searchMs = 2_000;
const mostOfProblem = 2_000;
const mostOccurrences = 20;

export class RolloutAnswers {
  readonly #book: ProblemBook;
  readonly #reader: TraceReader;
  readonly #alphabet: Alphabet;
  readonly #matches = new LeastRecentlyUsed<string, Matches>(8);
  readonly #motifs = new LeastRecentlyUsed<string, MotifsReply>(16);
  readonly #searches = new LeastRecentlyUsed<string, WeakMap<object, TextSearch | ReadSearch>>(4);

  constructor(book: ProblemBook, reader: TraceReader, alphabet: Alphabet) {
    this.#book = book;
    this.#reader = reader;
    this.#alphabet = alphabet;
  }

  async rollouts(
    sources: readonly RolloutSource[],
    query: RolloutQuery,
    notes: readonly TraceNote[],
  ): Promise<RolloutsReply> {
    const { text } = query;
    const { filtered, matches } = await this.#matching(sources, query, notes);
    const found = rolloutsReply(filtered, matches, query, this.#alphabet);
    const byKey = notesByKey(notes);
    const reply = { ...found, rows: found.rows.map((row) => withWords(row, byKey, this.#book.facts)) };
    if (text === undefined) return reply;
    const searched = searchedOf(filtered);
    const of = sources.reduce((total, { columns }) => total + columns.rows, 0);
    const rows = await withExcerpts(reply.rows, sources, text);
    return { ...reply, rows, search: { searched, of, complete: searched === of } };
  }

  /** All of them, whatever window the query names. */
  async matching(
    sources: readonly RolloutSource[],
    query: RolloutQuery,
    notes: readonly TraceNote[],
  ): Promise<{ readonly source: RolloutSource; readonly row: number }[]> {
    const { matches } = await this.#matching(sources, query, notes);
    return Array.from(matches.rows, (row, i) => ({ source: sources[matches.sources[i]], row }));
  }

  async #matching(sources: readonly RolloutSource[], query: RolloutQuery, notes: readonly TraceNote[]) {
    const { text } = query;
    const searched = text === undefined ? sources.map(plain) : await this.#search(sources, text);
    const filtered = searched.map((source): FilteredSource & Partial<Searched> => {
      const noted = notedRows(source.id, source.columns, notes, query);
      return noted === undefined ? source : { ...source, noted };
    });
    const { offset: _, limit: __, ...question } = query;
    const wanted = query.noted.length > 0 || query.tag.length > 0 ? notes : [];
    const key = JSON.stringify([question, versionsOf(sources), searchedOf(filtered), wanted]);
    return { filtered, matches: this.#matches.get(key, () => matchingRollouts(filtered, query, this.#book.facts)) };
  }

  async #search(sources: readonly RolloutSource[], text: string): Promise<(FilteredSource & Searched)[]> {
    const searches = this.#searches.get(text, () => new WeakMap<object, TextSearch | ReadSearch>());
    const deadline = performance.now() + searchMs;
    const found: (FilteredSource & Searched)[] = [];
    for (const source of sources) {
      // By its columns: a source that was read again from its start has new ones, and is searched again.
      let search = searches.get(source.columns);
      if (search === undefined) {
        search = source.log === undefined ? new ReadSearch(text) : new TextSearch(text);
        searches.set(source.columns, search);
      }
      if (search instanceof ReadSearch) await search.advance(source, deadline);
      else await search.advance(source.log!, source.columns, deadline);
      found.push({ ...plain(source), found: search.found, searched: search.searched });
    }
    return found;
  }

  motifs(sources: readonly RolloutSource[], query: MotifsQuery): MotifsReply {
    const key = JSON.stringify([query, versionsOf(sources)]);
    return this.#motifs.get(key, () => {
      const columns = sources.map((source) => ({
        ...plain(source),
        ...source.place,
        labeled: labeledBy(source),
      }));
      return motifsReply(columns, query, this.#book.facts, this.#alphabet);
    });
  }

  /** On the problems that are wanted. */
  async motif(
    sources: readonly RolloutSource[],
    { motif, offset, limit }: MotifQuery,
    isWanted: (problem: string) => boolean,
  ): Promise<MotifReply> {
    const showing: { readonly source: RolloutSource; readonly row: number }[] = [];
    let total = 0;
    let indexed = 0;
    for (const source of sources) {
      const { columns } = source;
      total += columns.rows;
      indexed += columns.labeled;
      for (let row = 0; row < columns.labeled; row++) {
        if (columns.columns.hidden[row] === 1) continue;
        if (!isWanted(columns.problemOf(row))) continue;
        if (occurrencesIn(columns.sequenceOf(row), motif, 1, this.#alphabet).length > 0) showing.push({ source, row });
      }
    }
    const traces = await Promise.all(
      showing.slice(offset, offset + limit).map(({ source, row }) => this.#occurrences(source, row, motif)),
    );
    return {
      ...{ motif: motifName(motif, this.#alphabet), length: motifLength(motif, this.#alphabet) },
      matching: showing.length,
      ...{ offset, traces, indexed, total },
    };
  }

  async #occurrences(source: RolloutSource, row: number, motif: WantedMotif) {
    const { columns, place } = source;
    const rollout = rolloutRow(place.id, columns, row);
    const [read] = await source.read([row]);
    if ("unavailable" in read) return { rollout, occurrences: [] };
    const { text, spans } = await labeledText(read, source, this.#reader);
    const starts = occurrencesIn(columns.sequenceOf(row), motif, mostOccurrences, this.#alphabet);
    const occurrences = starts.map((first) => ({
      first,
      spans: spans
        .slice(first, first + motifLength(motif, this.#alphabet))
        .map((span) => ({ ...span, text: text.slice(span.start, span.end) })),
    }));
    return { rollout, occurrences };
  }

  problem(sources: readonly RolloutSource[], problem: string): ProblemReply {
    const rollouts: RolloutRow[] = [];
    let cut = false;
    for (const { place, columns } of sources) {
      const code = columns.problemCode(problem);
      if (code === undefined) continue;
      const { problem: codes, hidden } = columns.columns;
      for (let row = 0; row < columns.rows && !cut; row++) {
        if (codes[row] !== code || hidden[row] === 1) continue;
        cut = rollouts.length === mostOfProblem;
        if (!cut) rollouts.push(rolloutRow(place.id, columns, row));
      }
    }
    return { problem: this.#book.statement(problem), rollouts, cut };
  }
}

/** Everybody who labeled some of a source, in words. */
export const labeledBy = ({ labelers }: RolloutSource): string | undefined =>
  labelers.length === 0 ? undefined : labelers.map(labelerWords).join("; ");

async function withExcerpts(
  rows: readonly RolloutRow[],
  sources: readonly RolloutSource[],
  text: string,
): Promise<RolloutRow[]> {
  const excerpts = new Map<RolloutRow, NonNullable<RolloutRow["excerpt"]>>();
  for (const source of sources) {
    const own = rows.filter((row) => row.source === source.place.id);
    if (own.length === 0) continue;
    const records = await source.read(own.map(({ row }) => row));
    for (const [i, read] of records.entries()) {
      if ("unavailable" in read) continue;
      const { reasoning, response } = read.rollout;
      const excerpt = excerptOf(response, text) ?? excerptOf(reasoning ?? "", text);
      if (excerpt !== undefined) excerpts.set(own[i], excerpt);
    }
  }
  return rows.map((row) => ({ ...row, ...(excerpts.has(row) && { excerpt: excerpts.get(row) }) }));
}

type Searched = { readonly searched: number };

const plain = ({ place, columns }: RolloutSource): FilteredSource => ({ id: place.id, columns });
const versionsOf = (sources: readonly RolloutSource[]) =>
  sources.map(({ place, columns }) => [place.id, columns.rows, columns.version]);
const searchedOf = (sources: readonly (FilteredSource & Partial<Searched>)[]): number =>
  sources.reduce((total, { searched = 0 }) => total + searched, 0);
