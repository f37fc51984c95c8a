// A client for any OpenAI-compatible server. One request per rollout with its own seed; retries, deadlines and
// concurrency are handled here; what comes out is a reply or a reason, never an exception for one bad request.
import { randomUUID } from "node:crypto";
import PQueue from "p-queue";
import { Agent, type Dispatcher, request as httpRequest } from "undici";
import { messageOf, RemoteServiceError } from "../base/errors.ts";
import { hopelessLookup, rememberHost } from "../base/http/host-lookup.ts";
import { Random } from "../base/random.ts";
import {
  authorization,
  type CompletionRequest,
  type Endpoint,
  endpointKey,
  otherDialect,
  type Price,
  requestBody,
  requestUrl,
  secretsOf,
  usualDialect,
} from "./endpoint.ts";
import { type Asked, type Failure, failureOfStatus, persist } from "./failures.ts";
import { BrokenReply, mostBytes, NoAnswer, type Reply, ReplyAssembly, tooLong } from "./reply.ts";
import { EventStreamParser } from "./server-sent-events.ts";

export type Completion = {
  /** From sending the request that was answered to its last byte. */
  readonly milliseconds: number;
  /** Requests sent, the answered one included. */
  readonly tries: number;
} & (
  | ({ readonly outcome: "answered"; readonly cost?: number } & Reply)
  /**
   * Rejected: this request, by a server that is there; otherwise nothing came that could be used, however often it was
   * asked. The reply is one that is no answer, for the record.
   */
  | { readonly outcome: "failed"; readonly failure: string; readonly rejected: boolean; readonly reply?: Reply }
);

const mostTries = { throttled: 60, late: 2 };
const longestBackoffSeconds = 60;
/** A server may ask for days; what it asks for in earnest is over by then, or it is asked once more. */
const longestWaitSeconds = 600;
const complaintBytes = 64_000;
/** What is behind the end of a stream is read for so long, so that its connection can be used again. */
const leftoverMs = 1_000;

export class EndpointClient {
  readonly endpoint: Endpoint;
  readonly #key: string | undefined;
  readonly #agent: Agent;
  readonly #queue: AdaptiveQueue;
  /** Each client its own: those that were told to wait together must not come back together. */
  readonly #random = Random.from(randomUUID());
  /** Until a server refuses it. */
  #dialect = usualDialect;
  readonly #onWarning: (message: string) => void;
  readonly #warned = new Set<string>();

  /** `onWarning` hears why requests are sent again, each reason once: a server that never answers well looks like a slow one. */
  constructor(
    endpoint: Endpoint,
    environment: NodeJS.ProcessEnv = process.env,
    onWarning: (message: string) => void = () => {},
  ) {
    this.#onWarning = onWarning;
    this.endpoint = endpoint;
    this.#key = endpointKey(endpoint, environment);
    // undici would otherwise end a request after five minutes without headers or without a byte.
    this.#agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 30_000 } });
    this.#queue = new AdaptiveQueue(endpoint.concurrency);
  }

