// A jury at the command line: stopped by hand it is no failure, and the same command resumes with what is missing.
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { startFakeServer } from "../endpoints/fake-server.ts";

const command = resolve(import.meta.dirname, "../../dist/cli/main.js");

test("interrupted and resumed, every judge is asked about every span once", async () => {
  const folder = await mkdtemp(join(tmpdir(), "jury-"));
  let answered = 0;
  let stalls = true;
  const labels = (prompt: string) => Array.from(prompt.matchAll(/<item number=/g), () => "compute");
  const server = await startFakeServer(({ body }) => {
    // Four answers, then silence until the command is run again.
    if (stalls && answered === 4) return { stall: true };
    answered += 1;
    return { say: JSON.stringify(labels(body.messages!.at(-1)!.content)) };
  });
  try {
    const spans = Array.from({ length: 40 }, (_, i) => ({ id: `s${i}`, text: `so x = ${i}`, previous: "" }));
    await writeFile(join(folder, "spans.jsonl"), spans.map((span) => JSON.stringify(span)).join("\n"));
    const judge = async (whenSaid?: (child: ReturnType<typeof spawn>) => void) => {
      const judges = ["a", "b"].flatMap((name) => ["--judge", `${name}@${server.url}`]);
      const flags = ["--spans", join(folder, "spans.jsonl"), "--spans-per-request", "4", "--out", join(folder, "jury")];
      const child = spawn(process.execPath, [command, "traces", "judge", ...judges, ...flags], { stdio: "pipe" });
      let errors = "";
      child.stderr.on("data", (chunk) => (errors += chunk));
      whenSaid?.(child);
      const status = await new Promise<number | null>((done) => child.on("close", done));
      return { status, errors };
    };
    const votes = async () =>
      (await readFile(join(folder, "jury/votes.jsonl"), "utf8"))
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));

    const first = await judge(async (child) => {
      while (answered < 4) await new Promise((later) => setTimeout(later, 20));
      while (!(await votes().catch(() => [])).some(({ span }) => span !== undefined))
        await new Promise((later) => setTimeout(later, 20));
      child.kill("SIGINT");
    });
    expect(first).toEqual({
      status: 130,
      errors: expect.stringMatching(/^20 requests, .*\n\nstopping; run the same command again to resume\n$/),
    });
    const kept = (await votes()).length;
    expect(kept).toBeGreaterThanOrEqual(4);
    expect(kept).toBeLessThanOrEqual(16);

    stalls = false;
    expect((await judge()).status).toBe(0);
    const all = await votes();
    expect(all).toHaveLength(80);
    expect(new Set(all.map(({ span, judge }) => `${judge} ${span}`)).size).toBe(80);
    const judged = (await readFile(join(folder, "jury/judged.jsonl"), "utf8")).trim().split("\n");
    expect(judged.map((line) => JSON.parse(line).votes)).toEqual(spans.map(() => ({ a: "compute", b: "compute" })));
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
});
