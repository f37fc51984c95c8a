// What went wrong with a request, and what that means: ask again, ask less often, give this one up, or stop everything.
import { setTimeout as sleep } from "node:timers/promises";
import type { Reply } from "./reply.ts";

export type Failure = {
  readonly kind: /** Connection, server error, cut stream: ask again. */
    | "broken"
    /** Asked too much: ask again later, and fewer at a time. */
    | "throttled"
    /** Nothing within the deadline, or silence inside a stream. */
    | "late"
    /** This request will never be answered: too long, refused. */
    | "rejected"
    /** No request will: wrong key, no such model, no money. */
    | "hopeless";
  readonly message: string;
  /** The server's own wish, in seconds. */
  readonly retryAfter?: number;
  /** A reply that is no answer. */
  readonly reply?: Reply;
};

/** What came of asking once. */
export type Asked<T> = { readonly reply: T } | { readonly failure: Failure };

/**
 * Asks, and asks again where that may help, for as long as `wait` says after how many seconds. It hears how often this kind of failure
 * has come, and `ask` how long was waited so far.
 */
export async function persist<T>(
  ask: (waitedSeconds: number, tries: number) => Promise<Asked<T>>,
  wait: (failure: Failure, failures: number) => number | undefined,
  signal?: AbortSignal,
): Promise<{ readonly asked: Asked<T>; readonly tries: number }> {
  const counts = { broken: 0, throttled: 0, late: 0 };
  let waited = 0;
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    const asked = await ask(waited, tries);
    if ("reply" in asked) return { asked, tries };
    signal?.throwIfAborted();
    const { kind } = asked.failure;
    if (kind === "hopeless" || kind === "rejected") return { asked, tries };
    const seconds = wait(asked.failure, ++counts[kind]);
    if (seconds === undefined) return { asked, tries };
    await sleep(1000 * seconds, undefined, { signal });
    waited += seconds;
  }
}

export function failureOfStatus(status: number, body: string, headers: Readonly<Record<string, unknown>>): Failure {
  const message = `the server answered ${status}: ${bodyMessage(body)}`;
  const retryAfter = retryAfterSeconds(headers);
  if (status === 429) {
    // Some services use the same number for "slow down" and for "your money is spent".
    if (/insufficient_quota|exceeded your current quota|insufficient balance/i.test(body))
      return { kind: "hopeless", message };
    return { kind: "throttled", message, retryAfter };
  }
  if (status === 503 || status === 529) return { kind: "throttled", message, retryAfter };
  if (status === 401 || status === 402 || status === 403 || status === 404) return { kind: "hopeless", message };
  if (status === 408 || status === 409 || status === 425 || status >= 500)
    return { kind: "broken", message, retryAfter };
  return { kind: "rejected", message };
}

function bodyMessage(body: string): string {
  try {
    const value = JSON.parse(body) as { error?: { message?: unknown } | string; message?: unknown; detail?: unknown };
    const found =
      typeof value.error === "string" ? value.error : (value.error?.message ?? value.message ?? value.detail);
    if (typeof found === "string") return found.slice(0, 500);
  } catch {
    // Not JSON: the text itself is the message.
  }
  return body.trim().slice(0, 500) || "(nothing more)";
}

/** Seconds, or a date of HTTP. Milliseconds where a service says them. */
export function retryAfterSeconds(
  headers: Readonly<Record<string, unknown>>,
  now: () => number = Date.now,
): number | undefined {
  const milliseconds = Number(first(headers["retry-after-ms"]));
  if (milliseconds >= 0) return milliseconds / 1000;
  const value = first(headers["retry-after"]);
  if (value === undefined) return undefined;
  const seconds = Number(value);
  if (seconds >= 0) return seconds;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now()) / 1000);
}

const first = (value: unknown): string | undefined => (Array.isArray(value) ? value[0] : (value as string | undefined));
