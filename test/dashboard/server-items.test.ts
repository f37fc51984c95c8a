// What is shown of runs: the items of a report by one route, of one run and of several beside each other.
import { readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ItemsReply } from "../../src/dashboard/api.ts";
import type { LineMark } from "../../src/drawing/panel.ts";
import { readRuns } from "../../src/report/run-data.ts";
import { drawnLines, lineGroups } from "../../src/results/mean-lines.ts";
import { reportSections } from "../../src/results/results.ts";
import { groupNames } from "../../src/results/run-groups.ts";
import { writeInventedRun } from "../report/invented-run.ts";
import { jsonLines, ServedFolder, writeRun } from "./served-folder.ts";

let served: ServedFolder;

const step = (at: number, reward: number) => ({
  ...{ type: "rl-step", step: at, problems: 2, rollouts: 8, solveRate: reward / 2, warnings: [], entropy: 1 },
  reward: { total: reward, exact: reward, completion: 0, format: 0, bonus: 0 },
  ...{ solveRateByFamily: {}, updates: [], responseTokens: { mean: 10, max: 20 }, truncatedShare: 0 },
});

/** Eight problems, of which the first so many are solved by one of two attempts. */
async function writeSeed(folder: string, seed: number, rewards: readonly number[], solved: number): Promise<void> {
  await writeRun(folder, "recipe", { recipe: "mini", seed, rl: { learningRate: 1e-4 } });
  const events = rewards.map((reward, at) => step(at, reward));
  await writeRun(join(folder, "vanilla"), "rl", { steps: 3 }, { "events.jsonl": events });
  const problems = Array.from({ length: 8 }, (_, i) => ({
    ...{ kind: "mathematics", id: `p${i}`, prompt: "?", answer: "1", set: "held out" },
  }));
  const attempts = problems.flatMap(({ id: problem }, p) =>
    [0, 1].map((attempt) => ({ problem, attempt, correct: attempt === 0 && p < solved })),
  );
  await writeRun(
    join(folder, "evaluations", "vanilla"),
    "evaluate",
    { policy: "vanilla" },
    {
      "problems.jsonl": problems,
      "rollouts.jsonl": attempts.map(({ correct: _, ...key }) => ({
        ...{ ...key, policy: "vanilla", state: "complete", response: "x" },
      })),
      "grades.jsonl": attempts.map(({ correct, ...key }) => ({
        ...{ ...key, verdict: correct ? "correct" : "wrong", reward: { exact: Number(correct), total: 0 } },
      })),
    },
  );
}

beforeAll(async () => {
  served = await ServedFolder.start(async (folder) => {
    await writeSeed(join(folder, "s1"), 1, [1, 2, 3], 2);
    await writeSeed(join(folder, "s2"), 2, [1, 4, 5, 9], 4);
    await writeSeed(join(folder, "s3"), 3, [1, 3], 6);
    await writeRun(join(folder, "other"), "recipe", { recipe: "mini", seed: 1, rl: { learningRate: 1e-3 } });
    await writeInventedRun(join(folder, "invented"));
  });
});
afterAll(() => served.close());

const ask = (run: readonly string[], more: Record<string, string | readonly string[]> = {}) =>
  served.get<ItemsReply>("items", { run, ...more });

async function linesOf(id: string, title: string, run: readonly string[]): Promise<readonly LineMark[]> {
  const { body } = await served.item(id, { run });
  const panels = body.kind === "panels" ? body.panels : [];
  return panels.find((panel) => panel.title.startsWith(title))!.marks as LineMark[];
}

describe("the items of a run", () => {
  it("are those of its report, by the same code", async () => {
    const { sections } = await ask(["invented"]);
    const data = await readRuns([join(served.folder, "invented")], { out: "", asFound: true });
    expect(sections).toEqual(JSON.parse(JSON.stringify(reportSections(data))));
    expect(sections.map(({ id }) => id)).toContain("accuracy");
  });

  it("are made again when a file has changed", async () => {
    await ask(["s1"]);
    const log = join(served.folder, "s1", "vanilla", "events.jsonl");
    const before = await readFile(log, "utf8");
    await writeFile(log, before + jsonLines([step(3, 7)]));
    const [line] = await linesOf("training-curves", "Reward", ["s1"]);
    expect(line.points.map(({ value }) => value)).toEqual([1, 2, 3, 7]);
    await writeFile(log, before);
    // A file system may count its times in whole seconds.
    await utimes(log, new Date(0), new Date(0));
  });

  it("are refused where a run is unknown or there are too many", async () => {
    expect((await served.ask("/api/items?run=s1&run=nobody")).status).toBe(404);
    expect((await served.ask("/api/items")).status).toBe(400);
    const many = Array.from({ length: 25 }, (_, i) => `run=r${i}`).join("&");
    expect((await served.ask(`/api/items?${many}`)).status).toBe(400);
  });
});

