// Traces like one, among all rollouts of a run. By motifs it is one pass over sequences in memory; by words texts are read
// from disk, so that it stops after a while and goes on when it is asked again.
import { withReasoning } from "../traces/trace.ts";
import type { SimilarReply } from "./api.ts";
import { LeastRecentlyUsed } from "./least-recently-used.ts";
import {
  alikeByMotifs,
  type CountedText,
  countedText,
  mostAlike,
  type Scored,
  sampleOf,
  tellingWords,
  type WordQuery,
  wordLikeness,
} from "./likeness.ts";
import { rolloutRow } from "./rollout-lists.ts";
import type { Read, RolloutSource } from "./rollout-source.ts";

const searchMs = 2_000;
const batchRows = 64;

type Place = { readonly source: RolloutSource; readonly row: number };

type WordSearch = {
  readonly query: WordQuery;
  readonly own: CountedText;
  readonly places: readonly Place[];
  readonly texts: CountedText[];
};

export class SimilarTraces {
  readonly #searches = new LeastRecentlyUsed<string, Promise<WordSearch | undefined>>(4);
  #turn: Promise<unknown> = Promise.resolve();

  motifs(sources: readonly RolloutSource[], source: string, row: number, limit: number): SimilarReply {
    const listed = sources.map(({ place, columns }) => ({ id: place.id, columns }));
    const of = listed.reduce((sum, { columns }) => sum + columns.listed, 0);
    const looked = listed.reduce((sum, { columns }) => sum + Math.min(columns.labeled, columns.listed), 0);
    return { by: "motifs", traces: this.#rows(sources, alikeByMotifs(listed, { source, row }), limit), looked, of };
  }

  /** One after the other: the second asker finds the work of the first done. */
  words(sources: readonly RolloutSource[], source: RolloutSource, row: number, limit: number): Promise<SimilarReply> {
    const done = this.#turn.catch(() => {}).then(() => this.#words(sources, source, row, limit));
    this.#turn = done;
    return done;
  }

  async #words(
    sources: readonly RolloutSource[],
    source: RolloutSource,
    row: number,
    limit: number,
  ): Promise<SimilarReply> {
    const versions = sources.map(({ place, columns }) => [place.id, columns.rows]);
    const key = JSON.stringify([source.place.id, row, versions]);
    const search = await this.#searches.get(key, () => begun(sources, source, row));
    const of = sources.reduce((sum, { columns }) => sum + columns.listed, 0);
    if (search === undefined) return { by: "words", traces: [], looked: of, of, words: [] };
    const { query, own, places, texts } = search;
    const deadline = performance.now() + searchMs;
    while (texts.length < places.length && performance.now() < deadline)
      for (const text of await textsOf(places.slice(texts.length, texts.length + batchRows)))
        texts.push(countedText(text, query));
    const likeness = wordLikeness(own, texts);
    const scored = likeness.flatMap((alike, i): Scored[] => {
      const place = places[i];
      const itself = place.source === source && place.row === row;
      return alike > 0 && !itself ? [{ source: place.source.place.id, row: place.row, likeness: alike }] : [];
    });
    const traces = this.#rows(sources, mostAlike(scored), limit);
    return { by: "words", traces, looked: texts.length, of: places.length, words: query.words };
  }

  #rows(sources: readonly RolloutSource[], scored: readonly Scored[], limit: number): SimilarReply["traces"] {
    const byId = new Map(sources.map(({ place, columns }) => [place.id, columns]));
    return scored.slice(0, limit).map(({ source, row, likeness }) => ({
      rollout: rolloutRow(source, byId.get(source)!, row),
      likeness: Math.round(likeness * 1000) / 1000,
    }));
  }
}

async function begun(
  sources: readonly RolloutSource[],
  source: RolloutSource,
  row: number,
): Promise<WordSearch | undefined> {
  const [text] = await textsOf([{ source, row }]);
  if (text === "") return undefined;
  const places = sources.flatMap((one): Place[] => {
    const { hidden } = one.columns.columns;
    return Array.from({ length: one.columns.rows }, (_, at) => ({ source: one, row: at })).filter(
      ({ row: at }) => hidden[at] === 0,
    );
  });
  const sample = await textsOf(sampleOf(places));
  const query = tellingWords(text, sample);
  return { query, own: countedText(text, query), places, texts: [] };
}

const textOf = (read: Read): string =>
  "unavailable" in read ? "" : withReasoning(read.rollout.reasoning, read.rollout.response);

/** In the order of the places, which may be of several sources. */
async function textsOf(places: readonly Place[]): Promise<string[]> {
  const texts: string[] = new Array(places.length).fill("");
  const bySource = new Map<RolloutSource, number[]>();
  places.forEach(({ source }, i) => {
    const own = bySource.get(source);
    if (own === undefined) bySource.set(source, [i]);
    else own.push(i);
  });
  for (const [source, own] of bySource) {
    const read = await source.read(own.map((i) => places[i].row));
    own.forEach((i, at) => {
      texts[i] = textOf(read[at]);
    });
  }
  return texts;
}
