// The polling rules against a server that does everything a server may do.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { EngineError, RemoteServiceError } from "../../src/base/errors.ts";
import { Connection, type ConnectionOptions, LostRequestError } from "../../src/engine/tinker/connection.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server | undefined;
let connection: Connection | undefined;
afterEach(async () => {
  await connection?.close();
  server?.closeAllConnections();
  await new Promise((done) => server?.close(done));
});

const json =
  (value: unknown, status = 200): Answer =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  };
const dropped: Answer = (request) => request.socket.destroy();

/** Answers requests one after another from the script; remembers what it was asked. */
async function serve(script: Answer[], options: Partial<ConnectionOptions> = {}) {
  const seen = { asked: [] as string[], keys: [] as (string | undefined)[], told: [] as string[] };
  server = createServer((request, response) => {
    seen.asked.push(request.url!.replace("/api/v1/", ""));
    seen.keys.push(request.headers["x-api-key"] as string | undefined);
    request
      .resume()
      .on("end", () => (script.shift() ?? json({ detail: "the script is over" }, 422))(request, response));
  });
  await new Promise<void>((done) => server!.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  connection = new Connection({
    url: `http://127.0.0.1:${port}/`,
    key: "secret",
    patienceSeconds: 3,
    futureSeconds: 10,
    emit: (message) => seen.told.push(message),
    ...options,
  });
  return seen;
}

const accepted = json({ request_id: "r1" });
const work = async (path = "optim_step") => (await connection!.submit(path, { json: {} })).result();

describe("a future", () => {
  it("is polled again on try_again and 408, and through dropped connections, 429 and 5xx", async () => {
    const seen = await serve([
      accepted,
      json({ type: "try_again", queue_state: "active" }),
      json({}, 408),
      dropped,
      json({}, 429),
      json({}, 503),
      json({ type: "optim_step", metrics: {} }),
    ]);
    expect(await work()).toEqual({ json: { type: "optim_step", metrics: {} } });
    expect(seen.asked).toEqual(["optim_step", ...new Array(6).fill("retrieve_future")]);
    expect(new Set(seen.keys)).toEqual(new Set(["secret"]));
  });

  it("that is known to be complete but withheld is asked for again", async () => {
    await serve([accepted, json({ status: "complete_metadata", response_payload_size: 9 }), json({ ok: 1 })]);
    expect(await work("asample")).toEqual({ json: { ok: 1 } });
  });

  it("that failed is an error of the engine with the server's words", async () => {
    await serve([accepted, json({ error: "out of memory", category: "server" })]);
    const failure = await work("forward_backward").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EngineError);
    expect((failure as Error).message).toMatch(/could not forward_backward: out of memory/);
  });

  it("that is called malformed gets three more chances, and is then refused", async () => {
    const malformed = json({ detail: "engine is starting" }, 400);
    await serve([accepted, malformed, malformed, malformed, json({ ok: 1 })]);
    expect(await work()).toEqual({ json: { ok: 1 } });
    await connection!.close();
    const seen = await serve([accepted, malformed, malformed, malformed, malformed, malformed]);
    await expect(work()).rejects.toThrow(/400.*engine is starting/);
    expect(seen.asked).toHaveLength(5);
  });

  it.each([404, 410])("that the server forgot (%d) is sent again, three times, and is then lost", async (status) => {
    const unknown = json({ detail: "unknown" }, status);
    await serve([accepted, unknown, json({ request_id: "r2" }), json({ ok: 2 })]);
    expect(await work()).toEqual({ json: { ok: 2 } });
    await connection!.close();
    const seen = await serve(Array.from({ length: 4 }, () => [accepted, unknown]).flat());
    await expect(work()).rejects.toThrow(LostRequestError);
    expect(seen.asked).toHaveLength(8);
  });

  it("that never comes is dead after a while, and sent again", async () => {
    const seen = await serve([], { futureSeconds: 0 });
    server!.removeAllListeners("request");
    server!.on("request", (request: IncomingMessage, response: ServerResponse) => {
      seen.asked.push(request.url!);
      request.resume().on("end", () => {
        const poll = request.url!.endsWith("retrieve_future");
        setTimeout(() => (poll ? json({ type: "try_again" }) : accepted)(request, response), 5);
      });
    });
    await expect(work()).rejects.toThrow(/no result after 0 s/);
    expect(seen.asked.filter((path) => path.endsWith("optim_step"))).toHaveLength(4);
  });

  it("in protobuf comes back as bytes", async () => {
    await serve([
      accepted,
      (_, response) =>
        response.writeHead(200, { "content-type": "application/x-protobuf" }).end(Buffer.from([1, 2, 3])),
    ]);
    expect((await work("forward_backward")).protobuf).toEqual(Uint8Array.of(1, 2, 3));
  });

  it("is given up at once when nobody wants it any more", async () => {
    await serve([accepted, () => {}]);
    const stop = new AbortController();
    const pending = await connection!.submit("asample", { json: {} });
    setTimeout(() => stop.abort(new Error("not wanted")), 20);
    await expect(pending.result(stop.signal)).rejects.toThrow(/not wanted/);
  });
});

