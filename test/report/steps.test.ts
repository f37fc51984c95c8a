// The report of somebody's training run, whose steps are its checkpoints.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { writeReport } from "../../src/report/report.ts";
import { importAndAnalyze } from "../../src/traces/run-analysis.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const text = "So 17 times 23 is 391, and adding 48 gives 439, which leaves 4 when divided by 5, and 4 plus 2 is 6. ";

const analysis = { replicates: 20, motifsPerLength: 3 };

let home: string;
/** Another seed of the trainer solves one problem fewer. */
async function writeRun(name: string, seed: number): Promise<void> {
  const dumps = join(home, `${name}-dumps`);
  await mkdir(join(dumps, ".hydra"), { recursive: true });
  await writeFile(join(dumps, ".hydra", "config.yaml"), `trainer:\n  seed: ${seed}\n`);
  for (let step = 1; step <= 9; step++) {
    // An odd step asks three problems, an even one four.
    const rows = Array.from({ length: 6 + 2 * ((step + 1) % 2) }, (_, i) => ({
      ...{ input: `problem ${i >> 1}`, output: `<think>${text.repeat(8)}</think>`, score: 1, step },
      acc: i < step - 2 * (seed - 1),
    }));
    await writeFile(join(dumps, `${step}.jsonl`), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  }
  await importAndAnalyze(join(home, name), { inputs: [{ path: dumps }], workers: 1 }, { analysis, workers: 1 });
}
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "repertoire-steps-"));
  await writeRun("run", 1);
  await writeRun("again", 2);
});
afterAll(() => rm(home, { recursive: true }));

it("shows some of its steps, the first and the last among them, says so, and has all in its curves", async () => {
  const out = join(home, "report");
  const only = ["glance", "story", "suppression-over-training"];
  const { gaps, figures } = await writeReport({ runs: [join(home, "run")], out, only });
  expect(gaps.map(({ missing }) => missing)).toEqual(["3 of 9 checkpoints, which are steps of training"]);
  expect(figures).toBe(2);
  const rows = (await readFile(join(out, "tables", "glance.csv"), "utf8")).trimEnd().split("\n").slice(1);
  const steps = rows.map((row) => Number(/step (\d+)/.exec(row)![1]));
  expect(steps).toHaveLength(6);
  expect([steps[0], steps.at(-1)]).toEqual([1, 9]);
  // One row of panels for one domain, however many problems each step asked.
  const story = await readFile(join(out, "figures", "story.svg"), "utf8");
  expect(story).toContain("k attempts (3–4 problems)");
  expect(story.match(/problems\)</g)).toHaveLength(1);
  const curves = await readFile(join(out, "figures", "suppression-over-training.svg"), "utf8");
  for (let step = 1; step <= 9; step++) expect(curves).toContain(`at ${step}<`);
});

it("stands beside another seed of itself: mean and spread, curves of both, transitions within each", async () => {
  const out = join(home, "both");
  const only = ["seeds-accuracy", "seeds-reasoning", "training-curves", "transitions"];
  await writeReport({ runs: [join(home, "run"), join(home, "again")], out, only });
  const table = async (id: string) =>
    (await readFile(join(out, "tables", `${id}.md`), "utf8")).trimEnd().split("\n").slice(2);
  // Step 3 asks six times: three right with one seed, one with the other. Of two attempts at a
  // problem one is right for two problems of three, or for one.
  expect(await table("seeds-accuracy")).toContain("| step 3 | 1, 2 | 33.3 ± 23.6 | 50.0 ± 23.6 |");
  expect(await table("seeds-reasoning")).toHaveLength(6);
  expect((await table("transitions")).map((row) => row.split(" | ")[0])).toEqual([
    "| step 1 (run) → step 9 (run)",
    "| step 1 (again) → step 9 (again)",
  ]);
  const curves = await readFile(join(out, "figures", "training-curves.svg"), "utf8");
  for (const curve of ["Solve rate", "Score", "Response length"]) expect(curves).toContain(`>${curve}<`);
  expect(curves).toContain("run: 100% at 8<");
  expect(curves).toContain("again: 75% at 8<");
});

it("draws no score that is beyond all numbers", async () => {
  const dumps = join(home, "absurd-dumps");
  await mkdir(dumps);
  for (const step of [1, 2]) {
    const rows = [0, 1].map(() => ({ input: "problem", output: text.repeat(8), score: 1e308, step }));
    await writeFile(join(dumps, `${step}.jsonl`), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  }
  const run = join(home, "absurd");
  await importAndAnalyze(run, { inputs: [{ path: dumps }], workers: 1 }, { analysis, workers: 1 });
  const { figures } = await writeReport({ runs: [run], out: join(home, "absurd-report"), only: ["training-curves"] });
  expect(figures).toBe(1);
  const svg = await readFile(join(home, "absurd-report", "figures", "training-curves.svg"), "utf8");
  expect(svg).not.toMatch(/NaN|Infinity/);
});

it("stands beside a recipe", async () => {
  const recipe = join(home, "recipe");
  await mkdir(recipe);
  const description = { version: 1, kind: "recipe", created: "2026-01-02T03:04:05.000Z", config: {} };
  await writeFile(join(recipe, "run.json"), JSON.stringify(description));
  const { gaps } = await writeReport({ runs: [join(home, "run"), recipe], out: join(home, "mixed"), only: ["story"] });
  expect(gaps.map(({ where }) => where)).toContain(recipe);
});

it("speaks of checkpoints: there is no recipe, no SFT and no teacher in it", async () => {
  const out = join(home, "words");
  const only = ["story", "pass-at-k", "primitives-after-sft", "solve-set-split"];
  await writeReport({ runs: [join(home, "run")], out, only });
  const page = await readFile(join(out, "index.html"), "utf8");
  const said = page.slice(page.indexOf("<main")).replace(/<svg.*?<\/svg>|<[^>]*>/gs, " ");
  expect(said).toContain("Which problems each checkpoint solves");
  expect(said).not.toMatch(/\brecipe\b|\bSFT\b|\bteacher\b|RL run/);
});
