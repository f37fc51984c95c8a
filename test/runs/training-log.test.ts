import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TrainingLog } from "../../src/runs/training-log.ts";

let folder: string;
const path = (name: string) => join(folder, name);
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "training-log-"));
  const log = await TrainingLog.open(folder);
  for (const step of [0, 1]) {
    await log.write({ type: "rl-step" });
    await log.write({
      type: "rl-rollouts",
      rollouts: [
        { problem: "a", step },
        { problem: "b", step },
      ],
    });
    await log.write({ type: "rl-checkpoint", state: { checkpoint: `step-${step}` } });
  }
  await log.write({ type: "rl-step" });
  await log.close();
});
afterEach(() => rmSync(folder, { recursive: true }));

const reopened = async () => {
  const log = await TrainingLog.open(folder);
  await log.close();
  return log.resumeFrom;
};

describe("a training log", () => {
  it("goes on from its last checkpoint and cuts what came after", async () => {
    expect(await reopened()).toEqual({ checkpoint: "step-1" });
    expect(readFileSync(path("events.jsonl"), "utf8").trim().split("\n")).toHaveLength(4);
  });

  it.each(["events.jsonl", "rollouts.jsonl"])("that was changed (%s) is not gone on with", async (name) => {
    const text = readFileSync(path(name), "utf8");
    const changed = name === "events.jsonl" ? text.replace("rl-step", "rl-stop") : text.replace('"a"', '"c"');
    writeFileSync(path(name), changed);
    await expect(reopened()).rejects.toThrow(`${path(name)} is not what it was at the last checkpoint`);
  });

  it("that lost its state is not begun anew without a word", async () => {
    rmSync(path("state.json"));
    await expect(reopened()).rejects.toThrow(/state\.json is missing, and .*events\.jsonl tells of 2 checkpoints/);
    expect(existsSync(path("events.jsonl"))).toBe(true);
  });

  it("that was killed between its first checkpoint and its state begins anew", async () => {
    rmSync(path("state.json"));
    const [step, checkpoint] = readFileSync(path("events.jsonl"), "utf8").split("\n");
    writeFileSync(path("events.jsonl"), `${step}\n${checkpoint}\n`);
    expect(await reopened()).toBeUndefined();
    expect(readFileSync(path("events.jsonl"), "utf8")).toBe("");
  });
});
