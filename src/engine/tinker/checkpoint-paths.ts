// Names of checkpoints to the paths that a server gave them. Paths carry the id of the model that saved them, so a run that
// goes on in another process needs them written down.
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { messageOf, RunFolderError } from "../../base/errors.ts";
import { writeFileAtomically } from "../../base/files.ts";

export type CheckpointPaths = { get(name: string): string | undefined; set(name: string, path: string): unknown };

/** Weights to sample from lie beside those to train from, under the same name. */
export const samplerPath = (path: string): string => path.replace("/weights/", "/sampler_weights/");

/** Kept in a file, so that a later process knows them, too. */
export function recordedPaths(file: string): CheckpointPaths {
  const paths = readPaths(file);
  return {
    get: (name) => paths.get(name),
    set: async (name: string, path: string) => {
      paths.set(name, path);
      await writeFileAtomically(file, `${JSON.stringify(Object.fromEntries(paths), null, 2)}\n`);
    },
  };
}

function readPaths(file: string): Map<string, string> {
  if (!existsSync(file)) return new Map();
  try {
    return new Map(Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, "utf8")))));
  } catch (error) {
    throw new RunFolderError(`${file} cannot be read (${messageOf(error)}); restore it or start another run`);
  }
}