  /** How many requests the server is trusted with at the moment. */
  get concurrency(): number {
    return this.#queue.concurrency;
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /**
   * Waits its turn, asks, and asks again where that may help. Throws only when the signal aborts, or a
   * RemoteServiceError when no request to this server can succeed.
   */
  complete(request: CompletionRequest, signal?: AbortSignal): Promise<Completion> {
    return this.#queue.run(() => this.#persist(request, signal));
  }

  async #persist(request: CompletionRequest, signal?: AbortSignal): Promise<Completion> {
    let milliseconds = 0;
    const { asked, tries } = await persist(
      async (waited) => {
        const started = performance.now();
        const result = await this.#ask(request, waited, signal);
        milliseconds = performance.now() - started;
        return "failure" in result ? { failure: this.#withoutKey(result.failure) } : result;
      },
      ({ kind, message, retryAfter }, failures) => {
        const allowed = { ...mostTries, broken: this.endpoint.retries + 1, hopeless: 0, rejected: 0 }[kind];
        if (failures >= allowed) return undefined;
        const wait = Math.min(retryAfter ?? this.#backoff(failures), longestWaitSeconds);
        if (kind === "throttled") this.#queue.throttled(wait);
        this.#warnOnce(message, retryAfter);
        return wait;
      },
      signal,
    );
    if ("reply" in asked) {
      this.#queue.succeeded();
      const { reply } = asked;
      const cost = replyCost(this.endpoint.price, reply);
      return {
        outcome: "answered",
        milliseconds,
        tries,
        ...(cost !== undefined && { cost }),
        ...reply,
      };
    }
    const { kind, message, reply } = asked.failure;
    if (kind === "hopeless")
      throw new RemoteServiceError(`${this.#place()}: ${message}; check the model's name, the address and the key`);
    const rejected = kind === "rejected";
    return { outcome: "failed", failure: message, rejected, milliseconds, tries, ...(rejected && reply && { reply }) };
  }

  /** Doubling, with full jitter in the upper half so that a crowd does not come back together. */
  #backoff(failures: number): number {
    const full = Math.min(this.endpoint.backoffSeconds * 2 ** (failures - 1), longestBackoffSeconds);
    return full * (0.5 + 0.5 * this.#random.uniform());
  }

  async #ask(request: CompletionRequest, waitedSeconds: number, signal?: AbortSignal): Promise<Asked<Reply>> {
    const { deadlineSeconds, silenceSeconds } = this.endpoint;
    const stop = new AbortController();
    const late = (message: string) => stop.abort({ kind: "late", message } satisfies Failure);
    const onAbort = () => stop.abort(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    const deadline = setTimeout(() => late(`no complete answer within ${deadlineSeconds} s`), 1000 * deadlineSeconds);
    let silence: NodeJS.Timeout | undefined;
    const restartSilence = () => {
      clearTimeout(silence);
      silence = setTimeout(() => late(`the stream fell silent for ${silenceSeconds} s`), 1000 * silenceSeconds);
    };
    const dialect = this.#dialect;
    try {
      const response = await httpRequest(requestUrl(this.endpoint), {
        method: "POST",
        dispatcher: this.#agent,
        signal: stop.signal,
        headers: {
          "content-type": "application/json",
          ...authorization(this.endpoint, this.#key),
        },
        body: JSON.stringify(requestBody(this.endpoint, request, dialect)),
      });
      rememberHost(this.endpoint.url);
      if (response.statusCode !== 200) {
        const body = (await beginning(response.body, complaintBytes)).toString("utf8");
        const other = response.statusCode < 500 ? otherDialect(dialect, body) : undefined;
        if (other !== undefined) {
          this.#dialect = { ...this.#dialect, ...other };
          return await this.#ask(request, waitedSeconds, signal);
        }
        return { failure: failureOfStatus(response.statusCode, body, response.headers) };
      }
      const { "content-encoding": encoding = "identity" } = response.headers;
      if (encoding !== "identity") throw new BrokenReply(`the server packed its reply (${encoding}), unasked`);
      const { maxTokens } = request;
      const assembly = new ReplyAssembly(maxTokens, request.prefix !== undefined);
      const isStream = String(response.headers["content-type"] ?? "").startsWith("text/event-stream");
      if (isStream) {
        const events = new EventStreamParser();
        const decoder = new TextDecoder();
        for await (const chunk of response.body.iterator({ destroyOnReturn: false })) {
          restartSilence();
          for (const data of events.push(decoder.decode(chunk as Uint8Array, { stream: true }))) assembly.add(data);
          if (events.held > mostBytes(maxTokens)) throw tooLong(maxTokens);
          if (assembly.done) break;
        }
        for (const data of events.end()) assembly.add(data);
        // What is behind the end is nobody's, and not waited for.
        response.body.dump({ limit: complaintBytes, signal: AbortSignal.timeout(leftoverMs) }).catch(() => {});
      } else {
        const bytes = await beginning(response.body, mostBytes(maxTokens));
        if (bytes.length > mostBytes(maxTokens)) throw tooLong(maxTokens);
        assembly.add(bytes.toString("utf8"));
      }
      return { reply: assembly.finish() };
    } catch (error) {
      if (stop.signal.aborted) {
        const reason = stop.signal.reason as Partial<Failure>;
        if (reason?.kind === "late") return { failure: reason as Failure };
        throw signal?.reason ?? error;
      }
      // The rest of what is no reply is not read.
      stop.abort();
      if (error instanceof NoAnswer)
        return { failure: { kind: "rejected", message: error.message, reply: error.reply } };
      if (error instanceof BrokenReply) return { failure: { kind: "broken", message: error.message } };
      const hopeless = hopelessLookup(error, waitedSeconds);
      if (hopeless !== undefined) throw new RemoteServiceError(`${this.#place()}: ${hopeless}`);
      return { failure: { kind: "broken", message: `the connection failed: ${messageOf(error)}` } };
    } finally {
      clearTimeout(deadline);
      clearTimeout(silence);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** A wait that somebody would notice is said. */
  #warnOnce(message: string, askedSeconds = 0): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    const [given, wait] = [askedSeconds, Math.min(askedSeconds, longestWaitSeconds)].map(Math.round);
    const patience = wait < given ? ` (it asks to wait ${given} s)` : "";
    this.#onWarning(`${this.#place()}: ${message}${patience}; trying again${wait < 10 ? "" : ` in ${wait} s`}`);
  }

  /** Servers echo keys in their complaints. */
  #withoutKey(failure: Failure): Failure {
    let { message } = failure;
    for (const secret of secretsOf(this.endpoint, this.#key)) message = message.replaceAll(secret, "[key]");
    return { ...failure, message };
  }

  #place(): string {
    const { host, pathname } = new URL(this.endpoint.url);
    return `${host}${pathname} (${this.endpoint.model})`;
  }
}

/** The first bytes of a body, and a few more where it has more: it is read no further. */
async function beginning(body: Dispatcher.ResponseData["body"], most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > most) break;
  }
  return Buffer.concat(chunks);
}

type ConcurrencyRange = { readonly start: number; readonly smallest: number; readonly largest: number };

/**
 * How many requests are under way: doubles while all goes well, halves when the server asks for less, then creeps up by one (slow
 * start, then additive increase and multiplicative decrease, as TCP does).
 */
export class AdaptiveQueue {
  readonly #queue: PQueue;
  readonly #range: ConcurrencyRange;
  readonly #now: () => number;
  #successes = 0;
  #everThrottled = false;
  #quietUntil = 0;

  constructor(range: ConcurrencyRange, now: () => number = () => performance.now()) {
    this.#range = range;
    this.#now = now;
    this.#queue = new PQueue({ concurrency: Math.min(Math.max(range.start, range.smallest), range.largest) });
  }

  get concurrency(): number {
    return this.#queue.concurrency;
  }

  run<T>(task: () => Promise<T>): Promise<T> {
    return this.#queue.add(task) as Promise<T>;
  }

  succeeded(): void {
    this.#successes += 1;
    if (this.#successes < this.concurrency) return;
    this.#successes = 0;
    const wanted = this.#everThrottled ? this.concurrency + 1 : this.concurrency * 2;
    this.#queue.concurrency = Math.min(wanted, this.#range.largest);
  }

  /** Many requests hear "too many" at the same moment; together they count once. */
  throttled(waitSeconds: number): void {
    this.#everThrottled = true;
    this.#successes = 0;
    const now = this.#now();
    if (now < this.#quietUntil) return;
    this.#quietUntil = now + 1000 * Math.max(waitSeconds, 1);
    this.#queue.concurrency = Math.max(Math.floor(this.concurrency / 2), this.#range.smallest);
  }
}

/** Undefined where there is no price or the server did not count its tokens: an unknown cost is not zero. */
function replyCost(price: Price | undefined, reply: Reply): number | undefined {
  const { promptTokens, completionTokens, cachedPromptTokens = 0 } = reply;
  if (price === undefined || promptTokens === undefined || completionTokens === undefined) return undefined;
  const fresh = promptTokens - cachedPromptTokens;
  const cachedPrice = price.cachedPrompt ?? price.prompt;
  return (fresh * price.prompt + cachedPromptTokens * cachedPrice + completionTokens * price.completion) / 1e6;
}
