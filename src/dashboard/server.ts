// The dashboard's HTTP server: who may ask, what is sent with every answer, and where the client's files are. It binds to
// this machine unless told otherwise; then it asks for a token. It reads the served folder and writes notes.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { checkAccess } from "../base/http/access.ts";
import { Refusal, readJsonBody } from "../base/http/body.ts";
import { isAllowedHost, isForeign } from "../base/http/browser-gate.ts";
import { limitConnections } from "../base/http/connections.ts";
import { ClientFiles } from "./client-files.ts";
import { isKnown, sessionCookie } from "./gate.ts";
import { Library } from "./library.ts";
import type { UsualLabeler } from "./opened-analysis.ts";
import { complaintOf, noteSchema } from "./queries.ts";
import { reportPolicy } from "./report-files.ts";
import { answerTo, downloadOf } from "./routes.ts";

export type DashboardOptions = {
  /** The folder whose runs are shown. */
  readonly folder: string;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly token?: string;
  /** Where the built client lies. */
  readonly client: string;
  /** Who labels rollouts whose run names nobody; the shipped classifier unless given. */
  readonly labeler?: UsualLabeler;
};

const longestAddress = 8_192;
const mostListeners = 64;
const mostConnections = 512;
const heartbeatMs = 20_000;

/** Nothing is loaded from elsewhere, nothing inline runs, and no page may frame this one. */
const securityHeaders = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const;

export class DashboardServer {
  readonly #options: DashboardOptions;
  readonly #library: Library;
  readonly #client: ClientFiles;
  readonly #server: Server;
  readonly #listeners = new Set<ServerResponse>();
  #port = 0;
  #url = "";

  private constructor(options: DashboardOptions, library: Library, client: ClientFiles) {
    this.#options = options;
    this.#library = library;
    this.#client = client;
    this.#server = createServer(
      {
        headersTimeout: 5_000,
        requestTimeout: 30_000,
        keepAliveTimeout: 30_000,
        // Node looks every 30 s unless said.
        connectionsCheckingInterval: 1_000,
      },
      (request, response) => void this.#serve(request, response),
    );
    limitConnections(this.#server, mostConnections);
  }

  static async start(options: DashboardOptions): Promise<DashboardServer> {
    checkAccess(options.host, options.token);
    const client = await ClientFiles.open(options.client);
    const library = await Library.open(options.folder, options.labeler);
    const dashboard = new DashboardServer(options, library, client);
    try {
      await new Promise<void>((resolve, reject) => {
        dashboard.#server.once("error", reject);
        dashboard.#server.listen(options.port, options.host, () => resolve());
      });
    } catch (error) {
      await library.close();
      throw error;
    }
    const { address, port, family } = dashboard.#server.address() as AddressInfo;
    dashboard.#port = port;
    dashboard.#url = `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
    return dashboard;
  }

  /** Where it listens, without the token. */
  get url(): string {
    return this.#url;
  }
  get library(): Library {
    return this.#library;
  }

