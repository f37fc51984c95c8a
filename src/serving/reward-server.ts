// The reward server: HTTP around the scorer. Everything it holds is bounded (bytes, rollouts, connections, time), every
// request that it accepts is answered, and it keeps no state, so a restart loses nothing that was acknowledged.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { z } from "zod";
import { checkAccess, isAuthorized } from "../base/http/access.ts";
import { memoryPerByte, Refusal, readJsonBody } from "../base/http/body.ts";
import { refuseCrossSite } from "../base/http/browser-gate.ts";
import { limitConnections } from "../base/http/connections.ts";
import { endpointSchema } from "../endpoints/endpoint.ts";
import { gradingModes } from "../grading/math/options.ts";
import { rewardNames } from "../grading/reward.ts";
import { Metrics } from "./metrics.ts";
import { isPuzzleRoute, PuzzleRequests, puzzleRoutes } from "./puzzle-requests.ts";
import type { Recording } from "./recording.ts";
import { type RolloutToScore, Scorer } from "./scorer.ts";
import { requestShapes, type Shape } from "./trainer-shapes.ts";

const optionsSchema = z.strictObject({
  host: z.string().default("127.0.0.1"),
  /** 0 takes any free port. */
  port: z.number().int().min(0).max(65_535).default(8123),
  token: z.string().optional(),
  workers: z.number().int().positive().default(1),
  /** How puzzles are paid, for every trainer that asks. */
  reward: z.enum(rewardNames).default("paper"),
  /** How mathematics is graded: as strictly as training needs, or as generously as an evaluation. */
  grading: z.enum(gradingModes).default("reward"),
  /** A language model that is asked about answers of mathematics that are not equal by rule. */
  judge: endpointSchema.optional(),
  /** Of questions that are neither puzzles nor mathematics: a module, or an address. Rollouts cannot name one. */
  grader: z.string().optional(),
  maxBodyBytes: z
    .number()
    .int()
    .positive()
    .default(64 * 2 ** 20),
  /** What all requests together may hold in memory: bodies, their parsed copies, unread replies. */
  maxHeldBytes: z
    .number()
    .int()
    .positive()
    .default(1024 * 2 ** 20),
  maxQueuedRollouts: z.number().int().positive().default(50_000),
  maxConnections: z.number().int().positive().default(2_000),
  /** From the end of a request's body to its reply; a client may ask for less with `x-deadline-ms`. */
  deadlineMs: z.number().positive().default(60_000),
  bodyDeadlineMs: z.number().positive().default(30_000),
  /** How long a client may take to read its reply. */
  readerDeadlineMs: z.number().positive().default(30_000),
  drainMs: z.number().positive().default(30_000),
});
export const rewardServerOptionsSchema = optionsSchema.refine(
  ({ maxBodyBytes, maxHeldBytes }) => maxHeldBytes >= memoryPerByte * maxBodyBytes,
  {
    path: ["maxHeldBytes"],
    message: `a body takes ${memoryPerByte} times its size while it is graded: allow that much memory, or smaller bodies`,
  },
);
export type RewardServerOptions = z.output<typeof rewardServerOptionsSchema>;

const shown = ["/health", "/metrics"];
const routes = [...Object.keys(requestShapes), ...puzzleRoutes, ...shown];

type Answer = {
  readonly status: number;
  readonly retryAfterSeconds?: number;
} & ({ readonly body: unknown } | { readonly json: string } | { readonly text: string });

export class RewardServer {
  readonly #options: RewardServerOptions;
  readonly #scorer: Scorer;
  readonly #server: Server;
  readonly #puzzles: PuzzleRequests;
  readonly #recording: Recording | undefined;
  readonly #metrics = new Metrics();
  readonly #unanswered = new WeakMap<Socket, Set<() => void>>();
  #url = "";
  #heldBytes = 0;
  #heldRollouts = 0;
  #open = 0;
  #draining = false;
  #drained: Promise<void> | undefined;
  #whenIdle: () => void = () => {};

