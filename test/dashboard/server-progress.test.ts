// How far runs are: rollouts of an evaluation against what it wants, and the time that training still takes.
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunsReply } from "../../src/dashboard/api.ts";
import { plannedSteps } from "../../src/dashboard/run-state.ts";
import { writeWanted } from "../../src/evaluation/evaluation-folder.ts";
import { lockOf } from "../../src/runs/run-folder.ts";
import { takeLock } from "../../src/runs/writer-lock.ts";
import { jsonLines, ServedFolder, writeRun } from "./served-folder.ts";

let served: ServedFolder;
const locks: { release: () => Promise<void> }[] = [];
const pace = (step: number, seconds: number) => ({
  ...{ type: "rl-pace", step, sampledTokensPerSecond: 10 },
  seconds: { sampling: seconds / 2, scoring: seconds / 4, updating: seconds / 4 },
});

beforeAll(async () => {
  served = await ServedFolder.start(async (folder) => {
    const evaluation = join(folder, "evaluation");
    await writeRun(evaluation, "evaluate", { policy: "p" }, { "rollouts.jsonl": [{}] });
    await writeFile(join(evaluation, "rollouts.index.jsonl"), "{}\n{}\n{}\n");
    const training = join(folder, "training");
    const events = Array.from({ length: 10 }, (_, step) => ({ type: "rl-step", step }));
    // The first steps were slow; only the last eight count, at 4 s each.
    const paces = Array.from({ length: 10 }, (_, step) => pace(step, step < 2 ? 100 : 4));
    await writeRun(training, "rl", { steps: 25 }, { "events.jsonl": events, "pace.jsonl": paces });
    for (const path of [evaluation, training]) locks.push(await takeLock(lockOf(path), path));
  });
});
afterAll(async () => {
  for (const { release } of locks) await release();
  await served.close();
});

const progressOf = async (run: string) => {
  const { runs } = await served.get<RunsReply>("runs");
  const [stage] = runs.find(({ id }) => id === run)!.stages;
  return { state: stage.state, progress: stage.progress };
};

describe("how far a run is", () => {
  it("evaluations say it once they have written down how many rollouts they want", async () => {
    expect(await progressOf("evaluation")).toEqual({ state: "running", progress: undefined });
    const folder = join(served.folder, "evaluation");
    await writeWanted(folder, 5);
    expect((await progressOf("evaluation")).progress).toEqual({ done: 3, total: 5, unit: "rollouts" });
    // What failed is asked again: more lines than rollouts, and never more than all.
    await appendFile(join(folder, "rollouts.index.jsonl"), jsonLines([{}, {}, {}]));
    expect((await progressOf("evaluation")).progress).toMatchObject({ done: 5, total: 5 });
    await writeFile(join(folder, "wanted.json"), "not json");
    expect((await progressOf("evaluation")).progress).toBeUndefined();
  });

  it("SFT says how many steps it plans, wherever its configuration has the number of its traces", () => {
    const config = { epochs: 2, sequencesPerStep: 32 };
    expect(plannedSteps("sft", { ...config, traces: 100, corpus: "corpus.jsonl" })).toBe(8);
    expect(plannedSteps("sft", { ...config, corpus: { traces: 64 } })).toBe(4);
    expect(plannedSteps("sft", { ...config, corpus: "corpus.jsonl" })).toBeUndefined();
  });

  it("training says how long the rest takes at the pace of its last steps", async () => {
    const { state, progress } = await progressOf("training");
    expect(state).toBe("running");
    expect(progress).toEqual({ done: 10, total: 25, unit: "steps", secondsLeft: 15 * 4 });
  });
});