  async close(): Promise<void> {
    for (const response of this.#listeners) response.end();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
    await this.#library.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    try {
      await this.#answer(request, response);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else this.#refuse(request, response, error);
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { host, port } = { host: this.#options.host, port: this.#port };
    if (!isAllowedHost(request.headers.host, host, port))
      throw new Refusal(421, "this server does not answer to that name; use the address that it printed");
    const address = addressOf(request);
    const forApi = address.pathname.startsWith("/api/");
    if (isForeign(request, forApi)) throw new Refusal(403, "requests from other sites are not answered");
    const report = /^\/reports\/([^/]+)\/(.+)$/.exec(address.pathname);
    if (!forApi && report === null) return this.#page(request, response, address);
    if (!isKnown(request, address, this.#options.token, port))
      throw new Refusal(401, "this dashboard needs its token; open the address that `repertoire dashboard` printed");
    if (report !== null) return this.#report(response, report[1], report[2]);
    const route = address.pathname.slice("/api/".length);
    if (route === "note") return this.#write(request, response, (body) => this.#library.note(noteSchema.parse(body)));
    if (request.method !== "GET") throw new Refusal(405, `use GET for /api/${route.slice(0, 40)}`);
    if (route === "events") return this.#events(request, response);
    if (route === "download") return this.#download(response, address.searchParams);
    sendJson(response, 200, await answerTo(route)(this.#library, address.searchParams));
  }

  async #write(
    request: IncomingMessage,
    response: ServerResponse,
    answer: (body: unknown) => Promise<unknown>,
  ): Promise<void> {
    if (request.method !== "POST") throw new Refusal(405, "use POST for requests that write");
    if (!/^application\/json\b/.test(request.headers["content-type"] ?? ""))
      throw new Refusal(415, "send content-type: application/json");
    const body = await readJsonBody(request, { maxBytes: 65_536, deadlineMs: 10_000, reserve: () => {} });
    sendJson(response, 200, await answer(body));
  }

  async #download(response: ServerResponse, search: URLSearchParams): Promise<void> {
    const lines = (await downloadOf(this.#library, search))[Symbol.asyncIterator]();
    // What is wrong with the question is known with the first line, and still a refusal.
    let next = await lines.next();
    response.writeHead(200, {
      "content-type": "application/x-ndjson",
      "content-disposition": 'attachment; filename="rollouts.jsonl"',
      "cache-control": "no-store",
    });
    const closed = new Promise((resolve) => response.once("close", resolve));
    for (; !next.done && !response.destroyed; next = await lines.next())
      if (!response.write(next.value)) await Promise.race([once(response, "drain"), closed]);
    response.end();
  }

  async #report(response: ServerResponse, run: string, file: string): Promise<void> {
    const parts = [run, ...file.split("/")].map((part) => decodeURIComponent(part));
    const { type, bytes } = await this.#library.report(parts[0], parts.slice(1));
    response.setHeader("content-security-policy", reportPolicy);
    response.writeHead(200, { "content-type": type, "content-length": bytes.length, "cache-control": "no-cache" });
    response.end(bytes);
  }

  #events(request: IncomingMessage, response: ServerResponse): void {
    if (this.#listeners.size >= mostListeners)
      throw new Refusal(503, `${mostListeners} pages listen already; close some`, 10);
    this.#listeners.add(response);
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write(": hello\n\n");
    const release = this.#library.listen((event) => {
      // A reader that does not read is let go: events are only hints, and it asks again when it comes back.
      if (response.writableLength > 1 << 20) response.destroy();
      else response.write(`data: ${JSON.stringify(event)}\n\n`);
    });
    const heartbeat = setInterval(() => response.write(": still here\n\n"), heartbeatMs);
    request.socket.setTimeout(0);
    response.on("close", () => {
      clearInterval(heartbeat);
      release();
      this.#listeners.delete(response);
    });
  }

  async #page(request: IncomingMessage, response: ServerResponse, address: URL): Promise<void> {
    if (request.method !== "GET" && request.method !== "HEAD") throw new Refusal(405, "use GET for pages");
    const given = address.searchParams.get("token");
    if (given !== null && this.#options.token !== undefined) {
      if (!isKnown(request, address, this.#options.token, this.#port)) throw new Refusal(401, "that is not the token");
      return welcome(response, address, sessionCookie(given, this.#port));
    }
    const file = await this.#client.read(address.pathname);
    response.writeHead(200, {
      "content-type": file.type,
      "content-length": file.bytes.length,
      "cache-control": file.caching,
    });
    response.end(request.method === "HEAD" ? undefined : file.bytes);
  }

  #refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    const { status, message, retryAfterSeconds } = refusalOf(error);
    if (!request.complete) response.setHeader("connection", "close");
    if (retryAfterSeconds !== undefined) response.setHeader("retry-after", String(retryAfterSeconds));
    sendJson(response, status, { error: message });
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof z.core.$ZodError) return new Refusal(400, complaintOf(error));
  // Our bug: the page learns that it is not at fault, and whoever runs the server gets the stack.
  console.error(error);
  return new Refusal(500, "the dashboard failed; its terminal says why");
}

function addressOf(request: IncomingMessage): URL {
  const target = request.url ?? "/";
  if (target.length > longestAddress) throw new Refusal(414, `an address may have ${longestAddress} characters`);
  try {
    return new URL(target, "http://dashboard");
  } catch {
    throw new Refusal(400, "the address cannot be read");
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": bytes.length,
    "cache-control": "no-store",
  });
  response.end(bytes);
}

/**
 * The token becomes a cookie and leaves the address. Not by redirecting: after a click in another program's page a
 * redirect still counts as cross-site, and a strict cookie would not be sent with it; a page that goes on by itself is ours.
 */
function welcome(response: ServerResponse, address: URL, cookie: string): void {
  address.searchParams.delete("token");
  const next = `${address.pathname}${address.search}`.replace(
    /[&"'<>]/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
  const page = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${next}"><title>Repertoire</title>`;
  response.writeHead(200, {
    "content-type": "text/html; charset=utf-8",
    "set-cookie": cookie,
    "cache-control": "no-store",
  });
  response.end(page);
}
