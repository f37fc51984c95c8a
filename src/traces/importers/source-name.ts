// What the place of a file says of its rollouts where their rows do not: whose they are, and of which step of training.
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import type { TraceStage } from "../trace.ts";
import { objectOf, textOf } from "./row-values.ts";

/**
 * lighteval keeps details under the model's name and the time, lm-eval a file a task in a folder named for the model; verifiers and
 * lm-eval write the model beside them. Shards of one table (`train-00001-of-00004`, `rank_3`) are one source.
 */
export async function sourceName(path: string): Promise<string> {
  const details = /(?:^|\/)details\/(.+)\/[^/]+\/details_[^/]+\.parquet$/.exec(path.split("\\").join("/"));
  if (details !== null) return details[1];
  const own = basename(path).replace(/(?<=.)(?:\.(?:jsonl|ndjson|json|parquet|eval|pt|gz|zst))+$/i, "");
  if (own === "results") return (await modelIn(join(dirname(path), "metadata.json"), "model")) ?? own;
  const sampled = /^samples_(.+)_(\d{4}-\d\d-\d\dT.+)$/.exec(own);
  const folder = basename(dirname(path));
  if (sampled !== null)
    return (
      (await modelIn(join(dirname(path), `results_${sampled[2]}.json`), "model_name")) ??
      // A task that was run twice may have been run on two models.
      ((await timesSampled(dirname(path), sampled[1])) > 1 ? own : folder.replace(/(?<=.)__/g, "/"))
    );
  const whole = own.replace(/-\d{5}-of-\d{5}$|(?:^|[-_.])(?:part|rank|shard|worker|chunk)[-_]?\d+$/i, "");
  return whole === "" ? folder : whole;
}

async function timesSampled(folder: string, task: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /^samples_(.+)_\d{4}-\d\d-\d\dT/.exec(name)?.[1] === task).length;
}

async function modelIn(file: string, key: string): Promise<string | undefined> {
  const text = await readFile(file, "utf8").catch(() => "");
  try {
    return textOf(objectOf(JSON.parse(text))?.[key]);
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

const ofValidation = /(?:^|[\\/_.-])(?:val|validation|evals?|evaluations?)(?:[\\/_.-]|$)/i;

/** Of rollouts with a step, where a trainer's folder holds validation (`val/4.jsonl`, `step_4/eval/…`, `eval_4.pt`) beside training. */
export function stagesUnder(folder: string, files: readonly string[]): (file: string) => TraceStage | undefined {
  const isValidation = (file: string) => ofValidation.test(relative(folder, file));
  if (!files.some(isValidation) || files.every(isValidation)) return () => undefined;
  return (file) => (isValidation(file) ? "evaluation" : "training");
}
