// Who may ask the torch-engine, and in what form: the real server, spoken to byte by byte.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decoderConfig } from "../../src/engine/embedded/model/decoder-config.ts";
import { TorchHost, withoutTorch } from "./torch-host.ts";

const folder = mkdtempSync(join(tmpdir(), "repertoire-gate-"));
const host = new TorchHost();
let port = 0;

async function start(token: string): Promise<void> {
  const model = join(folder, "model");
  const shape = { vocabularySize: 12, width: 32, layers: 1, heads: 4, keyHeads: 2, contextLength: 64 };
  mkdirSync(model, { recursive: true });
  writeFileSync(join(model, "config.json"), JSON.stringify(decoderConfig({ family: "llama", ...shape }).source));
  const flags = `--device cpu --dtype float32 --port 0 --threads 1 --model ${model} --checkpoints ${join(folder, "checkpoints")}`;
  const server = await host.run("repertoire_torch_engine", flags.split(" "), { REPERTOIRE_ENGINE_TOKEN: token });
  port = Number(new URL(JSON.parse(await server.firstLine).ready).port);
}

/** Everything that comes back until the server closes, which it is asked to do by the last request. */
function said(...requests: readonly string[]): Promise<string> {
  return new Promise((done, fail) => {
    let heard = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(requests.join("")));
    socket.on("data", (chunk) => {
      heard += chunk;
    });
    socket.on("end", () => done(heard));
    socket.on("error", fail);
    // A server that waits for more says nothing: that is what is found wrong.
    socket.setTimeout(180_000, () => {
      socket.destroy();
      done(`${heard} (nothing more)`);
    });
  });
}

const statuses = (heard: string) => [...heard.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));

const request = (body: string, headers: Readonly<Record<string, string | undefined>> = {}, path = "create_session") => {
  const usual = { Host: `127.0.0.1:${port}`, "Content-Type": "application/json", "Content-Length": `${body.length}` };
  const lines = Object.entries({ ...usual, Connection: "close", ...headers }).filter(
    ([, value]) => value !== undefined,
  );
  return `POST /api/v1/${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`;
};

afterAll(() => {
  host.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(withoutTorch !== undefined)("the torch-engine without a token", () => {
  beforeAll(() => start(""));

  it.each([
    ["a program", {}, 200],
    ["a program that names localhost", { Host: "localhost:9" }, 200],
    ["a program with a charset", { "Content-Type": "application/json; charset=utf-8" }, 200],
    ["a page by a name that leads here", { Host: "evil.example:8421" }, 421],
    ["a name that only begins like ours", { Host: "127.0.0.1.evil.example" }, 421],
    ["a page of another site", { Origin: "http://evil.example" }, 403],
    ["a page without an origin", { Origin: "null" }, 403],
    ["what a browser calls cross-site", { "Sec-Fetch-Site": "cross-site" }, 403],
    ["a form", { "Content-Type": "text/plain" }, 415],
    ["nothing in particular", { "Content-Type": undefined }, 415],
    ["no length", { "Content-Length": undefined }, 411],
    ["a negative length", { "Content-Length": "-1" }, 400],
    ["a signed length", { "Content-Length": "+2" }, 400],
    ["two lengths", { "Content-Length": "2\r\nContent-Length: 0" }, 400],
    ["chunks", { "Transfer-Encoding": "chunked" }, 411],
    ["too much", { "Content-Length": "99999999999" }, 413],
    ["two origins", { Origin: "http://127.0.0.1\r\nOrigin: http://evil.example" }, 400],
    ["two content types", { "Content-Type": "application/json\r\nContent-Type: text/plain" }, 400],
  ])("%s", async (_, headers, status) => {
    expect(statuses(await said(request("{}", headers)))).toEqual([status]);
  });

  it("reads nothing behind a request that it refused", async () => {
    const two = request("{}", { "Content-Length": "0\r\nContent-Length: 2", Connection: undefined });
    expect(statuses(await said(two, request("{}")))).toEqual([400]);
    const foreign = request("{}", { Origin: "http://evil.example", Connection: undefined });
    expect(statuses(await said(foreign, request("{}")))).toEqual([403]);
  });

  it("takes no body of a request that has none for another request", async () => {
    const smuggled = request("{}");
    const head = (name: string, value: string) =>
      `GET /api/v1/healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n${name}: ${value}\r\n\r\n${smuggled}`;
    expect(statuses(await said(head("Content-Length", `${smuggled.length}`)))).toEqual([400]);
    expect(statuses(await said(head("Transfer-Encoding", "chunked")))).toEqual([400]);
  });

  it.each(["[]", "null", "5", '"text"'])("what is no request is said to be none: %s", async (body) => {
    expect(statuses(await said(request(body, {}, "create_model")))).toEqual([400]);
    expect(statuses(await said(request(body, {}, "create_sampling_session")))).toEqual([400]);
  });

  it("answers requests of one connection in their order, also after one that was malformed", async () => {
    const going = { Connection: undefined };
    const all = [request("{}", going), request("{", going), request("{}", going), request("{}")];
    expect(statuses(await said(...all))).toEqual([200, 400, 200, 200]);
  });

  it("refuses JSON that is nested without end, and lives", async () => {
    expect(await said(request("[".repeat(200_000)))).toMatch(/^HTTP\/1\.1 400 [\s\S]*nested too deeply/);
    expect(statuses(await said(request("{}")))).toEqual([200]);
  });

  it("a body that ends early is no request", async () => {
    const heard = await new Promise<string>((done) => {
      let all = "";
      const socket = connect(port, "127.0.0.1", () => socket.end(request("{}", { "Content-Length": "900" })));
      socket.on("data", (chunk) => {
        all += chunk;
      });
      socket.on("close", () => done(all));
    });
    expect(heard).toContain("the body ended after 2 of 900 bytes");
  });
});

describe.skipIf(withoutTorch !== undefined)("the torch-engine with a token", () => {
  const token = "a-token-of-sixteen-or-more";
  beforeAll(() => start(token));

  it.each([
    ["with it, by any name", { "X-API-Key": token, Host: "gpu.example:1" }, 200],
    ["with it, as OpenAI's clients send it", { Authorization: `Bearer ${token}` }, 200],
    ["without it", {}, 401],
    ["with another", { "X-API-Key": "wrong" }, 401],
    ["with letters of another alphabet", { "X-API-Key": "\u00fc" }, 401],
  ])("%s", async (_, headers, status) => {
    expect(statuses(await said(request("{}", headers)))).toEqual([status]);
  });
});
