// `npm run data` against a server of our own that knows ranges, cuts a reply short and hands out wrong bytes. It serves
// invented bytes: the digests of the script are the judge, so here nothing may pass but what is refused or resumed.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const body = Buffer.from(Array.from({ length: 4000 }, (_, line) => `{"problem": ${line}}\n`).join(""));

const answers = 'id,answer\n1,103\n2,"\\frac{1}{2}, ""x"""\n';
const competition =
  '{"id": 1, "problem": "Find $1$.", "answer": "103"}\n{"id": 2, "problem": "Find $2$.", "answer": "\\\\frac{1}{2}, \\"x\\""}\n';

let folder: string;
let script: string;
let server: Server;
let asked: { readonly url: string; readonly range: string | undefined }[];
let reply: "whole" | "cut" | "wrong" | "missing";

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "repertoire-data-"));
  // The script with the digest of what the server here has in place of those it knows.
  script = join(folder, "scripts", "fetch-data.mjs");
  mkdirSync(join(folder, "scripts"));
  const sha256 = createHash("sha256").update(body).digest("hex");
  const source = readFileSync(join(root, "scripts/fetch-data.mjs"), "utf8");
  const digests = [sha256, sha256, sha256, createHash("sha256").update(competition).digest("hex")];
  writeFileSync(
    script,
    source.replaceAll(/sha256: "[0-9a-f]{64}"/g, () => `sha256: "${digests.shift()}"`),
  );
  asked = [];
  reply = "whole";
  server = createServer((request, response) => {
    const { range } = request.headers;
    asked.push({ url: request.url ?? "", range });
    const problem = /problems\/(\d)\.tex$/.exec(request.url ?? "");
    if (problem !== null) return response.end(`Find $${problem[1]}$.\n`);
    if (request.url?.endsWith(".csv") && reply !== "missing") return response.end(answers);
    if (reply === "missing") return response.writeHead(404).end();
    const start = Number(/bytes=(\d+)-/.exec(range ?? "")?.[1] ?? 0);
    if (start >= body.length) return response.writeHead(416).end();
    const bytes = reply === "wrong" ? Buffer.alloc(body.length, 32) : body.subarray(start);
    response.writeHead(start > 0 ? 206 : 200, { "content-length": bytes.length });
    if (reply !== "cut") return response.end(bytes);
    return response.write(bytes.subarray(0, 20_000), () => setTimeout(() => request.socket.destroy(), 50));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
});

afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

function fetchData(): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const { port } = server.address() as AddressInfo;
  const env = { ...process.env, REPERTOIRE_GITHUB_RAW: `http://127.0.0.1:${port}` };
  return new Promise((done) =>
    execFile(process.execPath, [script, "--out", join(folder, "data")], { env }, (error, out, err) =>
      done({ code: error === null ? 0 : Number(error.code), out, err }),
    ),
  );
}

const easy = () => join(folder, "data/benchmarks/OlymMATH-EN-EASY.jsonl");

it("fetches every file once, at a fixed revision, and says what it cannot fetch", async () => {
  const first = await fetchData();
  expect(first.code, first.err).toBe(0);
  expect(readFileSync(easy())).toEqual(body);
  expect(asked).toHaveLength(6);
  expect(readFileSync(join(folder, "data/benchmarks/hmmt_feb_2025.jsonl"), "utf8")).toBe(competition);
  for (const { url } of asked) expect(url).toMatch(/^\/[\w-]+\/[\w-]+\/[0-9a-f]{40}\//);
  expect(first.out).toMatch(/not fetched mathverify\/cases\.jsonl/);
  await fetchData();
  expect(asked).toHaveLength(6);
});

it("resumes what was cut off", async () => {
  reply = "cut";
  const cut = await fetchData();
  expect(cut.code).toBe(1);
  expect(cut.err).toMatch(/failed {4}benchmarks\/OlymMATH-EN-EASY\.jsonl/);
  expect(existsSync(easy())).toBe(false);
  reply = "whole";
  asked = [];
  const whole = await fetchData();
  expect(whole.code, whole.err).toBe(0);
  expect(asked.map(({ range }) => range)).toEqual(Array(3).fill("bytes=20000-"));
  expect(readFileSync(easy())).toEqual(body);
});

it("refuses other bytes, keeps none of them, and names what was found", async () => {
  reply = "wrong";
  const { code, err } = await fetchData();
  expect(code).toBe(1);
  expect(err).toMatch(/has the digest [0-9a-f]{64}, not [0-9a-f]{64}/);
  expect(existsSync(easy())).toBe(false);
  expect(existsSync(`${easy()}.part`)).toBe(false);
});

it("says which address failed and leaves a file of the user's alone", async () => {
  reply = "missing";
  mkdirSync(join(folder, "data/benchmarks"), { recursive: true });
  writeFileSync(easy(), "mine");
  const { code, err } = await fetchData();
  expect(code).toBe(1);
  expect(err).toMatch(/aime25\/test\.txt answered 404/);
  expect(err).toMatch(/is another file/);
  expect(readFileSync(easy(), "utf8")).toBe("mine");
});
