// The polling rules against a server that does everything a server may do.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { EngineError, RemoteServiceError } from "../../src/base/errors.ts";
import { Connection, LostRequestError } from "../../src/engine/tinker/connection.ts";

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
async function serve(script: Answer[]): Promise<{ asked: string[]; keys: (string | undefined)[] }> {
  const seen = { asked: [] as string[], keys: [] as (string | undefined)[] };
  server = createServer((request, response) => {
    seen.asked.push(request.url!);
    seen.keys.push(request.headers["x-api-key"] as string | undefined);
    request
      .resume()
      .on("end", () => (script.shift() ?? json({ detail: "the script is over" }, 400))(request, response));
  });
  await new Promise<void>((done) => server!.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  connection = new Connection({
    url: `http://127.0.0.1:${port}`,
    key: "secret",
    clientVersion: "1",
    patienceSeconds: 3,
  });
  return seen;
}

const future = { request_id: "r1" };

describe("a future", () => {
  it("is polled again on try_again and 408, and through dropped connections, 429 and 5xx", async () => {
    const seen = await serve([
      json({ type: "try_again", queue_state: "active" }),
      json({}, 408),
      dropped,
      json({}, 429),
      json({}, 503),
      json({ type: "optim_step", metrics: {} }),
    ]);
    expect(await connection!.result(future, "optim_step")).toEqual({ json: { type: "optim_step", metrics: {} } });
    expect(seen.asked).toHaveLength(6);
    expect(new Set(seen.keys)).toEqual(new Set(["secret"]));
  });

  it("that is known to be complete but withheld is asked for again", async () => {
    await serve([json({ status: "complete_metadata", response_payload_size: 9 }), json({ ok: 1 })]);
    expect(await connection!.result(future, "sample")).toEqual({ json: { ok: 1 } });
  });

  it("that failed is an error of the engine with the server's words", async () => {
    await serve([json({ error: "out of memory", category: "server" })]);
    await expect(connection!.result(future, "forward_backward")).rejects.toThrow(EngineError);
    await serve([json({ error: "out of memory", category: "server" })]);
    await expect(connection!.result(future, "forward_backward")).rejects.toThrow(
      /could not forward_backward: out of memory/,
    );
  });

  it.each([404, 410])("that the server no longer knows (%d) is lost, not retried for ever", async (status) => {
    const seen = await serve([json({ detail: "unknown" }, status)]);
    await expect(connection!.result(future, "sample")).rejects.toThrow(LostRequestError);
    expect(seen.asked).toHaveLength(1);
  });

  it("in protobuf comes back as bytes", async () => {
    await serve([
      (_, response) =>
        response.writeHead(200, { "content-type": "application/x-protobuf" }).end(Buffer.from([1, 2, 3])),
    ]);
    expect((await connection!.result(future, "forward_backward")).protobuf).toEqual(Uint8Array.of(1, 2, 3));
  });
});

describe("a request", () => {
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
    connection = new Connection({ url: `http://127.0.0.1:${port}`, clientVersion: "1", patienceSeconds: 0.5 });
    await expect(connection.get("healthz")).rejects.toThrow(/is the server running\?/);
  });
});
