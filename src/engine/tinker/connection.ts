// Talking to a Tinker server: requests with the protocol's retry rules, and futures that are polled until they are there.
import { setTimeout as pause } from "node:timers/promises";
import { Agent, request } from "undici";
import { ConfigurationError, DataError, EngineError, messageOf, RemoteServiceError } from "../../base/errors.ts";
import { hopelessLookup, rememberHost } from "../../base/http/host-lookup.ts";
import { withoutSecrets } from "../../base/secrets.ts";
import { type Asked, type Failure, persist } from "../../endpoints/failures.ts";
import { plainEngineAddress } from "./checkpoint-paths.ts";

export type ConnectionOptions = {
  readonly url: string;
  /** Sent as X-API-Key; never logged or stored. */
  readonly key?: string;
  /** How long a server may be unreachable before a request fails. */
  readonly patienceSeconds: number;
  /** How long a future may stay unfinished before it counts as dead. */
  readonly futureSeconds: number;
  /** Hears that the server does not answer, once an outage. */
  readonly emit?: (message: string) => void;
  /** Ends whatever waits; requests that bring a signal of their own go by that. */
  readonly signal?: AbortSignal;
};

/** What a future came to: protobuf where the server chose to answer so. */
export type Result = { readonly json?: Record<string, unknown>; readonly protobuf?: Uint8Array };

/** Work that a server has accepted; the result is fetched, and sent again if the server forgot it. */
type Pending = { readonly result: (signal?: AbortSignal) => Promise<Result> };

export type Body = { readonly json: object } | { readonly protobuf: Uint8Array };

type Reply = { readonly status: number; readonly bytes: Uint8Array; readonly protobuf: boolean };

/** The server refused what it was sent; sending it again would not help. */
export class RefusedRequestError extends RemoteServiceError {
  override name = "RefusedRequestError";
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** The server no longer knows a future, a session or a model: it restarted, or forgot. */
export class LostRequestError extends RemoteServiceError {
  override name = "LostRequestError";
}

/** Whether what is lost is a checkpoint that was named, not the model, session or future that a request belongs to. */
export const isMissingCheckpoint = ({ message }: LostRequestError): boolean =>
  /checkpoint\b.{0,40}not found|no (such )?checkpoint|no weights at/i.test(message);

const firstPauseSeconds = 0.1;
const longestPauseSeconds = 30;
const maxResubmissions = 3;
/** A poll that is called malformed may be a server in the middle of a restart: it gets this many chances. */
const maxMalformedPolls = 3;
const largeBodyBytes = 128 * 1024;
/** What servers with a memory on disk say of a model that a restart took away: they know it and do not have it. */
const notThere = /\b(model|session|sampler)\b.{0,80}\bnot (loaded|found)\b/i;

export class Connection {
  readonly #options: ConnectionOptions;
  // Servers keep a poll open for up to five minutes; a connection that is silent for longer is dead.
  readonly #agent = new Agent({ headersTimeout: 330_000, bodyTimeout: 330_000, connections: 256, pipelining: 1 });
  #outage = false;
  #closed = false;
  /** Sent instead of the key where the server wants keys exchanged for something short-lived. */
  #token: string | undefined;
  #exchanging: Promise<void> | undefined;

  constructor(options: ConnectionOptions) {
    if (!URL.canParse(options.url) || !/^https?:$/.test(new URL(options.url).protocol))
      throw new ConfigurationError(
        `invalid server address "${withoutSecrets(options.url)}"; expected one like http://localhost:8000`,
      );
    plainEngineAddress(options.url);
    this.#options = { ...options, url: options.url.replace(/\/+$/, "") };
  }

  get url(): string {
    return this.#options.url;
  }

