// Who may ask the dashboard, and what it never hands out.
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunReply, RunsReply } from "../../src/dashboard/api.ts";
import { DashboardServer } from "../../src/dashboard/server.ts";
import { writeInventedRun } from "../report/invented-run.ts";
import { ServedFolder, writePages, writeRun } from "./served-folder.ts";

let served: ServedFolder;
let outside: string;
let host: string;

beforeAll(async () => {
  outside = await mkdtemp(join(tmpdir(), "repertoire-outside-"));
  await writeFile(
    join(outside, "private.jsonl"),
    '{"problem":"private","attempt":0,"policy":"p","state":"complete","response":"private"}\n',
  );
  await writeRun(join(outside, "elsewhere"), "evaluate", { policy: "private" });
  served = await ServedFolder.start(async (folder) => {
    await writeInventedRun(join(folder, "invented"));
    await mkdir(join(folder, "invented", "report", "figures"), { recursive: true });
    await writeFile(join(folder, "invented", "report", "index.html"), "<header><h1>A report</h1></header>");
    await writeFile(join(folder, "invented", "report", "figures", "a.svg"), "<svg/>");
    await symlink(join(outside, "private.jsonl"), join(folder, "invented", "report", "figures", "linked.csv"));
    await symlink(join(outside, "elsewhere"), join(folder, "linked-run"));
    await symlink(outside, join(folder, "linked-folder"));
    await writeRun(join(folder, "linked-log"), "evaluate", { policy: "x" }, { "problems.jsonl": [] });
    await symlink(join(outside, "private.jsonl"), join(folder, "linked-log", "rollouts.jsonl"));
    await mkdir(join(folder, "no-run"));
    await writeFile(join(folder, "no-run", "notes.txt"), "private notes");
  });
  host = new URL(served.server.url).host;
});
afterAll(async () => {
  await served.close();
  await rm(outside, { recursive: true });
});

