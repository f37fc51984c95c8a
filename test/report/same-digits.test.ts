// One run, four readers: what the terminal prints, what the report tabulates, what the analysis holds and what the dashboard
// answers are the same numbers with the same intervals.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { compareCommand, readSummary, showCommand } from "../../src/cli/evaluation-report.ts";
import type { ComparisonReply } from "../../src/dashboard/api.ts";
import { readProblems } from "../../src/evaluation/evaluation-folder.ts";
import { RolloutStore } from "../../src/evaluation/rollout-store.ts";
import { writeSummary } from "../../src/evaluation/summarize.ts";
import { writeReport } from "../../src/report/report.ts";
import { readAnalysis } from "../../src/traces/analysis/analysis-folder.ts";
import { analyzeRun } from "../../src/traces/run-analysis.ts";
import { ServedFolder } from "../dashboard/served-folder.ts";
import { printed } from "../fixtures/printed.ts";
import { writeInventedRun } from "./invented-run.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const analysis = { replicates: 50, motifsPerLength: 2 };
const set = "held-out puzzles";
const pair = { first: "sft", second: "vanilla" };

let served: ServedFolder;
const run = (...path: string[]) => join(served.folder, "invented", ...path);
const folders = () => [pair.first, pair.second].map((policy) => run("evaluations", policy));

beforeAll(async () => {
  served = await ServedFolder.start(async (folder) => {
    const path = join(folder, "invented");
    await writeInventedRun(path);
    await summarize(join(path, "evaluations", pair.second));
    await analyzeRun(path, { analysis, workers: 1 });
    await writeReport({ analysis, runs: [path], only: ["accuracy", "glance", "transitions"] });
  });
  await served.indexed("invented");
});
afterAll(() => served.close());

async function summarize(folder: string): Promise<void> {
  const store = await RolloutStore.read(folder);
  await writeSummary({ folder, policy: pair.second, problems: await readProblems(folder), store });
  await store.close();
}

type Ends = { readonly value: number; readonly low: number; readonly high: number };
/** As precisely as a table is written. */
const digits = ({ value, low, high }: Ends) => [value, low, high].map((one) => Number(one.toPrecision(9)));

/** The cells of a table by the names of its columns. */
async function table(name: string): Promise<Record<string, string>[]> {
  const [header, ...rows] = (await readFile(run("report", "tables", `${name}.csv`), "utf8")).trim().split("\n");
  const names = header.split(",");
  return rows.map((row) => Object.fromEntries(row.split(",").map((cell, i) => [names[i], cell])));
}
const cells = (row: Record<string, string>, name: string) =>
  digits({ value: Number(row[name]), low: Number(row[`${name} low`]), high: Number(row[`${name} high`]) });

test("pass@k of a checkpoint", async () => {
  const summary = (await readSummary(folders()[1])).sets.find((one) => one.set === set)!;
  const recorded = [1, 8].map((k) => {
    const { value, newProblems } = summary.passAtK.find((one) => one.k === k)!;
    return digits({ value, ...newProblems! });
  });
  const { scopes } = await readAnalysis(run("analysis"));
  const analyzed = scopes
    .find(({ scope }) => scope.name === set)!
    .checkpoints.find(({ checkpoint }) => checkpoint === pair.second)!;
  expect([1, 8].map((k) => digits(analyzed.passAtK[k]))).toEqual(recorded);

  const accuracy = (await table("accuracy")).find(({ checkpoint }) => checkpoint === "Vanilla GSPO")!;
  expect([1, 8].map((k) => cells(accuracy, `${set} @${k}`))).toEqual(recorded);
  const glance = (await table("glance")).find((row) => row.set === set && row.checkpoint === accuracy.checkpoint)!;
  expect(["pass@1", "pass@k"].map((name) => cells(glance, name))).toEqual(recorded);

  const shown = await printed(() => showCommand().parseAsync([folders()[1], "--k", "1,8"], { from: "user" }));
  const percent = (value: number) => (100 * value).toFixed(1);
  const part = shown.slice(shown.indexOf(`${set}: `));
  for (const [value, low, high] of recorded)
    expect(part).toMatch(new RegExp(`pass@\\d +${percent(value)} +\\[${percent(low)}, ${percent(high)}\\]`));
});

test("the change between two, and what was gained and lost", async () => {
  type Told = {
    readonly differences: readonly {
      readonly difference: number;
      readonly newProblems: { readonly low: number; readonly high: number };
    }[];
    readonly unlocked: readonly string[];
  };
  const told = JSON.parse(
    await printed(() =>
      compareCommand().parseAsync([...folders(), "--set", set, "--k", "1,8", "--json"], { from: "user" }),
    ),
  ) as Told;
  const changes = told.differences.map(({ difference, newProblems }) => digits({ value: difference, ...newProblems }));
  const { scopes } = await readAnalysis(run("analysis"));
  const analyzed = scopes
    .find(({ scope }) => scope.name === set)!
    .comparisons.find(({ first, second }) => first === pair.first && second === pair.second)!;
  expect(analyzed.passes.map(({ difference }) => digits(difference))).toEqual(changes);
  const row = (await table("transitions")).find((one) => one.transition === "SFT → Vanilla GSPO" && one.set === set)!;
  expect(cells(row, "Δ pass@k")).toEqual(changes[1]);
  expect(Number(row.unlocked)).toBe(told.unlocked.length);
});

test("means per trace, of one checkpoint and of two", async () => {
  const { scopes } = await readAnalysis(run("analysis"));
  const scope = scopes.find((one) => one.scope.name === set)!;
  const { measures } = scope.checkpoints.find(({ checkpoint }) => checkpoint === pair.second)!;
  const glance = (await table("glance")).find((row) => row.set === set && row.checkpoint === "Vanilla GSPO")!;
  for (const measure of ["hypothesize", "chain depth"])
    expect(cells(glance, measure)).toEqual(digits(measures[measure]));
  const sources = { first: `evaluations/${pair.first}`, second: `evaluations/${pair.second}` };
  const { items } = await served.get<ComparisonReply>("comparison", { run: "invented", ...sources, scope: set });
  const analyzed = scope.comparisons.find(({ first, second }) => first === pair.first && second === pair.second)!;
  const [pass] = analyzed.passes;
  expect(items[0].caption).toContain(`pass@1 ${(100 * pass.first).toFixed(1)}% → ${(100 * pass.second).toFixed(1)}%`);
});
