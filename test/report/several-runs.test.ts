// Reports of several runs: every row is that row's own, nothing is labeled twice, and nothing that one run's report says is lost.
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { writeReport } from "../../src/report/report.ts";
import { readRuns } from "../../src/report/run-data.ts";
import { reportSections } from "../../src/results/results.ts";
import { shownCheckpoints } from "../../src/results/shown-checkpoints.ts";
import { defaultAnalysis } from "../../src/traces/analysis/analysis.ts";
import type { AnalyzeEvent } from "../../src/traces/analyze-traces.ts";
import { importAndAnalyze } from "../../src/traces/run-analysis.ts";
import { writeInventedRun } from "./invented-run.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const quick = { ...defaultAnalysis, replicates: 100, motifsPerLength: 3 };
let home: string;
const at = (...path: string[]) => join(home, ...path);

/** The rows of a table by the text of their first cell. */
async function rowsOf(out: string, table: string): Promise<Record<string, string>[]> {
  const [head, _, ...lines] = (await readFile(join(out, "tables", `${table}.md`), "utf8")).trimEnd().split("\n");
  const cells = (line: string) => line.slice(2, -2).split(" | ");
  const columns = cells(head);
  return lines.map((line) => Object.fromEntries(cells(line).map((cell, i) => [columns[i], cell])));
}

async function regrade(folder: string, correct: (problem: number) => boolean): Promise<void> {
  const path = join(folder, "grades.jsonl");
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  const problems = [...new Set(lines.map((line) => JSON.parse(line).problem))];
  const regraded = lines.map((line) => {
    const grade = JSON.parse(line);
    const right = correct(problems.indexOf(grade.problem));
    const reward = { exact: Number(right), total: Number(right) };
    return `${JSON.stringify({ ...grade, verdict: right ? "correct" : "wrong", reward })}\n`;
  });
  await writeFile(path, regraded.join(""));
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "repertoire-several-"));
  await writeInventedRun(at("a"));
  await cp(at("a"), at("b"), { recursive: true });
  // b's vanilla GSPO solves everything, and its bonus nothing.
  await regrade(at("b", "evaluations", "vanilla"), () => true);
  await regrade(at("b", "evaluations", "novelty"), () => false);
});
afterAll(() => rm(home, { recursive: true, force: true }));

it("two recipes: each row has its own run's accuracy, claims and subsets, and finished analyses are joined as they are", async () => {
  for (const run of ["a", "b"]) await writeReport({ runs: [at(run)], analysis: quick, only: ["accuracy"] });
  const out = at("both");
  const events: AnalyzeEvent[] = [];
  const onEvent = (event: AnalyzeEvent) => void events.push(event);
  const { missing } = await writeReport({ runs: [at("a"), at("b")], out, analysis: quick, onEvent });
  expect(events).toEqual([]);
  expect(missing.map(({ title }) => title).sort()).toEqual([
    "Motifs of solved traces, by problem subset",
    "What rises and falls with pass@k across checkpoints",
  ]);
  expect(missing.map(({ title }) => title)).not.toContain("Recovery moves by problem subset");
  const alone = await rowsOf(at("a", "report"), "accuracy");
  const rows = await rowsOf(out, "alternatives");
  expect(rows.map(({ run, checkpoint }) => [run, checkpoint])).toEqual([
    ["Vanilla GSPO (a)", "Vanilla GSPO (a)"],
    ["Novelty bonus (a)", "Novelty bonus (a)"],
    ["Vanilla GSPO (b)", "Vanilla GSPO (b)"],
    ["Novelty bonus (b)", "Novelty bonus (b)"],
  ]);
  const pass = Object.keys(rows[0])
    .filter((name) => name.includes("mathematics @"))
    .at(-1)!;
  expect(rows[0][pass]).toBe(alone.find(({ checkpoint }) => checkpoint === "Vanilla GSPO")![pass]);
  expect(rows[2][pass]).toMatch(/^100\.0/);
  expect(rows[3][pass]).toMatch(/^0\.0/);
  const claims = await rowsOf(out, "claims");
  for (const run of ["a", "b"]) expect(claims.some(({ on }) => on.endsWith(`(${run})`))).toBe(true);
});

