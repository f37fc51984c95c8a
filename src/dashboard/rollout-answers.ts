// Questions about many rollouts, with what they found remembered: scrolling a list asks the same question for the next
// window, and a search that was stopped resumes.
import type { Alphabet } from "../traces/sequence.ts";
import type { ProblemReply, RolloutRow, RolloutsReply, TraceNote } from "./api.ts";
import { LeastRecentlyUsed } from "./least-recently-used.ts";
import { type LogSource, textOf } from "./log-source.ts";
import type { RolloutQuery } from "./queries.ts";
import { facetsOf, matchingRollouts, type Part, type ProblemFacts } from "./rollout-filter.ts";
import { type IndexedRollout, shownRow } from "./rollout-index.ts";
import { noteKey } from "./trace-notes.ts";

/** What a run knows besides its rollouts. */
export type Known = {
  readonly facts: ProblemFacts;
  readonly notes: readonly TraceNote[];
};

/** How long one request may search; the next one goes on. */
const searchMs = 2_000;
const mostOfProblem = 2_000;

/** Rows with what people wrote on them, and with what was asked where ids do not say it. */
export function worded({ facts, notes }: Pick<Known, "facts" | "notes">): (row: IndexedRollout) => RolloutRow {
  const byKey = new Map(notes.map((note) => [noteKey(note), note]));
  return (indexed) => {
    const row = shownRow(indexed);
    const note = byKey.get(noteKey(row));
    const asked = facts.get(row.problem)?.asked;
    return {
      ...row,
      ...(asked && { asked }),
      ...(note && { note: { text: note.text, tags: note.tags, bookmarked: note.bookmarked } }),
    };
  };
}

type Matching = { readonly rows: readonly IndexedRollout[]; readonly facets: RolloutsReply["facets"] };

export class RolloutAnswers {
  readonly #alphabet: Alphabet;
  readonly #matches = new LeastRecentlyUsed<string, Matching>(8);

  constructor(alphabet: Alphabet) {
    this.#alphabet = alphabet;
  }

  async rollouts(sources: readonly LogSource[], query: RolloutQuery, known: Known): Promise<RolloutsReply> {
    const { offset, limit, text } = query;
    const { matching, searched } = await this.#matching(sources, query, known);
    const window = matching.rows.slice(offset, offset + limit);
    const counts = sources.map(({ index }) => index.listed);
    const of = sources.reduce((total, { index }) => total + index.rows.length, 0);
    const rows = window.map(worded(known));
    return {
      ...{ offset, matching: matching.rows.length, facets: matching.facets },
      rows: text === undefined ? rows : await withExcerpts(rows, sources, text),
      total: counts.reduce((sum, { total }) => sum + total, 0),
      indexed: counts.reduce((sum, { indexed }) => sum + indexed, 0),
      ...(text !== undefined && { search: { searched, of, complete: searched === of } }),
    };
  }

  /** All of them, whatever window the query names; a search goes through everything first. */
  async matching(sources: readonly LogSource[], query: RolloutQuery, known: Known): Promise<readonly IndexedRollout[]> {
    return (await this.#matching(sources, query, known, Number.POSITIVE_INFINITY)).matching.rows;
  }

  async #matching(
    sources: readonly LogSource[],
    query: RolloutQuery,
    { facts, notes }: Known,
    deadline = performance.now() + searchMs,
  ): Promise<{ readonly matching: Matching; readonly searched: number }> {
    const parts: Part[] = [];
    let searched = 0;
    for (const source of sources) {
      const search = query.text === undefined ? undefined : await source.search(query.text, deadline);
      searched += search?.searched ?? 0;
      parts.push({ rows: source.index.rows, ...(search && { found: search.found }) });
    }
    const { offset: _, limit: __, ...question } = query;
    const wanted = query.noted.length > 0 || query.tag.length > 0 ? notes : [];
    const versions = sources.map(({ place, index }) => [place.id, index.rows.length, index.version]);
    const matching = this.#matches.get(JSON.stringify([question, versions, searched, wanted]), () => {
      const rows = matchingRollouts(parts, query, facts, notes, this.#alphabet);
      const ids = sources.map(({ place }) => place.id);
      return { rows, facets: facetsOf(ids, rows, parts, this.#alphabet) };
    });
    return { matching, searched };
  }

  problem(sources: readonly LogSource[], problem: string, known: Known): Omit<ProblemReply, "problem"> {
    const rows = sources.flatMap(({ index }) => index.ofProblem(problem));
    return { rollouts: rows.slice(0, mostOfProblem).map(worded(known)), cut: rows.length > mostOfProblem };
  }
}

const aroundMatch = 60;

/** With what stands around the first match. */
async function withExcerpts(rows: readonly RolloutRow[], sources: readonly LogSource[], words: string) {
  const found = [...rows];
  for (const source of sources) {
    const own = rows.flatMap(({ source: id }, i) => (id === source.place.id ? [i] : []));
    if (own.length === 0) continue;
    const reads = await source.read(own.map((i) => rows[i].row));
    for (const [n, i] of own.entries()) {
      const text = textOf(reads[n]);
      const at = text.toLowerCase().indexOf(words.toLowerCase());
      if (at === -1) continue;
      const end = at + words.length;
      const [before, after] = [text.slice(Math.max(0, at - aroundMatch), at), text.slice(end, end + aroundMatch)];
      found[i] = { ...rows[i], excerpt: { before, match: text.slice(at, end), after } };
    }
  }
  return found;
}
