// A reply as a component sees it: loading, failed with words, or there. The last replies are kept, so that going back is
// immediate; a newer reply replaces an older one without a flicker.
import { useCallback, useEffect, useState } from "react";
import type { Replies } from "../../api.ts";
import { queryText, type Values, valuesOf } from "./question.ts";
import { ask, failureOf } from "./source.ts";

export type Asked<Reply> = {
  /** The newest reply; while `stale` it may answer an earlier question, where the view wants that. */
  readonly reply?: Reply;
  readonly failure?: { readonly status?: number; readonly message: string };
  readonly stale: boolean;
  readonly again: () => void;
};

const kept = new Map<string, unknown>();
const mostKept = 60;

function keep(key: string, reply: unknown): void {
  kept.delete(key);
  kept.set(key, reply);
  for (const old of kept.keys()) {
    if (kept.size <= mostKept) break;
    kept.delete(old);
  }
}

/** After something was written: what was read before is not so any more. */
export function forgetReplies(route: keyof Replies): void {
  for (const key of [...kept.keys()]) if (key.startsWith(`${route}?`)) kept.delete(key);
}

const askedAhead = new Map<string, Promise<unknown>>();

/** Asks ahead for what will probably be looked at next. A failure says nothing: whoever looks asks again. */
export function askAhead<Route extends keyof Replies>(route: Route, values: Values): void {
  const key = `${route}?${queryText(values)}`;
  if (kept.has(key) || askedAhead.has(key)) return;
  const answer = ask(route, values).then((reply) => {
    keep(key, reply);
    return reply;
  });
  askedAhead.set(key, answer);
  answer.catch(() => undefined).finally(() => askedAhead.delete(key));
}

type Held<Reply> = { readonly key: string; readonly reply?: Reply; readonly failure?: Asked<Reply>["failure"] };

type AskOptions = {
  /** A change of it asks the same again. */
  readonly version?: number;
  /** Whether the answer to an earlier question stays until the new one is there. */
  readonly meanwhile?: "nothing" | "earlier";
};

/** `undefined` values ask nothing yet. */
export function useReply<Route extends keyof Replies>(
  route: Route,
  values: Values | undefined,
  { version = 0, meanwhile = "nothing" }: AskOptions = {},
): Asked<Replies[Route]> {
  type Reply = Replies[Route];
  const query = values === undefined ? undefined : queryText(values);
  const key = `${route}?${query}`;
  const [held, setHeld] = useState<Held<Reply>>(() => ({ key, reply: kept.get(key) as Reply | undefined }));
  const [retries, setRetries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: version and retries say when to ask again
  useEffect(() => {
    if (query === undefined) return;
    const early = kept.get(key) as Reply | undefined;
    if (early !== undefined) setHeld({ key, reply: early });
    const cancel = new AbortController();
    const answer = (askedAhead.get(key) as Promise<Reply> | undefined) ?? ask(route, valuesOf(query), cancel.signal);
    answer.then(
      (reply) => {
        if (cancel.signal.aborted) return;
        keep(key, reply);
        setHeld({ key, reply });
      },
      (error: unknown) => {
        if (cancel.signal.aborted) return;
        const failure = failureOf(error);
        setHeld((before) => ({ key, reply: before.key === key ? before.reply : undefined, failure }));
      },
    );
    return () => cancel.abort();
  }, [key, query, route, version, retries]);

  const again = useCallback(() => setRetries((before) => before + 1), []);
  const own = held.key === key;
  const reply = own || meanwhile === "earlier" ? held.reply : (kept.get(key) as Reply | undefined);
  return { reply, failure: own ? held.failure : undefined, stale: !own, again };
}
