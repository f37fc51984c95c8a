// Several runs in one report: repetitions averaged over seeds, and what differs in the settings.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { writeReport } from "../../src/report/report.ts";
import { runGroups } from "../../src/results/run-groups.ts";
import { overRuns } from "../../src/results/sections/seeds.ts";
import { defaultAnalysis } from "../../src/traces/analysis/analysis.ts";
import { writeInventedRun } from "./invented-run.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let root: string;
const only = ["seeds-story", "seeds-accuracy", "seeds-reasoning", "seeds-differences", "settings-difference", "claims"];
const read = (...path: string[]) => readFile(join(root, ...path), "utf8");
const jsonLines = async (...path: string[]) =>
  (await read(...path))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** The invented run is the same each time; another seed solves other problems. */
async function writeRun(name: string, config: object, solvesAll?: string): Promise<string> {
  const folder = join(root, name);
  await writeInventedRun(folder);
  const description = JSON.parse(await read(name, "run.json"));
  await writeFile(join(folder, "run.json"), JSON.stringify({ ...description, config }));
  if (solvesAll !== undefined) {
    const file = ["evaluations", solvesAll, "grades.jsonl"];
    const grades = (await jsonLines(name, ...file)).map((grade) => ({ ...grade, verdict: "correct" }));
    await writeFile(join(folder, ...file), grades.map((grade) => `${JSON.stringify(grade)}\n`).join(""));
  }
  return folder;
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "seeds-"));
  const settings = { recipe: "mini", rl: { kl: 0.03, learningRate: 1e-4 } };
  const runs = [
    await writeRun("first", { ...settings, seed: 1 }),
    await writeRun("second", { ...settings, seed: 2 }, "sft"),
    await writeRun("other", { ...settings, rl: { ...settings.rl, kl: 0.5 }, seed: 1 }),
  ];
  await writeReport({ analysis: { ...defaultAnalysis, replicates: 50 }, runs, out: join(root, "out"), only });
});
afterAll(() => rm(root, { recursive: true, force: true }));

const markdownRows = async (table: string) =>
  (await read("out", "tables", `${table}.md`))
    .trim()
    .split("\n")
    .map((line) =>
      line
        .split("|")
        .map((cell) => cell.trim())
        .slice(1, -1),
    );

