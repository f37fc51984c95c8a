import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRunFolder, readRunDescription } from "../../src/runs/run-folder.ts";
import { ownIdentity } from "../../src/runs/writer-lock.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "repertoire-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (config: Record<string, unknown>) => ({ kind: "sft" as const, config, now: new Date(0) });

describe("run folder", () => {
  it("is described before anything else happens, and opened again to go on", async () => {
    const path = join(folder, "r");
    const created = await openRunFolder(path, run({ epochs: 2, nothing: undefined }));
    expect(created.resumed).toBe(false);
    await created.release();
    expect(await readRunDescription(path)).toEqual({
      version: 1,
      kind: "sft",
      created: new Date(0).toISOString(),
      config: { epochs: 2 },
    });
    const again = await openRunFolder(path, run({ epochs: 2 }));
    expect(again.resumed).toBe(true);
    await again.release();
  });

  it("is never overwritten by another configuration or another kind of run", async () => {
    const path = join(folder, "r");
    await (await openRunFolder(path, run({ epochs: 2 }))).release();
    await expect(openRunFolder(path, run({ epochs: 3 }))).rejects.toThrow(/another run \(epochs differs\)/);
    await expect(openRunFolder(path, { ...run({ epochs: 2 }), kind: "rl" })).rejects.toThrow(/kind differs/);
    expect(existsSync(join(path, "writer.lock"))).toBe(false);
  });

  it("does not take a folder that holds something else", async () => {
    writeFileSync(join(folder, "thesis.tex"), "");
    await expect(openRunFolder(folder, run({}))).rejects.toThrow(/is not a run/);
  });

  it("has one writer at a time, and a dead writer's lock is taken over", async () => {
    const path = join(folder, "r");
    const held = await openRunFolder(path, run({}));
    await expect(openRunFolder(path, run({}))).rejects.toThrow(`being written by process ${process.pid}`);
    await held.release();
    writeFileSync(join(path, "writer.lock"), JSON.stringify({ ...ownIdentity(), pid: 999_999_999, token: "0a" }));
    await (await openRunFolder(path, run({}))).release();
  });

  it("a broken description is named", async () => {
    const path = join(folder, "r");
    await (await openRunFolder(path, run({}))).release();
    writeFileSync(join(path, "run.json"), "{");
    await expect(openRunFolder(path, run({}))).rejects.toThrow(/run\.json/);
  });
});
