// The shipped base model's recipe with a short schedule: it learns, goes on after a stop with the same lessons, and ends
// as a model folder.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createEmbeddedEngine, type EmbeddedEngine } from "../../src/engine/embedded/embedded-engine.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { miniBaseFinished, miniBaseSchema, newModel, runMiniBase } from "../../src/recipes/mini/base-model.ts";

const root = mkdtempSync(join(tmpdir(), "repertoire-base-"));
afterAll(() => rmSync(root, { recursive: true }));

const settings = miniBaseSchema.parse({
  steps: 28,
  lessonsPerStep: 4,
  stepsPerCheckpoint: 5,
  triedPerPuzzle: 1,
  triedMathematics: 7,
});

function run(name: string, stopAt?: number) {
  const stop = new AbortController();
  const folder = join(root, name);
  const losses: number[] = [];
  const made = runMiniBase(
    {
      folder,
      settings,
      open: () =>
        createEmbeddedEngine({
          model: newModel(),
          checkpoints: join(folder, "checkpoints"),
          seed: 1,
          threads: 1,
        }),
      emit: () => {},
      onStep: ({ step, loss }) => {
        losses.push(loss);
        if (step === stopAt) stop.abort(new Error("stopped"));
      },
      now: new Date(0),
      signal: stop.signal,
    },
    (engine: Engine) => (engine as EmbeddedEngine).exportModel(join(root, `${name}-model`)),
  );
  return { made, losses };
}

describe("making the base model", () => {
  it("stopped between checkpoints and in the middle of a file of lessons, it ends as if it had never been stopped", async () => {
    const whole = run("whole");
    const trial = await whole.made;
    expect(Object.keys(trial)).toEqual(expect.arrayContaining(["bridges", "galaxies", "pattern", "undead"]));
    // The same problems once more, asked to think.
    const [plain, tagged] = [false, true].map((think) =>
      Object.keys(trial).filter((key) => key.startsWith("think: ") === think),
    );
    expect(tagged).toEqual(plain.map((key) => `think: ${key}`));
    expect(whole.losses.at(-1)!).toBeLessThan(whole.losses[0] - 1);
    expect(await miniBaseFinished(join(root, "whole"))).toBe(true);

    await expect(run("stopped", 12).made).rejects.toThrow("stopped");
    expect(await miniBaseFinished(join(root, "stopped"))).toBe(false);
    const rest = run("stopped");
    expect(await rest.made).toEqual(trial);
    expect(rest.losses).toHaveLength(18); // from the checkpoint after ten steps
    const file = (name: string) => readFileSync(join(root, name));
    expect(file("stopped/events.jsonl").equals(file("whole/events.jsonl"))).toBe(true);
    expect(file("stopped-model/model.safetensors").equals(file("whole-model/model.safetensors"))).toBe(true);
    for (const name of ["config.json", "tokenizer.json", "tokenizer_config.json", "generation_config.json"])
      expect(existsSync(join(root, "whole-model", name)), name).toBe(true);
  });
});
