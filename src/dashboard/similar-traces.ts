// Traces like one, among all rollouts of a run. By motifs it is one pass over sequences in memory; by words texts are read,
// so that it stops after a while and goes on when it is asked again.
import { Mutex } from "../base/mutex.ts";
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
import type { SimilarQuery } from "./queries.ts";
import type { AskedSource } from "./rollout-answers.ts";

const searchMs = 2_000;
const batchRows = 64;

type Place = { readonly source: AskedSource; readonly row: number };

type WordSearch = {
  readonly query: WordQuery;
  readonly own: CountedText;
  readonly places: readonly Place[];
  readonly texts: CountedText[];
};

type Found = Omit<SimilarReply, "by" | "traces"> & { readonly traces: readonly Scored[] };

export class SimilarTraces {
  readonly #searches = new LeastRecentlyUsed<string, Promise<WordSearch | undefined>>(4);
  readonly #mutex = new Mutex();

  /** The most alike first, among those that were looked at. */
  to(sources: readonly AskedSource[], query: SimilarQuery): Promise<Found> | Found {
    if (query.by === "motifs") {
      const looked = sources.reduce((sum, { columns }) => sum + Math.min(columns.labeled, columns.listed), 0);
      return { traces: alikeByMotifs(sources, query), looked, of: listedOf(sources) };
    }
    // One after the other: the second asker finds the work of the first done.
    return this.#mutex.take(() => this.#words(sources, query));
  }

  async #words(sources: readonly AskedSource[], { source, row }: SimilarQuery): Promise<Found> {
    const key = JSON.stringify([source, row, sources.map(({ id, columns }) => [id, columns.rows])]);
    const search = await this.#searches.get(key, () => begun(sources, source, row));
    const of = listedOf(sources);
    if (search === undefined) return { traces: [], looked: of, of, words: [] };
    const { query, own, places, texts } = search;
    const deadline = performance.now() + searchMs;
    while (texts.length < places.length && performance.now() < deadline)
      for (const text of await textsOf(places.slice(texts.length, texts.length + batchRows)))
        texts.push(countedText(text, query));
    const scored = wordLikeness(own, texts).flatMap((likeness, i): Scored[] => {
      const { source: other, row: at } = places[i];
      return likeness > 0 && !(other.id === source && at === row) ? [{ source: other.id, row: at, likeness }] : [];
    });
    return { traces: mostAlike(scored), looked: texts.length, of: places.length, words: query.words };
  }
}

const listedOf = (sources: readonly AskedSource[]): number =>
  sources.reduce((sum, { columns }) => sum + columns.listed, 0);

async function begun(sources: readonly AskedSource[], id: string, row: number): Promise<WordSearch | undefined> {
  const source = sources.find((one) => one.id === id)!;
  const [text] = await source.texts([row]);
  if (text === "") return undefined;
  const places = sources.flatMap((one): Place[] => {
    const { hidden } = one.columns.columns;
    return Array.from({ length: one.columns.rows }, (_, at) => ({ source: one, row: at })).filter(
      ({ row: at }) => hidden[at] === 0,
    );
  });
  const query = tellingWords(text, await textsOf(sampleOf(places)));
  return { query, own: countedText(text, query), places, texts: [] };
}

/** In the order of the places, which may be of several sources. */
async function textsOf(places: readonly Place[]): Promise<string[]> {
  const texts: string[] = [];
  // Places of a source stand together.
  for (let from = 0, to = 0; from < places.length; from = to) {
    const { source } = places[from];
    while (to < places.length && places[to].source === source) to += 1;
    texts.push(...(await source.texts(places.slice(from, to).map(({ row }) => row))));
  }
  return texts;
}
