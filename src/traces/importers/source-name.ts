// What the place of a file says of its rollouts where their rows do not: whose they are, and of which step of training.
import { readFile } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { objectOf, textOf } from "./row-values.ts";

/** lighteval keeps details under the model's name and the time; verifiers writes the model beside its results. */
export async function sourceName(path: string): Promise<string> {
  const details = /(?:^|\/)details\/(.+)\/[^/]+\/details_[^/]+\.parquet$/.exec(path.split("\\").join("/"));
  if (details !== null) return details[1];
  const own = basename(path, extname(path));
  return own === "results" ? ((await modelBeside(path)) ?? own) : own;
}

async function modelBeside(path: string): Promise<string | undefined> {
  const text = await readFile(join(dirname(path), "metadata.json"), "utf8").catch(() => "");
  try {
    return textOf(objectOf(JSON.parse(text))?.model);
  } catch {
    // Somebody else's file, or none.
    return undefined;
  }
}

/** prime-rl's `rollouts/step_3/train/all`, SkyRL's `global_step_3_evals`. */
export function stepInPath(path: string): number | undefined {
  const found = /(?:^|[\\/])(?:global_)?step_(\d{1,9})(?:_evals)?[\\/]/.exec(path);
  return found === null ? undefined : Number(found[1]);
}
