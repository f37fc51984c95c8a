// Records as a table: what goes in comes out, whatever differs between records.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, expect, test } from "vitest";
import { jsonLinesToParquet } from "../../src/base/parquet.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parquet-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function throughParquet(rows: readonly unknown[]) {
  const [lines, table] = [join(folder, "rows.jsonl"), join(folder, "rows.parquet")];
  await writeFile(lines, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  await jsonLinesToParquet(lines, table);
  const read = await parquetReadObjects({ file: await asyncBufferFromFile(table) });
  return JSON.parse(JSON.stringify(read, (_, value) => value ?? undefined));
}

test("nested records, lists, numbers and what only some records have", async () => {
  const rows = [
    { prompt: [{ role: "user", content: "2+2?" }], reward_model: { ground_truth: "4" }, index: 0, tags: ["a"] },
    { prompt: [], reward_model: { ground_truth: "5", style: "rule" }, index: 1, seed: 12345678901, share: 0.5 },
    { prompt: [{ role: "user", content: "é" }], reward_model: null, index: 2, share: 1, solved: true },
  ];
  expect(await throughParquet(rows)).toEqual(JSON.parse(JSON.stringify(rows, (_, value) => value ?? undefined)));
});

test("values that have nothing in common are written as JSON; no records are no table", async () => {
  expect(
    await throughParquet([
      { answer: 1, info: {} },
      { answer: "x", info: {} },
    ]),
  ).toEqual([
    { answer: "1", info: "{}" },
    { answer: '"x"', info: "{}" },
  ]);
  await expect(throughParquet([])).rejects.toThrow("holds no records");
  await expect(throughParquet([[1]])).rejects.toThrow("rows.jsonl:1 is not a record");
});
