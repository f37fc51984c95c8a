// A long list of rollouts of which only what is on screen is held: pages of a hundred, asked for as they come into view,
// forgotten when many others were seen since.
import { useCallback, useEffect, useRef, useState } from "react";
import type { RolloutRow, RolloutsReply } from "../../api.ts";
import { queryText, type Values, valuesOf } from "./question.ts";
import { ask, failureOf } from "./source.ts";

const pageSize = 100;
const mostPages = 40;

type Held = {
  readonly query: string;
  readonly about: Omit<RolloutsReply, "rows" | "offset">;
  readonly pages: ReadonlyMap<number, readonly RolloutRow[]>;
};

type RolloutList = {
  readonly about?: Held["about"];
  /** True while the list still shows the answer to an earlier question. */
  readonly stale: boolean;
  readonly failure?: { readonly status?: number; readonly message: string };
  readonly rowAt: (index: number) => RolloutRow | undefined;
  /** Says which rows are on screen. */
  readonly need: (first: number, last: number) => void;
  readonly again: () => void;
};

export function useRollouts(values: Values, version: number): RolloutList {
  const query = queryText(values);
  const [held, setHeld] = useState<Held>();
  const [failure, setFailure] = useState<RolloutList["failure"]>();
  const [retries, setRetries] = useState(0);
  const key = `${query} ${version} ${retries}`;
  const asking = useRef({ pages: new Set<number>(), cancel: new AbortController() });
  const onScreen = useRef({ first: 0, last: 0 });

  const load = useCallback(
    (page: number) => {
      const own = asking.current;
      if (own.pages.has(page)) return;
      own.pages.add(page);
      ask("rollouts", { ...valuesOf(query), offset: page * pageSize, limit: pageSize }, own.cancel.signal).then(
        ({ rows, offset: _, ...about }) => {
          if (own.cancel.signal.aborted) return;
          setFailure(undefined);
          setHeld((before) => {
            // A run that grew is asked again: what is on screen stays, and keeps the focus, until the new rows are there.
            const pages = new Map(before?.query === query ? before.pages : []);
            pages.delete(page);
            pages.set(page, rows);
            for (const old of [...pages.keys()].slice(0, Math.max(0, pages.size - mostPages))) {
              pages.delete(old);
              own.pages.delete(old);
            }
            return { query, about, pages };
          });
          // A search that ran out of its time goes on when asked again.
          if (about.search?.complete === false && page === 0) {
            own.pages.delete(0);
            load(0);
          }
        },
        (error: unknown) => {
          if (own.cancel.signal.aborted) return;
          own.pages.delete(page);
          setFailure(failureOf(error));
        },
      );
    },
    [query],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is asked for anew
  useEffect(() => {
    const own = { pages: new Set<number>(), cancel: new AbortController() };
    asking.current = own;
    const { first, last } = onScreen.current;
    for (let page = Math.floor(first / pageSize); page <= Math.floor(last / pageSize); page++) load(page);
    return () => own.cancel.abort();
  }, [key, load]);

  const need = useCallback(
    (first: number, last: number) => {
      onScreen.current = { first, last };
      for (let page = Math.floor(first / pageSize); page <= Math.floor(last / pageSize); page++) load(page);
    },
    [load],
  );
  const rowAt = useCallback(
    (index: number) => held?.pages.get(Math.floor(index / pageSize))?.[index % pageSize],
    [held],
  );
  const again = useCallback(() => setRetries((before) => before + 1), []);
  return { about: held?.about, stale: held?.query !== query, failure, rowAt, need, again };
}