  /** Asks how the server wants its key; most take it as it is. */
  async authenticate(clientVersion: string): Promise<void> {
    if (this.#options.key === undefined) return;
    const answer = await this.post("client/config", { sdk_version: clientVersion }).catch((error: unknown) => {
      // Servers that do not know the question take the key as it is.
      if (error instanceof LostRequestError || error instanceof RefusedRequestError) return {};
      throw error;
    });
    if ((answer as { pjwt_auth_enabled?: unknown }).pjwt_auth_enabled === true) await this.#exchangeKey();
  }

  async #exchangeKey(): Promise<void> {
    this.#token = textIn(await this.post(exchangePath, {}), "jwt");
  }

  async get(path: string): Promise<unknown> {
    return jsonOf(await this.#send("GET", path));
  }

  async post(path: string, json: object, signal?: AbortSignal): Promise<unknown> {
    return jsonOf(await this.#send("POST", path, { json }, {}, signal));
  }

  /** Sends work and returns as soon as the server has accepted it. Requests are idempotent by their sequence numbers. */
  async submit(path: string, body: Body, signal?: AbortSignal): Promise<Pending> {
    const send = async () =>
      textIn(jsonOf(await this.#send("POST", path, body, submitHeaders(path), signal)), "request_id");
    let requestId = await send();
    return {
      result: async (signal) => {
        for (let resubmissions = 0; ; resubmissions++) {
          try {
            return await this.#result(requestId, path, signal);
          } catch (error) {
            if (!(error instanceof LostRequestError) || resubmissions === maxResubmissions) throw error;
            // A server that forgot only the future does the work again; one that forgot the model says so now, unless it
            // stumbles over the name that the first attempt has taken.
            requestId = await send().catch((refusal: unknown) => {
              throw refusal instanceof RefusedRequestError && refusal.status === 409 ? error : refusal;
            });
          }
        }
      },
    };
  }

  async #result(requestId: string, path: string, signal?: AbortSignal): Promise<Result> {
    const began = performance.now();
    let malformed = 0;
    for (let poll = 0; ; poll++) {
      signal?.throwIfAborted();
      if (performance.now() - began > this.#options.futureSeconds * 1000) {
        throw new LostRequestError(
          `${this.url} ${path}: no result after ${this.#options.futureSeconds} s of asking for it`,
        );
      }
      let reply: Reply;
      try {
        reply = await this.#send(
          "POST",
          "retrieve_future",
          { json: { request_id: requestId, allow_metadata_only: false } },
          {
            accept: protobufResults.has(path) ? `${protobufType}, ${jsonType}` : jsonType,
            "x-tinker-request-iteration": String(poll),
            "x-tinker-request-type": path,
          },
          signal,
        );
      } catch (error) {
        if (!(error instanceof RefusedRequestError) || error.status !== 400 || malformed === maxMalformedPolls)
          throw error;
        malformed += 1;
        await pause(1000 * firstPauseSeconds * 2 ** malformed, undefined, { signal });
        continue;
      }
      if (reply.status === 408) continue;
      if (reply.protobuf) return { protobuf: reply.bytes };
      const json = jsonOf(reply) as Record<string, unknown>;
      if (json.type === "try_again" || json.status === "complete_metadata") continue;
      if (typeof json.error === "string") throw new EngineError(`the server could not ${path}: ${json.error}`);
      return { json };
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#agent.destroy();
  }

  /**
   * Sends until it is answered: dropped connections, 429, 402 and 5xx wait and go again, within the patience. A name that
   * nobody has ever answered to is not waited for.
   */
  async #send(
    method: "GET" | "POST",
    path: string,
    body?: Body,
    headers: Record<string, string> = {},
    signal: AbortSignal | undefined = this.#options.signal,
  ): Promise<Reply> {
    const { url, patienceSeconds, emit } = this.#options;
    const content = body === undefined ? undefined : "json" in body ? JSON.stringify(body.json) : body.protobuf;
    const type = body === undefined ? {} : { "content-type": "json" in body ? jsonType : protobufType };
    let waited = 0;
    const ask = async (_: number, tries: number): Promise<Asked<Reply>> => {
      const key = path === exchangePath ? this.#options.key : (this.#token ?? this.#options.key);
      try {
        const response = await request(`${url}/api/v1/${path}`, {
          method,
          body: content,
          headers: { ...type, ...headers, ...(key !== undefined && { "x-api-key": key }) },
          dispatcher: this.#agent,
          signal,
        });
        rememberHost(url);
        const bytes = new Uint8Array(await response.body.arrayBuffer());
        const status = response.statusCode;
        if (status < 400 || status === 408) {
          this.#outage = false;
          const protobuf = String(response.headers["content-type"]).startsWith(protobufType);
          return { reply: { status, bytes, protobuf } };
        }
        const message = `${status} ${new TextDecoder().decode(bytes).slice(0, 500)}`;
        if (status === 404 || status === 410 || (status === 400 && notThere.test(message)))
          throw new LostRequestError(`${url} ${path}: ${message}`);
        if (status === 401 && this.#token !== undefined && tries === 1 && path !== exchangePath) {
          // What was exchanged has expired; of many requests that find out together, the first exchanges again.
          if (key === this.#token) {
            this.#exchanging ??= this.#exchangeKey().finally(() => {
              this.#exchanging = undefined;
            });
            await this.#exchanging;
          }
          return { failure: { kind: "broken", message, retryAfter: 0 } };
        }
        const ofSample = (content?.length ?? 0) > largeBodyBytes ? 5 : 1;
        if (status === 429)
          return { failure: { kind: "throttled", message, ...(path === "asample" && { retryAfter: ofSample }) } };
        if (status < 500 && status !== 402) throw new RefusedRequestError(`${url} ${path}: ${message}`, status);
        return { failure: { kind: "broken", message, ...(status === 402 && { retryAfter: 5 }) } };
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof RemoteServiceError) throw error;
        if (this.#closed) throw new LostRequestError(`${url} ${path}: the connection was closed`);
        const hopeless = hopelessLookup(error, waited);
        if (hopeless !== undefined) throw new RemoteServiceError(`${url}: ${hopeless}`);
        const message = messageOf(error) || (error as { code?: string }).code || "no connection";
        return { failure: { kind: "broken", message } };
      }
    };
    const wait = ({ kind, message, retryAfter }: Failure, failures: number) => {
      if (waited >= patienceSeconds) return undefined;
      const usual = Math.min(2 ** (failures - 1) * firstPauseSeconds, longestPauseSeconds);
      const seconds = Math.min(retryAfter ?? usual, patienceSeconds - waited + 0.01);
      // A server that asks for patience is there; only silence and failures use it up.
      if (kind === "throttled") return seconds;
      waited += seconds;
      if (failures > 1 && !this.#outage) {
        this.#outage = true;
        emit?.(`${url} does not answer (${message}); trying again for ${patienceSeconds} s`);
      }
      return seconds;
    };
    const { asked } = await persist(ask, wait, signal);
    if ("reply" in asked) return asked.reply;
    throw new RemoteServiceError(
      `${url} ${path} did not answer for ${Math.round(waited)} s (${asked.failure.message}); is the server running?`,
    );
  }
}

const exchangePath = "auth/token";
const jsonType = "application/json";
/** Results that newer servers send as protobuf alone; those that do not know how send JSON. */
const protobufResults: ReadonlySet<string> = new Set(["forward_backward", "asample"]);
const protobufType = "application/x-protobuf";

const submitHeaders = (path: string): Record<string, string> =>
  path === "asample" ? { "x-tinker-sampling-backpressure": "1" } : {};

/** What a reply has to say, as every server of the protocol does. */
export function textIn(reply: unknown, key: string): string {
  const value = (reply as Record<string, unknown> | null)?.[key];
  if (typeof value !== "string") throw new DataError(`the server's reply has no ${key}`);
  return value;
}

function jsonOf({ bytes }: Reply): unknown {
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new DataError(
      `the server's reply is not JSON; is --engine the address of an engine? It said: ${text.slice(0, 200)}`,
    );
  }
}
