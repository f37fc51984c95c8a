// The run folder: everything a run knows, in files with a version. Creating one never overwrites another; opening one
// again is how a run goes on. One process writes at a time; any number read.
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { RunFolderError } from "../base/errors.ts";
import { makeFolder, writeFileAtomically } from "../base/files.ts";
import { readJsonFile } from "../base/json-file.ts";
import { recordWithoutSecrets } from "../base/secrets.ts";
import { takeLock } from "./writer-lock.ts";

export const runFormatVersion = 1;

export const descriptionFile = "run.json";

/** What this run is, written before its first step and never changed. */
const runDescriptionSchema = z.object({
  version: z.literal(runFormatVersion),
  kind: z.enum(["teach", "sft", "rl", "evaluate", "analyze", "fork", "recipe", "import"]),
  /** ISO 8601. */
  created: z.string(),
  command: z.string().optional(),
  /** Resolved: every default written out. */
  config: z.record(z.string(), z.unknown()),
});
export type RunDescription = z.infer<typeof runDescriptionSchema>;

export type RunFolder = {
  readonly path: string;
  readonly description: RunDescription;
  /** True when the folder was there before: the caller finishes what is missing. */
  readonly resumed: boolean;
  /** Lets another process write. */
  readonly release: () => Promise<void>;
};

/**
 * Creates the folder, or opens it to resume when it holds the same kind of run with the same configuration.
 * Anything else that is already there is left alone and reported.
 */
export async function openRunFolder(
  path: string,
  run: {
    readonly kind: RunDescription["kind"];
    readonly config: RunDescription["config"];
    readonly command?: string;
    readonly now: Date;
    /** Made from other files, so that another configuration makes it again instead of being refused. */
    readonly derived?: boolean;
  },
): Promise<RunFolder> {
  // What is compared and kept is what JSON keeps: `undefined` entries do not survive the file and must not count.
  const config = recordWithoutSecrets(run.config);
  await refuseForeignFolder(path);
  await makeFolder(path);
  const { release } = await takeLock(lockOf(path), path);
  try {
    const described = async (created: string): Promise<RunDescription> => {
      const { kind, command } = run;
      const description: RunDescription = { version: runFormatVersion, kind, created, command, config };
      await writeFileAtomically(join(path, descriptionFile), `${JSON.stringify(description, null, 2)}\n`);
      return description;
    };
    // Looked at only now: until the lock was held, another process may have made or finished the run.
    if (!existsSync(join(path, descriptionFile))) {
      await refuseForeignFolder(path);
      return { path, description: await described(run.now.toISOString()), resumed: false, release };
    }
    const description = await readRunDescription(path);
    const difference = description.kind === run.kind ? firstDifference(description.config, config) : "kind";
    if (difference !== undefined && difference !== "kind" && run.derived)
      return { path, description: await described(description.created), resumed: true, release };
    if (difference !== undefined) {
      throw new RunFolderError(
        `${path} holds another run (${difference} differs); a run is never overwritten: choose another folder, or remove this one`,
      );
    }
    return { path, description, resumed: true, release };
  } catch (error) {
    await release();
    throw error;
  }
}

export async function readRunDescription(path: string): Promise<RunDescription> {
  const file = join(path, descriptionFile);
  if (!existsSync(file))
    throw new RunFolderError(
      `${path} is not a run folder (it has no run.json); give the folder that a run wrote, for example runs/mini`,
    );
  return readJsonFile(file, runDescriptionSchema, { error: RunFolderError });
}

function firstDifference(kept: RunDescription["config"], given: RunDescription["config"]): string | undefined {
  const keys = [...new Set([...Object.keys(kept), ...Object.keys(given)])];
  return keys.find((key) => !isDeepStrictEqual(kept[key], given[key]));
}

export const lockOf = (path: string): string => join(path, "writer.lock");

async function refuseForeignFolder(path: string): Promise<void> {
  if (!existsSync(path)) return;
  const names = await readdir(path);
  const own = names.includes("run.json") || names.every((name) => /^(writer\.lock|run\.json)/.test(name));
  if (!own) throw new RunFolderError(`${path} exists and is not a run; choose another folder or remove it`);
}