describe("runs side by side", () => {
  it("with equal settings but for the seed are one group: mean and standard deviation, as far as all have steps", async () => {
    const chosen = ["s1", "other", "s2", "s3"];
    const { runs } = await ask(chosen);
    expect(runs.map(({ name, seed }) => [name, seed])).toEqual([
      ["s1", "1"],
      ["other", "1"],
      ["s2", "2"],
      ["s3", "3"],
    ]);
    expect(new Set(runs.map(({ group }) => group)).size).toBe(2);
    const lines = await linesOf("training-curves", "Reward", chosen);
    // Hand-computed: 1 1 1, then 2 4 3; the third step only two runs have.
    expect(lines.map(({ faint, points }) => [faint === true, points.length])).toEqual([
      [true, 3],
      [true, 4],
      [true, 2],
      [false, 2],
    ]);
    expect(lines[3].points).toEqual([
      { x: 0, value: 1, low: 1, high: 1 },
      { x: 1, value: 3, low: 2, high: 4 },
    ]);
    const [, , , pass] = await linesOf("pass-at-k", "held out", chosen);
    expect(pass.points.map(({ x, value }) => [x, value])).toEqual([
      [1, expect.closeTo(0.25)],
      [2, expect.closeTo(0.5)],
    ]);
    const seeds = await served.table("seeds-accuracy", { run: chosen });
    expect(seeds.rows[0]).toContainEqual({ value: expect.closeTo(0.25), text: "25.0 ± 12.5" });
  });

  it("of one run alone show its interval over problems, and a reader's names put runs together", async () => {
    const [single] = await linesOf("pass-at-k", "held out", ["s1"]);
    expect(single.points[0].low).toBeLessThan(single.points[0].value);
    const { runs } = await ask(["s1", "other", "s2"], { group: ["mine", "mine", ""] });
    expect(runs.map(({ group }) => group)).toEqual(["mine", "mine", "s2"]);
  });

  it("show one checkpoint of each, where one is asked for", async () => {
    const { checkpoints } = await ask(["invented"]);
    expect(checkpoints).toEqual(["Base", "SFT", "Vanilla GSPO", "Novelty bonus"]);
    const { rows } = await served.table("accuracy", { run: ["invented", "s1"], checkpoint: "Vanilla GSPO" });
    expect(rows.map(([name]) => name)).toEqual(["Vanilla GSPO (invented)", "Vanilla GSPO (s1)"]);
  });

  it("are named by the setting that tells them apart, where there is one", () => {
    const group = (name: string, config: Record<string, unknown>) => [{ name, kind: "recipe", config }];
    expect(groupNames([group("a", { rl: { learningRate: 1 } }), group("b", { rl: { learningRate: 2 } })])).toEqual([
      "learning rate 1",
      "learning rate 2",
    ]);
    const two = (learningRate: number) => ({ rl: { learningRate }, sft: { learningRate } });
    expect(groupNames([group("a", two(1)), group("b", two(2))])[1]).toBe("b");
    // Settings of a trainer come from files, and may be called anything.
    expect(groupNames([group("a", { trainer: { constructor: 1 } }), group("b", {})])[0]).toBe("constructor 1");
    const many = (x: number) => ({ a: x, b: x, c: x });
    expect(groupNames([group("a", many(1)), group("b", many(2))])).toEqual(["a", "b"]);
  });
});

it("a band of shares over runs ends at 0 and 1; other bands end where they end", () => {
  const look = { ink: "text", symbol: "circle" } as const;
  const lines = [1, 1, 0.7].map((value, i) => ({ ...look, name: `r${i}`, run: `r${i}`, policy: "rl", value }));
  const runs = lines.map(({ run }, seed) => ({
    ...{ path: run, name: run, kind: "rl", created: "", config: { seed } },
  }));
  const points = ({ value }: (typeof lines)[number]) => [{ x: 1, value }];
  const groups = lineGroups(lines, runs);
  const band = (share: boolean) => drawnLines(groups, points, { share }).at(-1)!.points[0];
  expect(band(true).high).toBe(1);
  expect(band(true).low).toBeCloseTo(0.9 - Math.sqrt(0.03));
  expect(band(false).high).toBeCloseTo(0.9 + Math.sqrt(0.03));
});
