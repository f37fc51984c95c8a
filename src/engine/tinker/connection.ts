// Talking to a Tinker server: requests with its retry rules, and futures that are polled until they are there.
import { setTimeout as pause } from "node:timers/promises";
import { Agent, request } from "undici";
import { EngineError, messageOf, RemoteServiceError } from "../../base/errors.ts";

export type ConnectionOptions = {
  readonly url: string;
  /** Sent as X-API-Key; never logged or stored. */
  readonly key?: string;
  /** Some servers insist on a client version they know. */
  readonly clientVersion: string;
  /** How long a server may be unreachable before a request fails. */
  readonly patienceSeconds: number;
};

export type Future = { readonly request_id: string };

type Reply = {
  readonly status: number;
  readonly json: () => unknown;
  readonly bytes: Uint8Array;
  readonly protobuf: boolean;
};

/** The server no longer knows a future, a session or a model: it restarted, or forgot. The work must be sent again. */
export class LostRequestError extends RemoteServiceError {
  override name = "LostRequestError";
}

const longestPauseSeconds = 30;

export class Connection {
  readonly #options: ConnectionOptions;
  // Polls stay open for as long as the server likes; undici's own limits would cut them.
  readonly #agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connections: 256, pipelining: 1 });

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  async get(path: string): Promise<unknown> {
    return (await this.#send("GET", path)).json();
  }

  async post(path: string, body: object, headers: Record<string, string> = {}): Promise<unknown> {
    return (
      await this.#send("POST", path, JSON.stringify(body), { "content-type": "application/json", ...headers })
    ).json();
  }

  async postProtobuf(path: string, body: Uint8Array): Promise<unknown> {
    return (await this.#send("POST", path, body, { "content-type": "application/x-protobuf" })).json();
  }

  /** Waits for a future; protobuf where the server chooses to answer so. */
  async result(
    future: Future,
    type: string,
    signal?: AbortSignal,
  ): Promise<{ json?: Record<string, unknown>; protobuf?: Uint8Array }> {
    for (let poll = 0; ; poll++) {
      signal?.throwIfAborted();
      const reply = await this.#send(
        "POST",
        "retrieve_future",
        JSON.stringify({ request_id: future.request_id, allow_metadata_only: false }),
        {
          "content-type": "application/json",
          accept: "application/x-protobuf, application/json",
          "x-tinker-request-iteration": String(poll),
          "x-tinker-request-type": type,
        },
      );
      if (reply.status === 408) continue;
      if (reply.protobuf) return { protobuf: reply.bytes };
      const json = reply.json() as Record<string, unknown>;
      if (json.type === "try_again" || json.status === "complete_metadata") continue;
      if (typeof json.error === "string") throw new EngineError(`the server could not ${type}: ${json.error}`);
      return { json };
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /** Sends until it is answered: dropped connections, 429 and 5xx wait and go again, within the patience. */
  async #send(
    method: "GET" | "POST",
    path: string,
    body?: string | Uint8Array,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const { url, key, patienceSeconds } = this.#options;
    let waited = 0;
    for (let attempt = 0; ; attempt++) {
      let failure: string;
      try {
        const response = await request(`${url}/api/v1/${path}`, {
          method,
          body,
          headers: key === undefined ? headers : { ...headers, "x-api-key": key },
          dispatcher: this.#agent,
        });
        const bytes = new Uint8Array(await response.body.arrayBuffer());
        const protobuf = String(response.headers["content-type"]).startsWith("application/x-protobuf");
        const status = response.statusCode;
        if (status < 400 || status === 408) {
          return { status, bytes, protobuf, json: () => JSON.parse(new TextDecoder().decode(bytes)) };
        }
        failure = `${status} ${new TextDecoder().decode(bytes).slice(0, 500)}`;
        if (status === 404 || status === 410) throw new LostRequestError(`${url} ${path}: ${failure}`);
        if (status < 500 && status !== 429 && status !== 402)
          throw new RemoteServiceError(`${url} ${path}: ${failure}`);
      } catch (error) {
        if (error instanceof RemoteServiceError) throw error;
        failure = messageOf(error) || (error as { code?: string }).code || "no connection";
      }
      if (waited >= patienceSeconds) {
        throw new RemoteServiceError(
          `${url} ${path} did not answer for ${Math.round(waited)} s (${failure}); is the server running?`,
        );
      }
      const seconds = Math.min(2 ** attempt * 0.25, longestPauseSeconds, patienceSeconds - waited + 0.01);
      await pause(seconds * 1000);
      waited += seconds;
    }
  }
}