  private constructor(options: RewardServerOptions, scorer: Scorer, recording?: Recording) {
    this.#options = options;
    this.#scorer = scorer;
    this.#recording = recording;
    this.#puzzles = new PuzzleRequests(options.deadlineMs);
    this.#server = createServer(
      {
        headersTimeout: options.bodyDeadlineMs,
        // Bodies have our own clock, which answers; Node's would only hang up.
        requestTimeout: 0,
        connectionsCheckingInterval: Math.min(1_000, options.bodyDeadlineMs),
        keepAliveTimeout: 65_000,
      },
      (request, response) => void this.#serve(request, response),
    );
    limitConnections(this.#server, options.maxConnections);
  }

  /** With a recording, what is graded is written there; it ends with the server. */
  static async start(
    input: z.input<typeof rewardServerOptionsSchema> = {},
    recording?: Recording,
  ): Promise<RewardServer> {
    const options = rewardServerOptionsSchema.parse(input);
    checkAccess(options.host, options.token);
    const { workers, reward, grading, judge, grader } = options;
    // A judge that is slow or down costs its answers their verdict, and not the batch its rewards.
    const judgeMs = options.deadlineMs / 2;
    const scorer = await Scorer.start({ workers, reward, grading, judge, judgeMs, grader });
    const server = new RewardServer(options, scorer, recording);
    try {
      await new Promise<void>((resolve, reject) => {
        server.#server.once("error", reject);
        server.#server.listen(options.port, options.host, () => resolve());
      });
    } catch (error) {
      await scorer.close();
      throw error;
    }
    const { address, port, family } = server.#server.address() as AddressInfo;
    server.#url = `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
    return server;
  }

  /** Where it listens. */
  get url(): string {
    return this.#url;
  }

  /** Accepts nothing more, answers what it has accepted, then ends. Safe to call twice. */
  drain(): Promise<void> {
    this.#drained ??= this.#drain();
    return this.#drained;
  }

  async #drain(): Promise<void> {
    this.#draining = true;
    this.#server.close();
    let clock: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#whenIdle = resolve;
      clock = setTimeout(resolve, this.#options.drainMs);
      if (this.#open === 0) resolve();
    });
    clearTimeout(clock);
    this.#server.closeAllConnections();
    await Promise.all([this.#scorer.close(), this.#puzzles.close(), this.#recording?.close()]);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now();
    const hold: Hold = { bytes: 0, rollouts: 0, stop: new AbortController() };
    this.#open++;
    this.#whenOver(request.socket, response, () => {
      this.#release(hold);
      hold.stop.abort(new Refusal(499, "the client went away"));
      if (!response.writableFinished && hold.recorded !== undefined) this.#recording?.undelivered(hold.recorded);
      if (--this.#open === 0 && this.#draining) this.#whenIdle();
    });
    const { route, address } = routeOf(request);
    let answer: Answer;
    try {
      answer = await this.#answer(request, route, address, hold);
    } catch (error) {
      answer = this.#refused(error);
    }
    this.#metrics.count("requests_total", { route, status: answer.status });
    this.#metrics.duration(route, (performance.now() - started) / 1000);
    this.#send(request, response, answer, hold);
  }

  /** A pipelined reply that is still behind another one hears nothing when its connection ends, so that is heard here. */
  #whenOver(socket: Socket, response: ServerResponse, over: () => void): void {
    let unanswered = this.#unanswered.get(socket);
    if (unanswered === undefined) {
      this.#unanswered.set(socket, (unanswered = new Set()));
      socket.on("close", () => {
        for (const end of this.#unanswered.get(socket) ?? []) end();
      });
    }
    const waiting = unanswered;
    const once = () => {
      if (waiting.delete(once)) over();
    };
    waiting.add(once);
    response.on("close", once);
  }