it("two training runs and an evaluation of a checkpoint of each, as `evaluate` writes them", async () => {
  const runs = ["first", "second"];
  for (const [i, run] of runs.entries()) {
    await cp(at("a", "vanilla"), at(run), { recursive: true });
    await cp(at("a", "evaluations", "vanilla"), at(`asked-${i}`), { recursive: true });
    await regrade(at(`asked-${i}`), (problem) => i === 1 || problem % 2 === 0);
    const policy = { checkpoint: `${home.split("/").at(-1)}/${run}/checkpoints/step-15`, chat: "terse" };
    const config = { policy, sampling: { temperature: 0, maxTokens: 100 }, seed: "s" };
    const description = { version: 1, kind: "evaluate", created: "2026-01-02T03:04:05.000Z", config };
    await writeFile(at(`asked-${i}`, "run.json"), JSON.stringify(description));
  }
  const out = at("checkpoints");
  const only = ["alternatives", "accuracy-puzzles"];
  await writeReport({ runs: [...runs, "asked-0", "asked-1"].map((name) => at(name)), out, analysis: quick, only });
  const rows = await rowsOf(out, "alternatives");
  expect(rows.map(({ run, checkpoint }) => [run, checkpoint])).toEqual([
    ["first", "asked-0"],
    ["second", "asked-1"],
  ]);
  const pass = Object.keys(rows[0])
    .filter((name) => name.includes("mathematics @"))
    .at(-1)!;
  expect(rows[0][pass]).toMatch(/^50\.0/);
  expect(rows[1][pass]).toMatch(/^100\.0/);
  const sampled = await rowsOf(out, "accuracy-puzzles");
  expect(sampled.map(({ step, sampled }) => [step, sampled])).toEqual([
    ["15", "greedy"],
    ["15", "greedy"],
  ]);
});

it("of eleven models every one has its row; of a training run's steps some have", async () => {
  const file = at("models.jsonl");
  const text = "So 17 times 23 is 391, and adding 48 gives 439, which leaves 4 when divided by 5. ".repeat(4);
  const names = Array.from({ length: 11 }, (_, i) => `model-${i}`);
  const rows = names.flatMap((model, m) =>
    [0, 1, 2, 3].map((i) => ({ model, prompt: `problem ${i >> 1}`, response: text, correct: i <= m % 4 })),
  );
  await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const columns = { checkpoint: "model", problem: "prompt", response: "response", correct: "correct" };
  await importAndAnalyze(
    at("models"),
    { inputs: [{ path: file }], reading: { format: "jsonl", columns }, workers: 1 },
    { analysis: { ...quick, replicates: 20 }, workers: 1 },
  );
  const { gaps } = await writeReport({ runs: [at("models")], only: ["glance", "accuracy"] });
  expect(gaps).toEqual([]);
  for (const table of ["glance", "accuracy"])
    expect((await rowsOf(at("models", "report"), table)).map(({ checkpoint }) => checkpoint)).toEqual(names);
  const steps = Array.from({ length: 9 }, (_, step) => ({ checkpoint: `b step ${step}`, step }));
  const shown = shownCheckpoints([{ checkpoint: "base" }, ...steps, { checkpoint: "best" }]);
  expect(shown.map(({ checkpoint }) => checkpoint)).toEqual([
    "base",
    ...[0, 2, 3, 5, 6, 8].map((step) => `b step ${step}`),
    "best",
  ]);
});

/** Paths at which a value is not what it is after a journey through JSON. */
function lost(before: unknown, after: unknown, path = ""): string[] {
  if (before === null || typeof before !== "object") return Object.is(before, after) ? [] : [path];
  return Object.entries(before)
    .filter(([, value]) => value !== undefined || Array.isArray(before))
    .flatMap(([key, value]) => lost(value, (after as Record<string, unknown> | null)?.[key], `${path}/${key}`));
}

it("every item is plain JSON", async () => {
  for (const runs of [[at("a")], [at("a"), at("b")], [at("models")]]) {
    const sections = reportSections(await readRuns(runs, { out: at("json"), analysis: quick }));
    expect(lost(sections, JSON.parse(JSON.stringify(sections)))).toEqual([]);
  }
});
