// Several runs at once: what each wrote down, as it stands beside the others.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SideBySideReply, SideRun, TrainingReply } from "../../src/dashboard/api.ts";
import {
  curveLines,
  groupsOf,
  measureOver,
  partsOf,
  passLines,
  passOver,
} from "../../src/dashboard/client/pages/over-runs.ts";
import { groupNames } from "../../src/results/run-groups.ts";
import { writeInventedRun } from "../report/invented-run.ts";
import { jsonLines, ServedFolder, writeRun } from "./served-folder.ts";

let served: ServedFolder;

const passAtK = (at1: number, at2: number) => [
  { k: 1, value: at1, newProblems: { low: at1 - 0.1, high: at1 + 0.1 } },
  { k: 2, value: at2 },
];
const summary = (at1: number, at2: number) => ({
  ...{ version: 1, policy: "p", servedBy: [], level: 0.95, warnings: [] },
  sets: [
    {
      ...{ set: "held out", problems: 8, attempts: { fewest: 2, most: 2 }, solved: 4, passAtK: passAtK(at1, at2) },
      states: { complete: 16, truncated: 0, failed: 0, ungraded: 0 },
      verdicts: { correct: 8, wrong: 8, unreadable: 0, undecided: 0 },
    },
  ],
});

const step = (at: number, reward: number) => ({
  ...{ type: "rl-step", step: at, problems: 2, rollouts: 8, solveRate: reward / 2, warnings: [], entropy: 1 },
  reward: { total: reward, exact: reward, completion: 0, format: 0, bonus: 0 },
  ...{ solveRateByFamily: {}, updates: [], responseTokens: { mean: 10, max: 20 }, truncatedShare: 0 },
});

async function writeSeed(folder: string, seed: number, rewards: readonly number[], at1: number): Promise<void> {
  await writeRun(folder, "recipe", { recipe: "mini", seed, rl: { learningRate: 1e-4 } });
  const events = rewards.map((reward, at) => step(at, reward));
  await writeRun(join(folder, "vanilla"), "rl", { steps: 3 }, { "events.jsonl": events });
  const evaluation = join(folder, "evaluations", "vanilla");
  await writeRun(evaluation, "evaluate", { policy: "vanilla" }, { "rollouts.jsonl": [] });
  await writeFile(join(evaluation, "summary.json"), JSON.stringify(summary(at1, at1 + 0.2)));
}

beforeAll(async () => {
  served = await ServedFolder.start(async (folder) => {
    await writeSeed(join(folder, "s1"), 1, [1, 2, 3], 0.2);
    await writeSeed(join(folder, "s2"), 2, [1, 4, 5, 9], 0.4);
    await writeSeed(join(folder, "s3"), 3, [1, 3], 0.6);
    await writeRun(join(folder, "other"), "recipe", { recipe: "mini", seed: 1, rl: { learningRate: 1e-3 } });
    await writeInventedRun(join(folder, "invented"));
  });
});
afterAll(() => served.close());

const ask = (run: readonly string[]) => served.get<SideBySideReply>("side-by-side", { run });

describe("runs side by side", () => {
  it("stand in the order in which they are named, each with the curves of its own page", async () => {
    const { runs } = await ask(["invented", "s1"]);
    expect(runs.map(({ id }) => id)).toEqual(["invented", "s1"]);
    const alone = (await served.get<TrainingReply>("training", { run: "invented", stage: "vanilla" })) as Extract<
      TrainingReply,
      { kind: "rl" }
    >;
    const training = runs[0].training.find(({ role }) => role === "vanilla")!;
    expect(training.steps).toEqual(alone.points.map((point) => point.step));
    for (const [id, values] of Object.entries(training.curves).filter(([id]) => id in alone.points[0].curves))
      expect(values).toEqual(alone.points.map(({ curves }) => (curves as Record<string, number>)[id] ?? null));
  });

  it("with equal settings but for the seed are one group: mean and standard deviation, as far as all have steps", async () => {
    const { runs } = await ask(["s1", "other", "s2", "s3"]);
    const groups = groupsOf(runs, new Map());
    expect(groups.map((group) => group.runs.map(({ id }) => id))).toEqual([["s1", "s2", "s3"], ["other"]]);
    const [line] = curveLines(groups, "reward");
    // Hand-computed: 1 1 1, then 2 4 3; the third step only two runs have.
    expect(line.points).toEqual([
      { x: 0, y: 1, low: 1, high: 1 },
      { x: 1, y: 3, low: 2, high: 4 },
    ]);
    expect(line.runs.map(({ points }) => points.length)).toEqual([3, 4, 2]);
    const [pass] = passLines(groups, "held out");
    expect(pass.points.map(({ x, y }) => [x, Number(y.toFixed(6))])).toEqual([
      [1, 0.4],
      [2, 0.6],
    ]);
    const [part] = partsOf(groups[0]);
    expect(passOver(part, "held out", 1)).toEqual({ value: expect.closeTo(0.4), spread: expect.closeTo(0.2), runs: 3 });
    expect(passOver(part, "nowhere", 1)).toBeUndefined();
    expect(measureOver(part, "everything", "check")).toBeUndefined();
  });

  it("of one run alone show its interval over problems, and a reader's names put runs together", async () => {
    const { runs } = await ask(["s1", "other", "s2"]);
    const [single] = passLines(groupsOf(runs.slice(0, 1), new Map()), "held out");
    expect(single.points[0]).toEqual({ x: 1, y: 0.2, low: expect.closeTo(0.1), high: expect.closeTo(0.3) });
    const named = groupsOf(
      runs,
      new Map([
        ["s1", "mine"],
        ["other", "mine"],
      ]),
    );
    expect(named.map(({ name, runs: own }) => [name, own.length])).toEqual([
      ["mine", 2],
      ["s2", 1],
    ]);
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

  it("follow what is written, and say what is missing", async () => {
    await ask(["s1"]);
    const log = join(served.folder, "s1", "vanilla", "events.jsonl");
    await writeFile(log, (await readFile(log, "utf8")) + jsonLines([step(3, 7)]));
    const [{ training, gaps }] = (await ask(["s1"])).runs;
    expect(training[0].curves.reward).toEqual([1, 2, 3, 7]);
    expect(gaps.some(({ missing }) => missing === "how its traces reason")).toBe(true);
  });

  it("are refused where one is unknown or there are too many", async () => {
    expect((await served.ask("/api/side-by-side?run=s1&run=nobody")).status).toBe(404);
    expect((await served.ask("/api/side-by-side")).status).toBe(400);
    const many = Array.from({ length: 25 }, (_, i) => `run=r${i}`).join("&");
    expect((await served.ask(`/api/side-by-side?${many}`)).status).toBe(400);
  });
});

it("a band of shares over runs ends at 0 and 1; other bands end where they end", () => {
  const run = (id: string, solved: number, tokens: number): SideRun => ({
    ...{ id, name: id, kind: "rl", state: "finished", config: {}, checkpoints: [], labeled: [], gaps: [] },
    training: [{ name: "rl", steps: [1], curves: { "solve-rate": [solved], "response-tokens": [tokens] } }],
  });
  const group = { name: "g", runs: [run("a", 1, 10), run("b", 1, 30), run("c", 0.7, 50)] };
  const [{ points: shares }] = curveLines([group], "solve-rate");
  expect(shares[0].high).toBe(1);
  expect(shares[0].low).toBeCloseTo(0.9 - Math.sqrt(0.03));
  const [{ points: tokens }] = curveLines([group], "response-tokens");
  expect(tokens[0]).toMatchObject({ low: 10, high: 50 });
});