  async #answer(request: IncomingMessage, route: string, address: URL, hold: Hold): Promise<Answer> {
    if (route === "/health" && request.method === "GET") {
      if (this.#draining) return { status: 503, body: { status: "draining" } };
      return { status: 200, body: { status: "ok", mathematics: this.#options.grading } };
    }
    refuseCrossSite(request, this.#options);
    if (!isAuthorized(request, address, this.#options.token))
      throw new Refusal(401, "no valid token; send it as `Authorization: Bearer …`");
    if (route === "other") throw new Refusal(404, `unknown address; expected one of: ${routes.join(", ")}`);
    const method = shown.includes(route) ? "GET" : "POST";
    if (request.method !== method) throw new Refusal(405, `use ${method} for ${route}`);
    if (route === "/metrics") return { status: 200, text: this.#metricsText() };
    if (this.#draining) throw new Refusal(503, "the server is shutting down; ask again elsewhere or later", 5);
    const body = await readJsonBody(request, {
      maxBytes: this.#options.maxBodyBytes,
      deadlineMs: this.#options.bodyDeadlineMs,
      reserve: (bytes) => this.#reserveBytes(hold, bytes),
    });
    const deadlineMs = deadlineOf(request, this.#options.deadlineMs);
    if (isPuzzleRoute(route)) {
      const puzzles = this.#puzzles.answer(route, body, hold.stop.signal);
      const late = `not done within ${deadlineMs} ms; ask for less or smaller`;
      return { status: 200, body: await this.#within(deadlineMs, late, puzzles, hold) };
    }
    return this.#score(requestShapes[route], body, deadlineMs, hold);
  }

  /** The work, which ends with its signal, or what is said when it takes too long. */
  async #within<T>(deadlineMs: number, late: string, work: Promise<T>, { stop }: Hold): Promise<T> {
    const clock = setTimeout(() => stop.abort(new Refusal(504, late, 1)), deadlineMs);
    try {
      return await work;
    } finally {
      clearTimeout(clock);
    }
  }

  async #score(shape: Shape, body: unknown, deadlineMs: number, hold: Hold): Promise<Answer> {
    const { rollouts, reply } = shape.read(body);
    this.#reserveRollouts(hold, rollouts.length);
    const late = `${rollouts.length} rollouts were not graded within ${deadlineMs} ms`;
    const scores = await this.#within(deadlineMs, late, this.#scorer.score(rollouts, hold.stop.signal), hold);
    for (const [i, { verdict }] of scores.entries())
      this.#metrics.count("rollouts_total", { kind: rollouts[i].question.kind, verdict });
    const written = reply(scores);
    if ("ungraded" in written) throw new Refusal(422, written.ungraded);
    if (this.#recording !== undefined) {
      hold.recorded = rollouts;
      await this.#recording.add(rollouts, scores);
    }
    return { status: 200, ...written };
  }

  #refused(error: unknown): Answer {
    if (error instanceof Refusal) {
      const { status, message, retryAfterSeconds } = error;
      return { status, body: { error: message }, retryAfterSeconds };
    }
    if (error instanceof z.ZodError) {
      const issues = error.issues.slice(0, 5).map(({ path, message }) => `${path.join(".") || "body"}: ${message}`);
      return { status: 422, body: { error: issues.join("; ").slice(0, 1_000) } };
    }
    // Our bug: the client learns that it is not at fault, and whoever runs the server gets the stack.
    console.error(error);
    return { status: 500, body: { error: "the reward server failed; its log says why" } };
  }

  #send(request: IncomingMessage, response: ServerResponse, answer: Answer, hold: Hold): void {
    if (response.destroyed || request.socket.destroyed) return;
    const { status, retryAfterSeconds } = answer;
    const plain = "text" in answer;
    const bytes = Buffer.from(plain ? answer.text : "json" in answer ? answer.json : JSON.stringify(answer.body));
    // The reply of a slow reader counts like a body until it is read.
    hold.bytes += bytes.length;
    this.#heldBytes += bytes.length;
    const unread = !request.complete;
    // Node would hang up on a client that asked for it as soon as the reply is written, although the client still sends.
    const closeLater = unread && !response.shouldKeepAlive;
    if (closeLater) response.shouldKeepAlive = true;
    response.writeHead(status, {
      "content-type": plain ? "text/plain; version=0.0.4; charset=utf-8" : "application/json",
      "content-length": bytes.length,
      ...(retryAfterSeconds !== undefined && { "retry-after": String(retryAfterSeconds) }),
      ...((this.#draining ? !unread : status === 408) && { connection: "close" }),
    });
    const clock = setTimeout(() => response.destroy(), this.#options.readerDeadlineMs);
    response.on("close", () => clearTimeout(clock));
    response.end(bytes);
    if (unread) discardRest(request, this.#options.bodyDeadlineMs, closeLater);
  }

  #reserveBytes(hold: Hold, bytes: number): void {
    if (this.#heldBytes + bytes > this.#options.maxHeldBytes)
      throw new Refusal(503, "the server is out of memory for requests; try again", 1);
    hold.bytes += bytes;
    this.#heldBytes += bytes;
  }

  #reserveRollouts(hold: Hold, rollouts: number): void {
    const { maxQueuedRollouts } = this.#options;
    if (rollouts > maxQueuedRollouts)
      throw new Refusal(413, `a request may have ${maxQueuedRollouts} rollouts; it has ${rollouts}`);
    if (this.#heldRollouts + this.#scorer.abandoned + rollouts > maxQueuedRollouts)
      throw new Refusal(429, "the queue is full; ask again", 1);
    hold.rollouts += rollouts;
    this.#heldRollouts += rollouts;
  }

  #release(hold: Hold): void {
    this.#heldBytes -= hold.bytes;
    this.#heldRollouts -= hold.rollouts;
  }

  #metricsText(): string {
    const { judged } = this.#scorer;
    return this.#metrics.text({
      open_requests: this.#open,
      held_bytes: this.#heldBytes,
      held_rollouts: this.#heldRollouts,
      waiting_puzzle_rollouts: this.#scorer.waiting,
      abandoned_mathematics_rollouts: this.#scorer.abandoned,
      killed_threads: this.#scorer.killedThreads,
      ...(judged && {
        judge_calls: judged.calls,
        judge_cached: judged.cached,
        judge_failed: judged.failed,
        judge_cost_dollars: judged.cost,
      }),
      resident_bytes: process.memoryUsage.rss(),
    });
  }
}

/** What one request holds until its reply is read or its connection is gone. */
type Hold = {
  bytes: number;
  rollouts: number;
  readonly stop: AbortController;
  recorded?: readonly RolloutToScore[];
};

function routeOf(request: IncomingMessage): { readonly route: string; readonly address: URL } {
  const asked = request.url ?? "/";
  const address = new URL(URL.canParse(asked, "http://server") ? asked : "/", "http://server");
  const path = address.pathname.length > 1 ? address.pathname.replace(/\/$/, "") : address.pathname;
  return { route: routes.includes(path) ? path : "other", address };
}

function deadlineOf(request: IncomingMessage, most: number): number {
  const asked = Number(request.headers["x-deadline-ms"]);
  return asked > 0 ? Math.min(asked, most) : most;
}

/**
 * A client that is still sending reads its reply only afterwards, and would see a broken pipe if we hung up. So the rest
 * of its body is read and dropped, for a while; hanging up is announced only where the client went silent (408).
 */
function discardRest(request: IncomingMessage, maxMs: number, closeAfter: boolean): void {
  const { socket } = request;
  const clock = setTimeout(() => socket.destroy(), maxMs);
  const over = () => {
    clearTimeout(clock);
    // The connection may live on, for many more requests.
    socket.off("close", over);
  };
  request.on("end", () => {
    over();
    if (closeAfter) socket.end();
  });
  socket.on("close", over);
  request.resume();
}
