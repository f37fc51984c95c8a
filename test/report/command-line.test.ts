import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { reportCommand } from "../../src/cli/report.ts";
import { readRuns } from "../../src/report/run-data.ts";
import { defaultLabeler } from "../../src/traces/labeler-spec.ts";
import { analyzeRun } from "../../src/traces/run-analysis.ts";
import { terseSegmentation } from "../../src/traces/segmentation.ts";
import { writeInventedRun } from "./invented-run.ts";

// Drawing and analyzing take seconds, and a busy machine takes many of them.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "report-command-"));
  await writeInventedRun(join(root, "run"));
});

afterAll(() => rm(root, { recursive: true, force: true }));

async function printed(...args: string[]): Promise<string> {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    await reportCommand().parseAsync(args, { from: "user" });
    return log.mock.calls.flat().join("\n");
  } finally {
    log.mockRestore();
  }
}

describe("repertoire report", () => {
  it("says what it wrote and where", async () => {
    const out = join(root, "out");
    expect(await printed(join(root, "run"), "--out", out, "--only", "glance,pass-at-k")).toBe(
      `${join(out, "index.html")}: 1 figure and 1 table in ${out}`,
    );
  });

  it("says what the run lacks and what could not be made", async () => {
    for (const stage of ["sft", "vanilla"]) await rm(join(root, "run", stage, "events.jsonl"));
    const text = await printed(join(root, "run"), "--only", "sft-curves");
    expect(text).toContain(`events.jsonl in ${join(root, "run", "vanilla")}`);
    expect(text).toMatch(
      /Not made:\n {2}SFT loss, and the epoch that was chosen\n {4}needs an SFT folder with events.jsonl/,
    );
  });

  it("help shows examples", () => {
    let help = "";
    reportCommand()
      .configureOutput({ writeOut: (text) => void (help += text) })
      .outputHelp();
    expect(help).toContain("repertoire report runs/mini");
  });
});

describe("traces in plain English", () => {
  it("are labeled by a classifier whose quality is known", async () => {
    const folder = join(root, "english");
    await mkdir(folder);
    const line = (record: unknown) => `${JSON.stringify(record)}\n`;
    const response =
      "<think>Let me set up the notation first.\n\nSuppose x is 3. Then 2x is 6, but that is wrong, so back.</think> 4";
    await writeFile(
      join(folder, "run.json"),
      line({ version: 1, kind: "evaluate", created: "2026-01-01T00:00:00Z", config: { policy: "m" } }),
    );
    await writeFile(
      join(folder, "problems.jsonl"),
      line({ kind: "mathematics", id: "p", prompt: "?", answer: "4", set: "exam" }),
    );
    await writeFile(
      join(folder, "rollouts.jsonl"),
      line({ problem: "p", attempt: 0, policy: "m", state: "complete", response }),
    );
    await writeFile(
      join(folder, "grades.jsonl"),
      line({ problem: "p", attempt: 0, verdict: "correct", reward: { exact: 1, total: 1 } }),
    );
    const { checkpoints, analysis } = await readRuns([folder], { out: folder });
    expect(analysis?.labelers.map(({ kind, quality }) => [kind, quality !== undefined])).toEqual([
      ["classifier", true],
    ]);
    expect(analysis?.scopes[0].checkpoints[0]).toMatchObject({ checkpoint: "m", traces: 1 });
    expect(checkpoints[0].summary?.sets[0].passAtK[0].value).toBe(1);
    // Whoever asked for another way to cut and to abstain is shown that.
    const asked = { ...defaultLabeler, segmentation: terseSegmentation, orSteps: undefined, abstainBelow: 0.5 };
    const own = await analyzeRun(folder, { labeler: asked, workers: 1 });
    const again: string[] = [];
    const shown = await readRuns([folder], { out: folder, onEvent: ({ type }) => again.push(type) });
    expect([again, shown.analysis?.scopes]).toEqual([[], own.scopes]);
  });
});
