// The folder of forks inside a run, `forks/<name>/`: what was chosen, every draw, and what they come to. Draws are only
// appended, so that a killed run goes on where it was; the rest follows from them.
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { DataError, schemaProblems } from "../../base/errors.ts";
import { writeFileAtomically } from "../../base/files.ts";
import { readJsonFile } from "../../base/json-file.ts";
import { readJsonLinesFile } from "../../base/json-lines.ts";
import { forkEffectSchema, forkStorySchema } from "./effects.ts";
import { type Draw, drawSchema, type Fork, forkSchema } from "./fork.ts";

export const forksFolder = "forks";
export const forkFiles = { forks: "forks.jsonl", draws: "draws.jsonl", result: "result.json" } as const;

/** What forks came to, as every page shows it. */
export const forkResultSchema = z.object({
  /** Whose rollouts were forked, and who went on: names of policies. */
  of: z.string(),
  by: z.string(),
  without: z.enum(["next", "ever"]),
  n: z.int(),
  labeled: z.string(),
  effects: z.array(forkEffectSchema),
  stories: z.array(forkStorySchema),
  draws: z.int(),
  failed: z.int(),
  responseTokens: z.number(),
  /** Absent where nobody gave a price. */
  cost: z.number().optional(),
});
export type ForkResult = z.infer<typeof forkResultSchema>;

export async function writeForks(folder: string, forks: readonly Fork[]): Promise<void> {
  await writeFileAtomically(join(folder, forkFiles.forks), forks.map((fork) => `${JSON.stringify(fork)}\n`).join(""));
}

/** Undefined where none were chosen yet. */
export async function readForks(folder: string): Promise<Fork[] | undefined> {
  const path = join(folder, forkFiles.forks);
  return existsSync(path) ? records(path, forkSchema) : undefined;
}

export const readDraws = (folder: string): Promise<Draw[]> => records(join(folder, forkFiles.draws), drawSchema);

async function records<T>(path: string, schema: z.ZodType<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const read of readJsonLinesFile(path)) {
    const value = "error" in read ? undefined : schema.safeParse(read.value);
    if (value?.success) found.push(value.data);
    else
      throw new DataError(`${path} line ${read.line}: ${"error" in read ? read.error : schemaProblems(value!.error!)}`);
  }
  return found;
}

export const writeForkResult = (folder: string, result: ForkResult): Promise<void> =>
  writeFileAtomically(join(folder, forkFiles.result), `${JSON.stringify(result)}\n`);

/** All finished forks of a run, by the names of their folders. */
export async function readForkResults(run: string): Promise<ForkResult[]> {
  const place = join(run, forksFolder);
  const names = existsSync(place) ? (await readdir(place)).sort() : [];
  const files = names.map((name) => join(place, name, forkFiles.result)).filter(existsSync);
  return Promise.all(files.map((file) => readJsonFile(file, forkResultSchema)));
}
