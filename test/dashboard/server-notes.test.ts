// What people do with traces: notes beside the run, lists sorted by any column and taken home.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { NotesReply, RolloutsReply, TraceNote, TraceReply } from "../../src/dashboard/api.ts";
import type { DownloadedRollout } from "../../src/dashboard/rollout-download.ts";
import { TraceNotes } from "../../src/dashboard/trace-notes.ts";
import { planSlices } from "../../src/imports/plan.ts";
import { defaultLabeler } from "../../src/traces/labeler-spec.ts";
import { readTraces } from "../../src/traces/read-traces.ts";
import { writeInventedRun } from "../report/invented-run.ts";
import { type Answer, queryText, ServedFolder } from "./served-folder.ts";

const range = (count: number) => Array.from({ length: count }, (_, i) => i);
const run = "invented";
const source = "evaluations/sft";
let served: ServedFolder;
beforeAll(async () => {
  served = await ServedFolder.start((folder) => writeInventedRun(join(folder, run)));
  await served.indexed(run);
});
afterAll(() => served.close());

const file = () => join(served.folder, run, "trace-notes.jsonl");
const write = (body: unknown): Promise<Answer> =>
  served.ask("/api/note", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const note = (row: number, part: Partial<TraceNote> = {}) =>
  write({ run, source, row, text: "", tags: [], bookmarked: false, ...part });
const list = (query: Readonly<Record<string, string | number | readonly string[]>>) =>
  served.get<RolloutsReply>("rollouts", { run, limit: 500, ...query });

describe("notes", () => {
  it("are kept beside the run, by what they are about, and stand on the row and the trace", async () => {
    expect((await note(3, { text: " odd turn \n", tags: ["loop", "loop", "check me"], bookmarked: true })).status).toBe(
      200,
    );
    const { rollout } = await served.get<TraceReply>("trace", { run, source, row: 3 });
    expect(rollout.note).toEqual({ text: "odd turn", tags: ["loop", "check me"], bookmarked: true });
    expect(JSON.parse(await readFile(file(), "utf8"))).toEqual({
      ...{ source, problem: rollout.problem, attempt: rollout.attempt },
      ...rollout.note,
    });
    const { rows } = await list({ source });
    expect(rows.filter(({ note: own }) => own !== undefined).map(({ row }) => row)).toEqual([3]);
  });

  it("are filters: bookmarked, with a note, by tags that must all be there", async () => {
    await note(5, { tags: ["loop"] });
    await note(7, { text: "why?" });
    const rowsOf = async (query: Readonly<Record<string, string | readonly string[]>>) =>
      (await list(query)).rows.map(({ row, source: own }) => [own, row]);
    expect(await rowsOf({ noted: "bookmark" })).toEqual([[source, 3]]);
    expect(await rowsOf({ noted: "note" })).toEqual([
      [source, 3],
      [source, 7],
    ]);
    expect(await rowsOf({ tag: "loop" })).toEqual([
      [source, 3],
      [source, 5],
    ]);
    expect(await rowsOf({ tag: ["loop", "check me"] })).toEqual([[source, 3]]);
    expect(await rowsOf({ tag: "nobody's" })).toEqual([]);
  });

  it("of two windows at once are all kept, and an empty one is taken back", async () => {
    await Promise.all(Array.from({ length: 12 }, (_, i) => note(20 + i, { tags: [`t${i}`] })));
    const { notes } = await served.get<NotesReply>("notes", { run });
    expect(notes.filter(({ tags }) => tags.some((tag) => /^t\d+$/.test(tag)))).toHaveLength(12);
    for (let i = 0; i < 12; i++) await note(20 + i);
    expect((await served.get<NotesReply>("notes", { run })).notes).toHaveLength(3);
  });

  it("of two dashboards on one folder are all kept", async () => {
    const folder = join(served.folder, "two-dashboards");
    await mkdir(folder);
    const both = [new TraceNotes(folder), new TraceNotes(folder)];
    const about = { source, attempt: 0, text: "seen", tags: [], bookmarked: false };
    await Promise.all(
      both.flatMap((notes, i) => range(20).map((n) => notes.write({ ...about, problem: `${i} ${n}` }))),
    );
    expect(await both[0].all()).toHaveLength(40);
    expect(await readdir(folder)).toEqual(["trace-notes.jsonl"]);
    await rm(folder, { recursive: true });
  });

  it("written by hand are read; lines that cannot be are named and never lost", async () => {
    const before = await readFile(file(), "utf8");
    const { rows } = await list({ source: "vanilla" });
    const { problem, attempt, step } = rows[2];
    const own = { source: "vanilla", problem, attempt, step, text: "by hand" };
    await writeFile(file(), `${before}not json\n${JSON.stringify(own)}\n`);
    expect((await list({ noted: "note", source: "vanilla" })).rows.map(({ row }) => row)).toEqual([rows[2].row]);
    const { gaps } = await served.get<{ gaps: { missing: string }[] }>("run", { run });
    expect(gaps.some(({ missing }) => /1 lines of trace-notes/.test(missing))).toBe(true);
    await note(7);
    expect(await readFile(file(), "utf8")).toContain("not json\n");
  });

  it("that are none are refused, and nothing is written", async () => {
    const before = await readFile(file(), "utf8");
    const own = { run, source, row: 3, text: "", tags: [], bookmarked: true };
    const refused: [unknown, number][] = [
      [{ ...own, run: "../other" }, 404],
      [{ ...own, source: "../../x" }, 404],
      [{ ...own, row: 1e6 }, 404],
      [{ ...own, row: -1 }, 400],
      [{ ...own, row: "3" }, 400],
      [{ ...own, tags: ["a,b"] }, 400],
      [{ ...own, text: "x".repeat(20_001) }, 400],
      [{ ...own, more: 1 }, 400],
      ["text", 400],
    ];
    for (const [body, status] of refused) expect((await write(body)).status).toBe(status);
    expect((await served.ask("/api/note")).status).toBe(405);
    const foreign = { "content-type": "application/json", origin: "http://evil.example" };
    const asked = { method: "POST", headers: foreign, body: JSON.stringify(own) };
    expect((await served.ask("/api/note", asked)).status).toBe(403);
    expect(await readFile(file(), "utf8")).toBe(before);
  });
});

describe("a list", () => {
  it("is sorted by problem with numbers by their size, and by checkpoint", async () => {
    const { rows } = await list({ sort: "problem", source });
    const names = rows.map(({ problem }) => problem);
    expect(names).toEqual([...names].sort(new Intl.Collator("en", { numeric: true }).compare));
    const sources = (await list({ sort: "source", order: "desc" })).rows.map((row) => row.source);
    expect(new Set(sources).size).toBe(sources.filter((one, i) => one !== sources[i - 1]).length);
  });

  it("is taken home as JSON lines: what matches, in its order, with texts, labels and notes", async () => {
    await note(3, { text: "odd turn", tags: ["loop"], bookmarked: true });
    const query = { run, source, verdict: "wrong", sort: "depth", order: "desc" };
    const { rows } = await list({ source, verdict: "wrong", sort: "depth", order: "desc" });
    const { status, headers, text } = await served.ask(`/api/download?${queryText(query)}`);
    expect([status, headers["content-type"]]).toEqual([200, "application/x-ndjson"]);
    expect(headers["content-disposition"]).toContain("attachment");
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as DownloadedRollout);
    expect(lines.map(({ problem, attempt }) => [problem, attempt])).toEqual(
      rows.map(({ problem, attempt }) => [problem, attempt]),
    );
    const trace = await served.get<TraceReply>("trace", { run, source, row: rows[0].row });
    expect(lines[0]).toMatchObject({ response: trace.text, verdict: "wrong", correct: false, set: trace.problem.set });
    expect(lines[0].labels).toEqual(trace.spans.map(({ label }) => label));
    const noted = (await served.ask(`/api/download?${queryText({ run, noted: "bookmark" })}`)).text;
    expect(JSON.parse(noted)).toMatchObject({ note: "odd turn", tags: ["loop"], bookmarked: true });
    expect((await served.ask(`/api/download?run=${run}&motif=nonsense`)).status).toBe(400);
  });

  it("that was taken home is read again by traces analyze as it was", async () => {
    const { text } = await served.ask(`/api/download?${queryText({ run, source })}`);
    const path = join(served.folder, "taken-home.jsonl");
    await writeFile(path, text);
    const planned = await planSlices([{ path }], { format: "auto" });
    const { records, skipped } = await readTraces(planned, { labeler: defaultLabeler, workers: 1 });
    const { rows } = await list({ source });
    expect(skipped).toEqual([]);
    expect(records.map(({ problem, attempt, correct, score }) => [problem, attempt, correct, score])).toEqual(
      rows.map(({ problem, attempt, verdict, reward }) => [problem, attempt, verdict === "correct", reward]),
    );
  });
});
