// `repertoire dashboard` as a person starts it: what it prints, what it refuses, how it ends.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunsReply } from "../../src/dashboard/api.ts";
import { writeInventedRun } from "../report/invented-run.ts";

const root = resolve(import.meta.dirname, "../..");
const built = existsSync(join(root, "dist/dashboard/client/index.html"));
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "repertoire-dashboard-"));
  await writeInventedRun(join(home, "runs", "invented"));
});
afterAll(() => rm(home, { recursive: true }));

const start = (...args: string[]) => run("dashboard", ...args);

function run(...args: string[]) {
  const command = spawn(process.execPath, [join(root, "dist/cli/main.js"), ...args], {
    cwd: home,
    env: { ...process.env, NO_COLOR: "1" },
  });
  let printed = "";
  for (const stream of [command.stdout, command.stderr])
    stream.on("data", (text) => {
      printed += text;
    });
  return { command, printed: () => printed };
}

async function addressOf({ command, printed }: ReturnType<typeof start>): Promise<string> {
  for (;;) {
    const found = /http:\/\/\S+/.exec(printed());
    if (found !== null) return found[0];
    if (command.exitCode !== null) throw new Error(`it ended: ${printed()}`);
    await Promise.race([once(command.stdout, "data"), once(command, "exit")]);
  }
}

async function end(command: ChildProcess): Promise<number | null> {
  const ended = once(command, "exit");
  command.kill("SIGINT");
  await ended;
  return command.exitCode;
}

describe.skipIf(!built)("the command (needs the built client: npm run build)", () => {
  it("serves the runs of the folder it is started in, and ends when asked to", async () => {
    const started = start("--port", "0");
    const address = await addressOf(started);
    const { runs, folder } = (await (await fetch(new URL("/api/runs", address))).json()) as RunsReply;
    expect([folder, runs[0].id]).toEqual(["runs", "invented"]);
    expect(await (await fetch(address)).text()).toContain("<title>Repertoire</title>");
    expect(await end(started.command)).toBe(0);
  });

  it("makes a token up where other machines can ask, and prints it once, in the address", async () => {
    const started = start("runs/invented", "--port", "0", "--host", "0.0.0.0");
    const address = new URL(await addressOf(started));
    const token = address.searchParams.get("token") ?? "";
    expect(token.length).toBeGreaterThanOrEqual(32);
    const api = `http://127.0.0.1:${address.port}/api/runs`;
    expect((await fetch(api)).status).toBe(401);
    expect((await fetch(api, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
    await end(started.command);
  });

  it("says what is wrong and what to do", async () => {
    const refusals: [string[], RegExp][] = [
      [["dashboard", "nowhere"], /nowhere does not exist; .*repertoire run mini/],
      [["dashboard", "--token", "short"], /at least 16/],
      [["page", "runs", "--out", "pages"], /runs is not a run folder/],
    ];
    for (const [args, message] of refusals) {
      const { command, printed } = run(...args);
      await once(command, "exit");
      expect(printed()).toMatch(message);
      expect(command.exitCode).toBe(1);
    }
  });

  it("writes a page that holds everything it needs", async () => {
    const { command, printed } = run("page", "runs/invented", "--out", "pages");
    await once(command, "exit");
    expect(printed()).toContain("pages/index.html");
    expect((await readdir(join(home, "pages"))).sort()).toEqual(["assets", "data", "index.html"]);
  });
});
