// What a command is given where no shell has filled in a pattern.
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { givenInputs } from "../../src/cli/given-inputs.ts";

it("a quoted pattern means the files that match, as people count; a name stays with each of them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "given-"));
  await mkdir(join(folder, "a/b"), { recursive: true });
  for (const name of ["10.jsonl", "9.jsonl", "notes.md", "a/1.jsonl", "a/b/2.jsonl", "a/.hidden.jsonl"])
    await writeFile(join(folder, name), "");
  const found = async (pattern: string) =>
    (await givenInputs([`${folder}/${pattern}`])).map(({ path }) => path.slice(folder.length + 1));
  expect(await found("*.jsonl")).toEqual(["9.jsonl", "10.jsonl"]);
  expect(await found("**/*.jsonl")).toEqual(["9.jsonl", "10.jsonl", "a/1.jsonl", "a/b/2.jsonl"]);
  expect(await found("a/?.jsonl")).toEqual(["a/1.jsonl"]);
  expect(await found("[0-9].jsonl")).toEqual(["9.jsonl"]);
  expect(await givenInputs([`sft=${folder}/9*`])).toEqual([{ name: "sft", path: join(folder, "9.jsonl") }]);
  await expect(givenInputs([`${folder}/*.parquet`])).rejects.toThrow("nothing matches");
  await expect(givenInputs(["hf://owner"])).rejects.toThrow("expected hf://datasets/owner/name");
});
