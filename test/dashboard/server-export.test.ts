// An export answers as the server does: every route is asked both ways and the replies compared.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunReply } from "../../src/dashboard/api.ts";
import { exportRun } from "../../src/dashboard/export.ts";
import { exportedReply } from "../../src/dashboard/exported-run.ts";
import { writeInventedRun } from "../report/invented-run.ts";
import { queryText, ServedFolder, writePages, writeRun } from "./served-folder.ts";

type Query = Readonly<Record<string, string | number | readonly string[]>>;

/** What the server calls the folder that it serves; an export calls it by its name. */
const run = ".";
const name = "runs";
let served: ServedFolder;
let home: string;
const out = () => join(home, "pages");

/** What a page does with its scripts: each calls the one function with its name and its data. */
async function load(name: string): Promise<unknown> {
  const script = await readFile(join(out(), "data", `${name}.js`), "utf8");
  let put: unknown;
  const repertoireData = (given: string, data: unknown) => {
    expect(given).toBe(name);
    put = data;
  };
  new Function("repertoireData", script)(repertoireData);
  return put;
}

const both = async (route: string, query: Query = {}) => ({
  here: await exportedReply(
    route,
    new URLSearchParams(queryText({ ...query, ...("run" in query && { run: name }) })),
    load,
  ),
  there: await served.get(route, query),
});

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "repertoire-export-"));
  served = await ServedFolder.start((folder) => writeInventedRun(folder));
  await served.indexed(run);
  const note = { run, source: "evaluations/sft", row: 2, text: "read this", tags: ["loop"], bookmarked: true };
  await served.server.library.note(note);
  const client = await writePages(join(home, "client"));
  await exportRun({ run: served.folder, out: out(), client, now: new Date("2026-02-03T04:05:06Z") });
});
afterAll(async () => {
  await served.close();
  await rm(home, { recursive: true });
});

