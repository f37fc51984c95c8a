// The run folder that rollouts are imported into, held while somebody works in it. Reading again in another way replaces what
// is there; a reading that found nothing leaves nothing.
import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { DataError } from "../base/errors.ts";
import { openRunFolder } from "../runs/run-folder.ts";
import type { ImportRequest } from "./import-run.ts";
import type { TraceInput } from "./plan.ts";
import { trainerSettings } from "./trainer-settings.ts";

type ImportFolder = {
  /** Removes it again where nothing came of it. */
  readonly abandon: () => Promise<void>;
  readonly release: () => Promise<void>;
};

export async function openImportFolder(
  folder: string,
  { inputs, reading }: ImportRequest,
  now: Date,
): Promise<ImportFolder> {
  const trainer = await trainerSettings(inputs.map(({ path }) => path));
  const config = { inputs: inputs.map(inputText), ...reading, ...(trainer && { trainer }) };
  const fresh = !existsSync(join(folder, "run.json"));
  const run = await openRunFolder(folder, { kind: "import", config, now, derived: true });
  return { abandon: async () => (fresh ? removeEmpty(folder) : undefined), release: run.release };
}

export async function inImportFolder<Result>(
  folder: string,
  request: ImportRequest,
  now: Date,
  work: () => Promise<Result>,
): Promise<Result> {
  const { abandon, release } = await openImportFolder(folder, request, now);
  try {
    return await work();
  } catch (error) {
    if (error instanceof DataError) await abandon();
    throw error;
  } finally {
    await release();
  }
}

const inputText = ({ path, name }: TraceInput): string => (name === undefined ? path : `${name}=${path}`);

/** Where rollouts go that nobody named a folder for. */
export const usualImportFolder = ([first]: readonly TraceInput[]): string =>
  join("runs", first.name ?? (basename(first.path).replace(/(?<=.)\..*$/, "") || "rollouts"));

async function removeEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  if (names.every((name) => /^(?:run\.json|writer\.lock)/.test(name)))
    await rm(folder, { recursive: true, force: true });
}
