// What the place of a file says of its rollouts where their rows do not: whose they are, and of which step of training.
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { objectOf, textOf } from "./row-values.ts";
import type { TraceStage } from "./trace.ts";

/**
 * lighteval keeps details under the model's name and the time, lm-eval a file a task in a folder named for the model; verifiers and
 * lm-eval write the model beside them. Shards of one table (`train-00001-of-00004`, `rank_3`) are one source.
 */
export async function sourceName(path: string, run?: string): Promise<string> {
  const details = /(?:^|\/)details\/(.+)\/[^/]+\/details_[^/]+\.parquet$/.exec(path.split("\\").join("/"));
  if (details !== null) return details[1];
  const own = bareName(path);
  const folder = basename(dirname(path));
  // rLLM keeps an evaluation's episodes a file each, and the model beside their folder.
  if (folder === "episodes" || /^episode_/.test(own)) {
    const above = folder === "episodes" ? dirname(dirname(path)) : dirname(path);
    return (await textBeside(join(above, "meta.json"), "model")) ?? run ?? basename(above);
  }
  if (own === "results") return (await textBeside(join(dirname(path), "metadata.json"), "model")) ?? run ?? own;
  const sampled = /^samples_(.+)_(\d{4}-\d\d-\d\dT.+)$/.exec(own);
  if (sampled !== null)
    return (
      (await textBeside(join(dirname(path), `results_${sampled[2]}.json`), "model_name")) ??
      // A task that was run twice may have been run on two models.
      ((await timesSampled(dirname(path), sampled[1])) > 1 ? own : folder.replace(/(?<=.)__/g, "/"))
    );
  return run ?? nameOfFile(path);
}

/** Where nothing but the file says whose its rollouts are. */
export function nameOfFile(path: string): string {
  const whole = bareName(path)
    .replace(/-\d{5}-of-\d{5}$/, "")
    .replace(shard, "");
  return whole === "" ? basename(dirname(path)) : whole;
}

const bareName = (path: string): string =>
  basename(path).replace(/(?<=.)(?:\.(?:jsonl|ndjson|json|parquet|eval|pt|csv|tsv|db|gz|zst))+$/i, "");

async function timesSampled(folder: string, task: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /^samples_(.+)_\d{4}-\d\d-\d\dT/.exec(name)?.[1] === task).length;
}

/** verifiers keeps the name of the environment beside its results, which number their examples anew in each. */
export const taskBeside = async (path: string): Promise<string | undefined> =>
  bareName(path) === "results" ? textBeside(join(dirname(path), "metadata.json"), "env_id") : undefined;

async function textBeside(file: string, key: string): Promise<string | undefined> {
  const text = await readFile(file, "utf8").catch(() => "");
  try {
    return textOf(objectOf(JSON.parse(text))?.[key]);
  } catch {
    // Somebody else's file, or none.
    return undefined;
  }
}

const stepFolder =
  /^(?:train_|val_|test_)?(?:(?:global_)?step|checkpoint|iter(?:ation)?)[-_]?(\d{1,9})(?:_evals|_epoch_\d+)?$/i;
/** What is before the step may be a run's name, or say what any such file is. */
const stepFile = /^(?:(.*?)[-_.])?(?:global_)?(?:step|iter(?:ation)?)[-_]?(\d{1,9})$/i;
const anyRun =
  /^(?:train|training|val|validation|eval|data|rollouts?|samples?|generations?|completions?|outputs?|responses?|traces?|[-_.])+$/i;

/** The step of training: prime-rl's `step_3/train/all`, SkyRL's `global_step_3_evals`, `checkpoint-500`, `val_data_step3.jsonl`. */
export function stepInPath(path: string): { readonly step: number; readonly run?: string } | undefined {
  const own = stepFile.exec(bareName(path));
  if (own !== null) return { step: Number(own[2]), run: anyRun.test(own[1] ?? "-") ? undefined : own[1] };
  for (const folder of dirname(path).split(/[\\/]/).reverse()) {
    const found = stepFolder.exec(folder);
    if (found !== null) return { step: Number(found[1]) };
  }
  return undefined;
}

/** Of NeMo-Skills `output-rs3` is one sitting of several. */
const shard = /(?:^|[-_.])(?:part|rank|shard|worker|chunk)[-_]?\d+$|(?<=^output)-rs\d+$/i;
/** Folders that every run has. */
const ofAnyRun =
  /^(?:rollouts?|rollout_data|rollout_data_dir|train|training|val|validation|evals?|evaluations?|dumped_evals|all|effective|completions|predictions|reviews|details|media|table|files)$/i;

/** Where a folder holds the same files of several runs, as seeds leave them side by side: which run a file is of. */
export function runsUnder(folder: string, files: readonly string[]): (file: string) => string | undefined {
  const runOf = (file: string) =>
    relative(folder, dirname(file))
      // AReaL's folders of a version of the policy.
      .replace(/(?<=^|[\\/])(?:eval-)?rollout[\\/]\d+(?=[\\/]|$)/, "")
      .split(/[\\/]/)
      .filter((part) => ![ofAnyRun, stepFolder, shard].some((pattern) => pattern.test(part)))
      .join("/");
  const named = new Map<string, string>();
  const told = files.some((file) => {
    const name = basename(file);
    const before = named.get(name) ?? runOf(file);
    named.set(name, before);
    return before !== runOf(file);
  });
  return (file) => (told && runOf(file)) || undefined;
}

const ofValidation = /(?:^|[\\/_.-])(?:val|validation|evals?|evaluations?)(?:[\\/_.-]|$)/i;

/** Of rollouts with a step, where a trainer's folder holds validation (`val/4.jsonl`, `step_4/eval/…`, `eval_4.pt`) beside training. */
export function stagesUnder(folder: string, files: readonly string[]): (file: string) => TraceStage | undefined {
  const isValidation = (file: string) => ofValidation.test(relative(folder, file));
  if (!files.some(isValidation) || files.every(isValidation)) return () => undefined;
  return (file) => (isValidation(file) ? "evaluation" : "training");
}