describe("runs that differ in the seed alone", () => {
  it("are one row a checkpoint: the mean over runs and their standard deviation", async () => {
    const [header, , ...rows] = await markdownRows("seeds-accuracy");
    expect(rows.map(([name, seeds]) => [name, seeds])).toEqual(
      ["Base", "SFT", "Vanilla GSPO", "Novelty bonus"].map((name) => [name, "1, 2"]),
    );
    const sets = new Map(
      (await jsonLines("first", "evaluations", "sft", "problems.jsonl")).map(({ id, set }) => [id, set]),
    );
    const grades = (await jsonLines("first", "evaluations", "sft", "grades.jsonl")).filter(
      ({ problem }) => sets.get(problem) === "mathematics",
    );
    const share = grades.filter(({ verdict }) => verdict === "correct").length / grades.length;
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThan(1);
    // Of two values a and 1: mean (a + 1) / 2, standard deviation |1 − a| / √2.
    const expected = `${(50 * (share + 1)).toFixed(1)} ± ${((100 * (1 - share)) / Math.SQRT2).toFixed(1)}`;
    expect(rows[1][header.indexOf("mathematics @1")]).toBe(expected);
    expect(rows[0][header.indexOf("mathematics @1")]).toMatch(/± 0\.0$/);
  });

  it("have their primitives and depths averaged, too", async () => {
    const [header, , ...rows] = await markdownRows("seeds-reasoning");
    // Four checkpoints on puzzles and on mathematics.
    expect(rows.length).toBe(8);
    for (const row of rows) expect(row[header.indexOf("chain depth")]).toMatch(/^\d+\.\d\d ± 0\.00$/);
  });

  it("have their changes paired by seed, with an interval over seeds", async () => {
    const [header, , ...rows] = await markdownRows("seeds-differences");
    const row = rows.find(
      ([change, set, measure]) => change === "Base → SFT" && set === "mathematics" && measure === "pass@1",
    )!;
    const [one, two] = [...row[header.indexOf("by seed")].matchAll(/[12]: (-?[\d.]+)/g)].map(([, value]) =>
      Number(value),
    );
    expect(two).toBeGreaterThan(one);
    expect(row[header.indexOf("over seeds")]).toBe("not shown");
    // Student's t with one degree of freedom: 12.706 standard errors, which of two values is half their distance; no change is
    // larger than 100 points.
    const [value, low, high] = row[header.indexOf("difference")].match(/-?[\d.]+/g)!.map(Number);
    expect(value).toBeCloseTo((one + two) / 2, 0);
    const reach = (12.706 * Math.abs(two - one)) / 2;
    // In points, rounded to a tenth.
    expect(Math.abs(low - Math.max(-100, value - reach))).toBeLessThan(2);
    expect(Math.abs(high - Math.min(100, value + reach))).toBeLessThan(2);
  });

  it("decide claims together, by the seed and not by problems; a run without another keeps its own", async () => {
    const [header, , ...rows] = await markdownRows("claims");
    const [verdict, claim, on, evidence] = ["verdict", "claim", "on", "evidence"].map((name) => header.indexOf(name));
    const about = "SFT on puzzles alone solves more mathematics at the first attempt";
    const [both, alone] = rows.filter((row) => row[claim] === about);
    expect(both[on]).toBe("mathematics");
    expect(both[verdict]).toBe("○ not shown");
    expect(both[evidence]).toMatch(
      /^[\d.]+ \\\[−[\d.]+, [\d.]+\\\] points over seeds \(1: .+, 2: .+\); would have seen [\d.]+ points or more$/,
    );
    expect(alone[on]).toBe("mathematics (other)");
    expect(alone[evidence]).toContain("problems");
  });

  it("are one figure, a line a checkpoint", async () => {
    const figure = await read("out", "figures", "seeds-story.svg");
    for (const name of ["Base", "SFT", "Vanilla GSPO", "Novelty bonus"])
      expect(figure.split(`>${name}<`)).toHaveLength(2);
  });

  it("and what differs between all runs is a table, by name", async () => {
    expect(await markdownRows("settings-difference")).toEqual([
      ["setting", "first", "second", "other"],
      [":--", ":--", ":--", ":--"],
      ["RL: kl", "0.03", "0.03", "0.5"].map((cell) => cell.replace("kl", "KL")),
      ["seed", "1", "2", "1"],
    ]);
  });

  it("are told by their settings, whatever the order of keys, and never across kinds", () => {
    const run = (name: string, config: Record<string, unknown>, kind = "recipe") => ({
      path: name,
      name,
      kind,
      created: "",
      config,
    });
    const groups = runGroups([
      run("a", { x: 1, rl: { y: 2, seed: 5 }, seed: 1 }),
      run("b", { seed: 2, rl: { seed: 6, y: 2 }, x: 1 }),
      run("c", { x: 2, rl: { y: 2 }, seed: 1 }),
      run("d", { x: 1, rl: { y: 2, seed: 5 }, seed: 1 }, "rl"),
    ]);
    expect(groups.map((group) => group.map(({ name }) => name))).toEqual([["a", "b"], ["c"], ["d"]]);
  });

  it("show a mean without a spread for one run, and say how many have it", () => {
    const one = (value: number) => value.toFixed(1);
    expect(overRuns([1, 2, 6], 3, one)).toEqual({ value: 3, text: "3.0 ± 2.6" });
    expect(overRuns([4], 3, one)).toEqual({ value: 4, text: "4.0 (1 of 3)" });
    expect(overRuns([], 3, one)).toBeNull();
  });
});