describe("an export", () => {
  it("that is killed leaves nothing that looks like one, and the same command then writes it", async () => {
    const target = join(home, "killed");
    const options = { run: served.folder, out: target, client: join(home, "client"), now: new Date(0) };
    await expect(
      exportRun({
        ...options,
        onProgress: () => {
          throw new Error("killed");
        },
      }),
    ).rejects.toThrow("killed");
    // As kill -9 would leave it.
    await mkdir(join(home, ".killed.new-0a"));
    expect(existsSync(target)).toBe(false);
    await exportRun(options);
    expect(existsSync(join(target, "index.html"))).toBe(true);
    expect((await readdir(home)).filter((name) => name.includes("killed"))).toEqual(["killed"]);
    await expect(exportRun(options)).rejects.toThrow(/never overwrites/);
  });

  const questions: [string, Query][] = [
    ["training", { run, stage: "vanilla" }],
    ["training", { run, stage: "vanilla", after: 4 }],
    ["items", { run }],
    ["problems", { run }],
    ["changes", { run, first: "evaluations/base", second: "evaluations/novelty" }],
    ["changes", { run, first: "evaluations/sft", second: "evaluations/vanilla", set: "mathematics" }],
    ["pairs", { run, first: "evaluations/vanilla", second: "evaluations/novelty" }],
    ["problem", { run, problem: "sum-3" }],
    ["problem", { run, problem: "unknown" }],
    ["rollouts", { run, limit: 500 }],
    ["rollouts", { run, verdict: ["correct", "wrong"], primitive: "backtrack", sort: "depth", order: "desc" }],
    ["rollouts", { run, source: ["evaluations/sft", "vanilla"], motif: "CKC", offset: 10, limit: 20 }],
    ["rollouts", { run, set: "mathematics", maxTokens: 100, sort: "tokens" }],
    ["rollouts", { run, category: "recovery trigrams", puzzle: "bridges" }],
    ["rollouts", { run, source: "evaluations/novelty", text: "back cell" }],
    ["motifs", { run }],
    ["motifs", { run, length: 5, source: "evaluations/vanilla", set: "larger puzzles" }],
    ["motif", { run, motif: "recovery trigrams", limit: 5 }],
    ["motif", { run, motif: "compute→check", source: "evaluations/base", offset: 3 }],
    ["rollouts", { run, sort: "problem", order: "desc" }],
    ["rollouts", { run, tag: "loop" }],
    ["notes", { run }],
    ["similar", { run, source: "evaluations/sft", row: 2 }],
    ["similar", { run, source: "evaluations/sft", row: 2, by: "words", limit: 50 }],
  ];
  it.each(questions)("answers %s %j as the server does", async (route, query) => {
    const { here, there } = await both(route, query);
    // Nobody writes in an export.
    expect(here).toEqual(route === "notes" ? { ...(there as object), writable: false } : there);
  });

  it("describes the run as the server does, by its name", async () => {
    const { here, there } = (await both("run", { run })) as Record<"here" | "there", RunReply>;
    expect(here).toEqual({ ...there, run: { ...there.run, id: name } });
  });

  it("has every trace of every source", async () => {
    for (const source of ["evaluations/base", "vanilla", "."]) {
      for (const row of [0, 1, 11]) {
        const { here, there } = await both("trace", { run, source, row });
        expect(here).toEqual(there);
      }
    }
  });

  it("is one page, the client and scripts, and lists its one run", async () => {
    expect((await readdir(out())).sort()).toEqual(["assets", "data", "index.html"]);
    const page = await readFile(join(out(), "index.html"), "utf8");
    expect(page).toContain("repertoire-export");
    expect(page).toMatch(/<head>\s*<meta http-equiv="Content-Security-Policy" content="default-src 'none';/);
    expect((await readdir(join(out(), "data"))).every((name) => name.endsWith(".js"))).toBe(true);
    const list = await exportedReply("runs", new URLSearchParams(), load);
    expect(list).toMatchObject({ runs: [{ id: name, kind: "recipe" }], juries: [] });
  });

  it("says what it cannot answer", async () => {
    await expect(exportedReply("run", new URLSearchParams("run=other"), load)).rejects.toThrow(/holds the run/);
    await expect(exportedReply("jury", new URLSearchParams("jury=x"), load)).rejects.toThrow(/cannot answer jury/);
    await expect(
      exportedReply("trace", new URLSearchParams("run=runs&source=vanilla&row=99999"), load),
    ).rejects.toThrow(/no row/);
    await expect(exportedReply("rollouts", new URLSearchParams("run=runs&limit=9999"), load)).rejects.toThrow();
  });

  it("is never written over anything, nor from something that is no run", async () => {
    const options = { client: join(home, "client"), now: new Date(0) };
    await expect(exportRun({ ...options, run: served.folder, out: out() })).rejects.toThrow(/exists/);
    await expect(exportRun({ ...options, run: home, out: join(home, "other") })).rejects.toThrow(/not a run folder/);
    expect(existsSync(join(home, "other"))).toBe(false);
  });

  it("keeps long texts in files of their own", async () => {
    const folder = join(home, "long");
    const pages = join(home, "long-pages");
    const response = `<think>${"So 2 and 2 is 4, and that is right. ".repeat(3_000)}</think>`;
    const long = Array.from({ length: 12 }, (_, i) => ({
      problem: `p${i}`,
      attempt: 0,
      policy: "p",
      state: "complete",
      response,
    }));
    await writeRun(folder, "evaluate", { policy: "p" }, { "problems.jsonl": [], "rollouts.jsonl": long });
    await exportRun({ run: folder, out: pages, client: join(home, "client"), now: new Date(0) });
    const files = await readdir(join(pages, "data"));
    const sizes = await Promise.all(files.map(async (name) => (await readFile(join(pages, "data", name))).length));
    expect(Math.max(...sizes)).toBeLessThan(1_500_000);
    expect(files.filter((name) => name.startsWith("traces-0-")).length).toBeGreaterThan(1);
  });
});
