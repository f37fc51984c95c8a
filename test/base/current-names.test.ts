// What versions before the renaming wrote is read as if it had been written today.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { currentPath, withCurrentKeys, withCurrentNames } from "../../src/base/current-names.ts";
import { readSettings } from "../../src/cli/settings.ts";
import { recipeSchema } from "../../src/recipes/settings.ts";
import { rolloutSchema } from "../../src/rollouts/rollout.ts";
import { readIncidents } from "../../src/runs/incidents.ts";
import { openRunFolder } from "../../src/runs/run-folder.ts";
import { teacherTraceSchema } from "../../src/teaching/corpus.ts";
import { recordedRlStepSchema } from "../../src/training/recorded-events.ts";

const folder = mkdtempSync(join(tmpdir(), "current-names-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("old names", () => {
  it("of rollouts", () => {
    const surprise = { mean: 1, top: [2, 3, 4] };
    const old = { problem: "p", attempt: 0, policy: "m", state: "complete", response: "r", surprise, labelledBy: "x" };
    expect(rolloutSchema.parse(old)).toMatchObject({ surprisal: surprise, labeledBy: "x" });
  });

  it("of training steps", () => {
    const old = {
      type: "rl-step",
      step: 0,
      problems: 1,
      rollouts: 1,
      reward: { total: 0, exact: 0, completion: 0, format: 0, bonus: 0 },
      solveRate: 0,
      updates: [{ kl: 0, clippedShare: 0.25, gradientNorm: 1 }],
      entropy: 0,
      responseTokens: { mean: 1 },
      labelledBy: "x",
    };
    const step = recordedRlStepSchema.parse(old);
    expect(step.updates[0].clipFraction).toBe(0.25);
    expect(step.labeledBy).toBe("x");
  });

  it("of incidents", async () => {
    const old = { type: "weights-lost", because: "restart", goesOnFrom: "step-4" };
    writeFileSync(join(folder, "incidents.jsonl"), JSON.stringify(old) + "\n");
    expect(await readIncidents(folder)).toEqual([{ type: "weights-lost", because: "restart", resumesFrom: "step-4" }]);
  });

  it("of corpora", () => {
    const source = { teacher: "narrator", style: "terse", guessing: 0.5, slips: 0.01, repertoire: "full" };
    const parsed = teacherTraceSchema.shape.source.parse(source);
    expect(parsed).toEqual({ ...source, slips: undefined, errorRate: 0.01 });
    expect(parsed).not.toHaveProperty("slips");
  });

  it("of runs: one that was begun under them is resumed", async () => {
    const run = join(folder, "run");
    const begun = { kind: "rl" as const, now: new Date(0), config: { advantage: { normalization: { by: "none" } } } };
    await (await openRunFolder(run, begun)).release();
    const description = {
      version: 1,
      kind: "rl",
      created: new Date(0).toISOString(),
      config: { advantage: { normalisation: { by: "none" } } },
    };
    writeFileSync(join(run, "run.json"), JSON.stringify(description));
    const opened = await openRunFolder(run, begun);
    expect(opened.resumed).toBe(true);
    await opened.release();
  });

  it("of settings", () => {
    const changed = readSettings(recipeSchema, {}, ["sft.heldOutPerPuzzle=3", "corpus.narration.slips=0.5"]);
    expect([changed.sft.validationPerPuzzle, changed.corpus.narration.errorRate]).toEqual([3, 0.5]);
    expect(currentPath("evaluation.heldOutPerPuzzle")).toBe("evaluation.heldOutPerPuzzle");
  });

  it("are looked for in keys and fixed words, never in texts", () => {
    expect(withCurrentNames({ place: "before-normalisation", note: "the slips" })).toEqual({
      place: "before-normalization",
      note: "the slips",
    });
    // Checkpoints and sets may be called anything, and so may the keys of a trainer's settings.
    const odd = JSON.parse('{"name": "constructor", "toString": "valueOf", "__proto__": ["__proto__"]}');
    expect(JSON.stringify(withCurrentNames(odd))).toBe(JSON.stringify(odd));
    expect(JSON.stringify(withCurrentKeys({ ...odd, surprise: 1 }))).toBe(
      '{"name":"constructor","toString":"valueOf","__proto__":["__proto__"],"surprisal":1}',
    );
    const fresh = { surprisal: 1 };
    expect(withCurrentKeys(fresh)).toBe(fresh);
  });
});
