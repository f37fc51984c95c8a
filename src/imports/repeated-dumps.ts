// TRL writes a batch down once for every step that trains on it: with four iterations, four files with the same rows.
// They were generated once, and count once.
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { parquetRowGroups, parquetRows } from "./parquet-rows.ts";

const dump = /^completions_(\d+)\.parquet$/;

/** The name of the dump before this one, where both hold the same completions in the same order. */
export async function repeatedDump(path: string): Promise<string | undefined> {
  const own = dump.exec(basename(path));
  if (own === null) return undefined;
  const numbers = (await readdir(dirname(path))).flatMap((name) => {
    const found = dump.exec(name);
    return found === null ? [] : [{ name, step: Number(found[1]) }];
  });
  const before = numbers.filter(({ step }) => step < Number(own[1])).sort((a, b) => b.step - a.step)[0];
  if (before === undefined) return undefined;
  const [here, there] = await Promise.all([completions(path), completions(join(dirname(path), before.name))]);
  return here.length > 0 && here.length === there.length && here.every((text, i) => text === there[i])
    ? before.name
    : undefined;
}

async function completions(path: string): Promise<string[]> {
  const groups = await parquetRowGroups(path);
  const found: string[] = [];
  for await (const { row } of parquetRows(path, 0, groups.at(-1)?.end ?? 0))
    found.push(JSON.stringify([row.prompt, row.completion]));
  return found;
}
