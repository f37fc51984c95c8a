// Whatever enters becomes a run folder: graded by gold where there is one, by scores that are all 0 or 1 where there is not,
// with problems of different tasks kept apart, and read again by nothing but itself.

import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DataError } from "../../src/base/errors.ts";
import { RolloutStore } from "../../src/evaluation/rollout-store.ts";
import { inImportFolder } from "../../src/imports/import-folder.ts";
import { importRun } from "../../src/imports/import-run.ts";
import { importSlice } from "../../src/imports/import-slice.ts";
import { planSlices } from "../../src/imports/plan.ts";
import type { Trace } from "../../src/imports/trace.ts";
import { logStream, openLog, PackedLogWriter } from "../../src/runs/packed-log.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "repertoire-import-"));
});
afterEach(() => rm(home, { recursive: true }));

const put = async (name: string, rows: readonly object[]) => {
  const path = join(home, name);
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return path;
};

async function imported(rows: readonly object[], name = "dump.jsonl") {
  const path = await put(name, rows);
  const folder = join(home, "run");
  const imports = { inputs: [{ path }], workers: 1 };
  const report = await inImportFolder(folder, imports, new Date(0), () => importRun(folder, imports));
  await rm(path);
  const traces: Trace[] = [];
  for (const { slice, options } of await planSlices([{ path: folder }], { format: "auto" }))
    for await (const one of importSlice(slice, options)) if ("trace" in one) traces.push(one.trace);
  return { folder, report, traces };
}

const verl = (i: number, output: string, more: object = {}) => ({
  ...{ input: `problem ${i}`, output, gts: "42", score: 0, step: 1 },
  ...more,
});

describe("an imported run", () => {
  it("is graded by gold, and says where the record's own grade disagrees", async () => {
    const { report, traces } = await imported([
      verl(0, "So it is \\boxed{42}.", { acc: true }),
      verl(1, "So it is \\boxed{41}.", { acc: true }),
      verl(2, "So it is \\boxed{42}."),
    ]);
    expect(traces.map(({ correct }) => correct)).toEqual([true, false, true]);
    expect(report.graded).toMatchObject({ byGold: 3, byRecord: 0, both: 2, disagree: 1, ungraded: 0 });
    expect(report.graded.disagreeing[0]).toContain("recorded as right");
  });

  it("takes scores that are all 0 or 1 for grades where nothing else grades, and no others", async () => {
    const none = { gts: "an essay" };
    const binary = await imported([verl(0, "a", { ...none, score: 1 }), verl(1, "b", { ...none, score: 0 })]);
    expect(binary.report.graded).toMatchObject({ byScore: 2, ungraded: 0 });
    expect(binary.traces.map(({ correct }) => correct)).toEqual([true, false]);
    const partial = await imported([
      verl(0, "a", { ...none, score: 1 }),
      verl(1, "b", { ...none, score: 0 }),
      verl(2, "c", { ...none, score: 0.1 }),
    ]);
    expect(partial.report.graded).toMatchObject({ byScore: 0, ungraded: 3 });
  });

  it("keeps problems of different tasks apart, though both number them alike", async () => {
    const row = (set: string, prompt: string, correct: boolean) => ({
      problem: "1",
      set,
      prompt,
      correct,
      response: "r",
    });
    const { traces, report } = await imported([
      row("algebra", "What is x?", true),
      row("geometry", "What is the angle?", false),
      row("algebra", "What is x?", true),
      row("algebra", "What is y?", false),
    ]);
    expect(report.skipped).toEqual([]);
    // In the order in which they were written.
    expect(traces.map(({ problem, attempt }) => [problem, attempt])).toEqual([
      ["1", 0],
      ["geometry 1", 0],
      ["1", 1],
      [expect.stringMatching(/^1 \([0-9a-f]{8}\)$/), 0],
    ]);
  });

  it("can be read as an evaluation of ours", async () => {
    const { folder } = await imported([verl(0, "\\boxed{42}"), verl(0, "\\boxed{1}")]);
    const part = join(folder, "evaluations", "step-1");
    const store = await RolloutStore.read(part);
    expect(store.size).toBe(2);
    const [entry] = store.entries();
    expect((await store.rollout(entry)).response).toBe("\\boxed{42}");
    await store.close();
    const { sets } = JSON.parse(await readFile(join(part, "summary.json"), "utf8"));
    expect(sets[0].passAtK[0].value).toBe(0.5);
  });

  it("is not there where nothing could be read", async () => {
    await expect(imported([{ nothing: "here" }])).rejects.toThrow(DataError);
    expect(existsSync(join(home, "run"))).toBe(false);
  });
});

describe("a packed log", () => {
  it("gives every record again by its place, however it was written", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.string({ unit: "grapheme", maxLength: 300 })), { minLength: 1 }),
        async (sittings) => {
          const folder = join(home, "log");
          await rm(folder, { recursive: true, force: true });
          const places: { readonly offset: number; readonly bytes: number; readonly text: string }[] = [];
          for (const texts of sittings) {
            const writer = await PackedLogWriter.open(folder);
            for (const text of texts) places.push({ ...(await writer.append({ text })), text });
            await writer.close();
          }
          const log = await openLog(folder);
          for (const { offset, bytes, text } of places) {
            const { buffer, bytesRead } = await log.read(Buffer.alloc(bytes), 0, bytes, offset);
            expect(bytesRead).toBe(bytes);
            expect(JSON.parse(buffer.toString("utf8"))).toEqual({ text });
          }
          await log.close();
          const pieces: Buffer[] = [];
          for await (const piece of logStream(folder, 0)) pieces.push(piece);
          expect(Buffer.concat(pieces).toString("utf8")).toBe(
            places.map(({ text }) => `${JSON.stringify({ text })}\n`).join(""),
          );
        },
      ),
      { numRuns: 30 },
    );
  });
});
