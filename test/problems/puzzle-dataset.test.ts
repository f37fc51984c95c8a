// Resuming a dataset: what is written is kept although draws do not come out alike on a busy machine, and nothing else is mixed in.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { type DatasetRequest, type DatasetRow, datasetRows, writtenRows } from "../../src/problems/puzzle-dataset.ts";
import { readWeightedKind } from "../../src/puzzles/mix.ts";

const folder = mkdtempSync(join(tmpdir(), "repertoire-dataset-"));
afterAll(() => rmSync(folder, { recursive: true }));

const request: DatasetRequest = {
  kinds: [readWeightedKind("pattern=5x5,easy*2"), readWeightedKind("undead=4x4,easy")],
  count: 30,
  random: Random.from("dataset"),
};

async function rows(written: readonly object[], changed: Partial<DatasetRequest> = {}): Promise<DatasetRow[]> {
  const path = join(folder, "unfinished.jsonl");
  writeFileSync(path, written.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const made: DatasetRow[] = [];
  for await (const row of datasetRows({ ...request, ...changed }, undefined, writtenRows(path))) made.push(row);
  return made;
}

it("the rest is what it would have been", async () => {
  const all = await rows([]);
  expect(await rows(all.slice(0, 17))).toEqual(all.slice(17));
  expect(await rows(all)).toEqual([]);
});

it("a draw that came to nothing then is not made now, and one that came to something is not asked again", async () => {
  const all = await rows([]);
  // As if the draw of the fifth Pattern had run out of time: every later one moves up.
  const patterns = all.filter(({ puzzle }) => puzzle === "pattern");
  let next = 0;
  const moved = all.slice(0, 17).map((row) => {
    if (row.puzzle !== "pattern") return row;
    if (next === 4) next++;
    return patterns[next++];
  });
  const rest = await rows(moved);
  expect(rest.map(({ puzzle }) => puzzle)).toEqual(all.slice(17).map(({ puzzle }) => puzzle));
  expect(rest.find(({ puzzle }) => puzzle === "pattern")?.id).toBe(patterns[next].id);
  expect(rest.map(({ id }) => id)).not.toContain(patterns[4].id);
});

it("rows of another seed, prompt, split, mix or length are refused", async () => {
  const written = (await rows([])).slice(0, 17);
  for (const changed of [
    { random: Random.from("another") },
    { promptStyle: "board" },
    { promptVariants: ["unique"] },
    { testShare: 0.9 },
    { kinds: request.kinds.toReversed() },
    { kinds: request.kinds.slice(0, 1) },
    { count: 16 },
  ] satisfies Partial<DatasetRequest>[])
    await expect(rows(written, changed), JSON.stringify(changed)).rejects.toThrow(
      /line \d+ belongs to another dataset/,
    );
  const [first, second, ...others] = written;
  await expect(rows([second, first, ...others])).rejects.toThrow("another dataset");
  await expect(rows([first, first, ...others])).rejects.toThrow("another dataset");
  await expect(rows([first, { id: 5 }])).rejects.toThrow(/line 2: id.*remove the file to start again/);
});