describe("a key", () => {
  it("is sent as it is where the server wants nothing else, or does not know the question", async () => {
    const seen = await serve([json({ pjwt_auth_enabled: false }), json({}), json({}, 404), json({})]);
    await connection!.authenticate("1");
    await connection!.post("create_session", {});
    await connection!.authenticate("1");
    await connection!.post("create_session", {});
    expect(new Set(seen.keys)).toEqual(new Set(["secret"]));
  });

  it("is exchanged where the server wants that, and again when what it got expires", async () => {
    const seen = await serve([
      json({ pjwt_auth_enabled: true }),
      json({ jwt: "first" }),
      json({}),
      json({ detail: "expired" }, 401),
      json({ jwt: "second" }),
      json({ ok: 1 }),
    ]);
    await connection!.authenticate("1");
    await connection!.post("optim_step", {});
    expect(await connection!.post("optim_step", {})).toEqual({ ok: 1 });
    expect(seen.asked).toEqual(["client/config", "auth/token", "optim_step", "optim_step", "auth/token", "optim_step"]);
    expect(seen.keys).toEqual(["secret", "secret", "first", "first", "secret", "second"]);
  });

  it("that is wrong is refused at once", async () => {
    const seen = await serve([json({ detail: "who are you" }, 401)]);
    await expect(connection!.post("optim_step", {})).rejects.toThrow(/401.*who are you/);
    expect(seen.asked).toHaveLength(1);
  });
});

describe("a request", () => {
  it("that the server asks to wait for goes again, and waiting for a busy server costs no patience", async () => {
    await serve([json({}, 429), json({}, 429), json({ ok: 1 })], { patienceSeconds: 0.1 });
    expect(await connection!.post("optim_step", {})).toEqual({ ok: 1 });
  });

  it("that is answered with something else than JSON is an error of the data", async () => {
    await serve([(_, response) => response.end("<html>")]);
    await expect(connection!.post("optim_step", {})).rejects.toThrow(
      /not JSON; is --engine the address of an engine\? It said: <html>/,
    );
  });

  it("that the server refuses is not sent again, and says what the server said, without the key", async () => {
    const seen = await serve([json({ detail: "malformed" }, 400)]);
    const failure = await connection!.post("optim_step", {}).catch((error: unknown) => error as Error);
    expect(failure).toBeInstanceOf(RemoteServiceError);
    expect((failure as Error).message).toMatch(/400.*malformed/);
    expect((failure as Error).message).not.toContain("secret");
    expect(seen.asked).toHaveLength(1);
  });

  it("to nobody gives up after its patience and asks whether the server runs", async () => {
    await serve([]);
    const { port } = server!.address() as AddressInfo;
    await new Promise((done) => server!.close(done));
    const told: string[] = [];
    connection = new Connection({
      url: `http://127.0.0.1:${port}`,
      patienceSeconds: 0.7,
      futureSeconds: 1,
      emit: (message) => told.push(message),
    });
    await expect(connection.get("healthz")).rejects.toThrow(/is the server running\?/);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/does not answer.*trying again/);
  });
});

it.each(["notaurl", "localhost:8000", "file:///etc/passwd", ""])(
  "the address %j is refused before anything is asked",
  (url) => {
    expect(() => new Connection({ url, patienceSeconds: 3, futureSeconds: 3 })).toThrow("invalid server address");
  },
);
