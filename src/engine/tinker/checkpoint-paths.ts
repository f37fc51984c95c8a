// Where a server keeps checkpoints. A path carries the id of the model that saved it, so a later process needs it written
// down: every checkpoint on a server has a folder in its run that says where it is and how it is opened.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { messageOf, RunFolderError } from "../../base/errors.ts";
import { writeFileAtomically } from "../../base/files.ts";
import { plainAddress } from "../../base/secrets.ts";
import { serverKinds } from "./capabilities.ts";

const savedSchema = z.object({
  /** What loads the weights. */
  path: z.string(),
  /** What is sampled from, where that is another file. */
  sampler: z.string().optional(),
});
export type SavedCheckpoint = z.infer<typeof savedSchema>;

export type CheckpointPaths = {
  get(name: string): SavedCheckpoint | undefined;
  set(name: string, saved: SavedCheckpoint): unknown;
  /** What the server is to call a checkpoint; its name unless said. */
  serverName?(name: string): string;
};

/** Weights to sample from lie beside those to train from, under the same name. */
export const samplerPath = (path: string): string => path.replace("/weights/", "/sampler_weights/");

/** Servers take letters, digits, `-` and `_`, and few take more. */
export const serverName = (...parts: readonly string[]): string =>
  parts
    .join("-")
    .replaceAll(/[^A-Za-z0-9_-]/g, "-")
    .replace(/^-+/, "")
    .slice(-200);

// ---- The folder of a checkpoint that lies on a server ----------------------------------------------------------------

const serverCheckpointFile = "server-checkpoint.json";

const serverCheckpointSchema = savedSchema.extend({
  url: z.string(),
  server: z.enum(serverKinds),
  /** What the server calls the model. */
  model: z.string(),
  /** Folder with the tokenizer. */
  tokenizer: z.string(),
  loraRank: z.int(),
  contextLength: z.int(),
  /** `merged`: whole weights that adapters begin on, not an adapter. */
  weights: z.enum(["trained", "merged"]).default("trained"),
});
type ServerCheckpoint = z.output<typeof serverCheckpointSchema>;

/** Absent where the folder holds no such file: then it is a model or an adapter itself, or nothing of ours. */
export function readServerCheckpoint(folder: string): ServerCheckpoint | undefined {
  const file = join(folder, serverCheckpointFile);
  if (!existsSync(file)) return undefined;
  try {
    return serverCheckpointSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    throw new RunFolderError(`${file} cannot be read (${messageOf(error)}); restore it or start another run`);
  }
}

export function writeServerCheckpoint(
  folder: string,
  checkpoint: z.input<typeof serverCheckpointSchema>,
): Promise<void> {
  return writeFileAtomically(join(resolve(folder), serverCheckpointFile), `${JSON.stringify(checkpoint, null, 2)}\n`);
}

/** Engines take a key, and nothing else that is secret. */
export const plainEngineAddress = (url: string, flag = "--engine"): string =>
  plainAddress(url, flag, "the address is written down; name the environment variable with a key by --key-variable");