describe("a server on this machine", () => {
  it("answers to loopback names and to no other", async () => {
    const port = host.split(":")[1];
    for (const name of [host, `localhost:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`])
      expect((await served.ask("/api/runs", { headers: { host: name } })).status, name).toBe(200);
    const foreign = [
      "evil.example",
      `evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      "127.0.0.1",
      `127.0.0.1:1`,
      `localhost.evil:${port}`,
      `192.168.1.2:${port}`,
    ];
    for (const name of foreign)
      expect((await served.ask("/api/runs", { headers: { host: name } })).status, name).toBeGreaterThanOrEqual(400);
  });

  it("serves the report of a run with a way back, and nothing else that lies there or elsewhere", async () => {
    const page = await served.ask("/reports/invented/index.html");
    expect([page.status, page.text]).toEqual([
      200,
      '<header><h1>A report</h1><p><a href="/runs/invented">This run in the dashboard</a></p></header>',
    ]);
    expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'unsafe-inline';/);
    expect((await served.ask("/reports/invented/figures/a.svg")).headers["content-type"]).toBe("image/svg+xml");
    const { run } = await served.get<RunReply>("run", { run: "invented" });
    expect(run.report).toBe(true);
    for (const path of ["figures/linked.csv", "..%2Frun.json", "figures/..%2F..%2Frun.json", "files.json", "figures"])
      expect((await served.ask(`/reports/invented/${path}`)).status, path).toBe(404);
    expect((await served.ask("/reports/nobody/index.html")).status).toBe(404);
  });

  it("lets people in while 600 connections are half open", async () => {
    const port = Number(host.split(":")[1]);
    const sockets = Array.from({ length: 600 }, () => connect(port, "127.0.0.1"));
    try {
      for (const socket of sockets) {
        // The server lets go of those that have been silent longest.
        socket.on("error", () => {});
        socket.write(`GET /api/runs HTTP/1.1\r\nHost: ${host}\r\n`);
      }
      await Promise.all(sockets.map((socket) => new Promise((done) => socket.once("connect", done))));
      for (let i = 0; i < 5; i++) expect((await served.ask("/api/runs")).status).toBe(200);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  it("does not answer other sites, whatever they ask", async () => {
    const origins = [
      "https://evil.example",
      "null",
      `http://evil.example`,
      `https://${host}`,
      `http://${host}.evil.example`,
      `http://localhost:1`,
    ];
    for (const origin of origins) {
      expect((await served.ask("/api/runs", { headers: { origin } })).status, origin).toBe(403);
      const post = { method: "POST", headers: { origin, "content-type": "application/json" }, body: "{}" };
      expect((await served.ask("/api/note", post)).status, origin).toBe(403);
    }
    for (const site of ["cross-site", "same-site"])
      expect((await served.ask("/api/runs", { headers: { "sec-fetch-site": site } })).status).toBe(403);
    expect((await served.ask("/api/runs", { headers: { origin: `http://${host}` } })).status).toBe(200);
    // Following a link from elsewhere to a page is what links are for.
    expect((await served.ask("/runs/invented", { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(200);
  });

  it("never allows another origin to read, and sends a strict policy with everything", async () => {
    for (const path of ["/", "/assets/dashboard-ABCDEFGH.js", "/api/runs", "/api/nothing"]) {
      const { headers } = await served.ask(path);
      expect(headers["access-control-allow-origin"]).toBeUndefined();
      expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'self'; /);
      expect(headers["content-security-policy"]).not.toMatch(/unsafe|\*|http:/);
      expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["referrer-policy"]).toBe("no-referrer");
    }
  });

  it("has pages at every address that names no file, and caches what has a hash in its name", async () => {
    const page = await served.ask("/runs/invented/rollouts?verdict=wrong");
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.headers["cache-control"]).toBe("no-cache");
    const script = await served.ask("/assets/dashboard-ABCDEFGH.js");
    expect(script.headers["cache-control"]).toContain("immutable");
    expect(script.headers["content-type"]).toContain("text/javascript");
    expect((await served.ask("/assets/dashboard-OLDOLDOL.js")).status).toBe(404);
    expect((await served.ask("/", { method: "POST" })).status).toBe(405);
  });

  it("hands out no file by its path", async () => {
    const paths = [
      "/../secret.txt",
      "/secret.txt",
      "/assets/../../runs/no-run/notes.txt",
      "/..%2f..%2fetc%2fpasswd",
      "/assets/..%2fsecret.txt",
      "//etc/passwd",
      "/%00",
      "/runs/no-run/notes.txt",
      "/assets/%2e%2e/%2e%2e/secret.txt",
      "/\\..\\secret.txt",
    ];
    for (const path of paths) {
      const { text } = await served.ask(path);
      expect(text, path).not.toMatch(/not a page|private|root:/);
    }
  });

  it("knows runs by the ids it found and takes no other for a path", async () => {
    const ids = [
      "../",
      "..",
      "/etc",
      "invented/../no-run",
      "no-run",
      "linked-run",
      "linked-folder/elsewhere",
      "./invented",
      "invented/",
      "invented\u0000",
      "__proto__",
      "%2e%2e",
    ];
    for (const run of ids) {
      const { status, text } = await served.ask(`/api/run?run=${encodeURIComponent(run)}`);
      expect(status, run).toBe(404);
      expect(text).not.toContain(outside);
    }
    for (const stage of ["../invented", "..", "evaluations/../vanilla", "/etc"]) {
      expect((await served.ask(`/api/training?run=invented&stage=${encodeURIComponent(stage)}`)).status).toBe(404);
      expect((await served.ask(`/api/trace?run=invented&source=${encodeURIComponent(stage)}&row=0`)).status).toBe(404);
    }
  });

  it("does not follow links out of the folder, and says so", async () => {
    const { runs, gaps } = await served.get<RunsReply>("runs");
    expect(runs.map(({ id }) => id).sort()).toEqual(["invented", "linked-log"]);
    expect(gaps.map(({ missing }) => missing).sort()).toEqual([
      "linked-folder, a link that leads elsewhere",
      "linked-run, a link that leads elsewhere",
    ]);
    const linked = runs.find(({ id }) => id === "linked-log")!;
    expect(linked.state).toBe("broken");
    expect(linked.problem).toContain("rollouts.jsonl is a link out of the served folder");
    const { sources } = await served.get<RunReply>("run", { run: "linked-log" });
    expect(sources).toEqual([]);
  });

  it("refuses queries that are too long, too many, misspelled or out of range", async () => {
    const long = "x".repeat(300);
    const refused: [string, number][] = [
      [`/api/rollouts?run=invented&text=${long}`, 400],
      [`/api/rollouts?run=invented&text=x`, 400],
      [`/api/rollouts?run=${"x".repeat(9_000)}`, 414],
      ["/api/rollouts?run=invented&limit=501", 400],
      ["/api/rollouts?run=invented&limit=0", 400],
      ["/api/rollouts?run=invented&offset=-1", 400],
      ["/api/rollouts?run=invented&offset=1e3", 400],
      ["/api/rollouts?run=invented&verdict=right", 400],
      ["/api/rollouts?run=invented&motif=compute→chekc", 400],
      ["/api/rollouts?run=invented&verdicts=wrong", 400],
      ["/api/rollouts?run=invented&run=other", 400],
      [`/api/rollouts?run=invented&${"verdict=wrong&".repeat(65)}`, 400],
      ["/api/rollouts", 400],
      ["/api/trace?run=invented&source=vanilla&row=0.5", 400],
      ["/api/trace?run=invented&source=vanilla&row=99999", 404],
      ["/api/constructor", 404],
      ["/api/__proto__", 404],
      ["/api/", 404],
    ];
    for (const [path, status] of refused) {
      const answer = await served.ask(encodeURI(path));
      expect(answer.status, path.slice(0, 80)).toBe(status);
      expect(JSON.parse(answer.text).error).toBeTypeOf("string");
    }
    expect((await served.ask("/api/runs", { method: "POST" })).status).toBe(405);
    expect((await served.ask("/api/note")).status).toBe(405);
  });
});

describe("a server with a token", () => {
  const token = "sixteen-characters-or-more";
  let guarded: ServedFolder;
  beforeAll(async () => {
    guarded = await ServedFolder.start((folder) => writeInventedRun(join(folder, "invented")), { token });
  });
  afterAll(() => guarded.close());

  it("answers only who has it", async () => {
    expect((await guarded.ask("/api/runs")).status).toBe(401);
    expect((await guarded.ask("/api/events")).status).toBe(401);
    expect((await guarded.ask("/api/runs", { headers: { authorization: "Bearer wrong" } })).status).toBe(401);
    expect((await guarded.ask("/api/runs", { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
    const { port } = new URL(guarded.server.url);
    expect((await guarded.ask("/api/runs", { headers: { cookie: `repertoire-${port}=wrong` } })).status).toBe(401);
    expect((await guarded.ask("/api/runs", { headers: { cookie: `repertoire-1=${token}` } })).status).toBe(401);
  });

  it("turns the token of an address into a cookie that scripts and other sites cannot use", async () => {
    const first = await guarded.ask(`/runs/invented?verdict=wrong&token=${token}`);
    const [cookie] = first.headers["set-cookie"] ?? [];
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/);
    expect(first.text).toContain('content="0; url=/runs/invented?verdict=wrong"');
    expect(first.text).not.toContain(token);
    const next = await guarded.ask("/api/runs", { headers: { cookie: cookie.split(";")[0] } });
    expect(next.status).toBe(200);
    expect((await guarded.ask("/?token=wrong-token-of-some-length")).status).toBe(401);
  });

  it("writes an address back as text, whatever is in it", async () => {
    const { text } = await guarded.ask(`/runs/%22%3E%3Cscript%3E?a="><script>&token=${token}`);
    expect(text).not.toContain("<script");
  });

  it("is needed wherever other machines can ask", async () => {
    const home = await mkdtemp(join(tmpdir(), "repertoire-dashboard-"));
    const client = await writePages(join(home, "client"));
    const options = { folder: home, client, port: 0, host: "0.0.0.0" };
    await expect(DashboardServer.start(options)).rejects.toThrow(/no token/);
    await expect(DashboardServer.start({ ...options, token: "short" })).rejects.toThrow(/at least 16/);
    await rm(home, { recursive: true });
  });
});

it("says what to do when the pages are not built", async () => {
  const home = await mkdtemp(join(tmpdir(), "repertoire-dashboard-"));
  const options = { folder: home, client: join(home, "nothing"), port: 0, host: "127.0.0.1" };
  await expect(DashboardServer.start(options)).rejects.toThrow(/not built .* run: npm run build/);
  await rm(home, { recursive: true });
});
