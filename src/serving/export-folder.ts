// A folder that another trainer can start from: data, configuration, launch command, plugin. Whole or absent: it is
// written beside its place and renamed, and what exists is never overwritten.
import { existsSync } from "node:fs";
import { cp, rm, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { writeFolderAtomically } from "../base/atomic-folder.ts";
import { ConfigurationError } from "../base/errors.ts";
import { jsonLinesToParquet } from "../base/parquet.ts";
import { withoutSecrets } from "../base/secrets.ts";
import { defaultPolicyCard, type PolicyCard } from "../engine/policy-card.ts";
import type { Problem } from "../problems/problem.ts";
import type { SplitName } from "../puzzles/splits.ts";
import type { RlOptions } from "../training/rl-options.ts";
import { evaluationProblems, evaluationScriptAbout, evaluationScriptName } from "./evaluation-script.ts";
import { rowOf } from "./export-rows.ts";
import { launchScript, readmeText, rewardAddress } from "./launch-text.ts";
import { trainerNamed, trainers } from "./trainers/index.ts";
import { type Stage, settingsWithoutPlace, stageOf } from "./trainers/stage.ts";
import type { Bonus, LaunchInput, TrainerExport } from "./trainers/trainer.ts";

export type ExportRequest = {
  readonly trainer: string;
  readonly out: string;
  readonly bonus: Bonus;
  /** Asked for once it is known that the rest can work. */
  readonly problems: () => ExportedProblems | Promise<ExportedProblems>;
  /** The paper's unless given. */
  readonly options?: RlOptions;
  readonly card?: PolicyCard;
  /** A name of the hub, or an existing folder: launch.sh runs elsewhere, so its path is made absolute. */
  readonly model: string;
  /** Of each machine. */
  readonly gpus: number;
  readonly nodes?: number;
  readonly rewardUrl: string;
};

export type ExportedProblems = {
  /** In the order of the steps, worded as the model is asked. */
  readonly train: readonly Problem[];
  readonly test: readonly Problem[];
  /** What `evaluate.sh` asks besides the benchmarks, where the trainer has one. */
  readonly evaluation?: () => readonly Problem[];
};

export type Exported = { readonly files: readonly string[]; readonly notes: readonly string[] };

/** More than any machine has. */
const mostGpus = 16;

export async function exportFolder(request: ExportRequest): Promise<Exported> {
  const { bonus, out, gpus, nodes = 1, rewardUrl, card = defaultPolicyCard, options } = request;
  const trainer = trainerNamed(request.trainer);
  const able = (has: (one: TrainerExport) => unknown) => trainers.filter((name) => has(trainerNamed(name))).join(", ");
  if (bonus === "novelty" && !trainer.bonus)
    throw new ConfigurationError(`${trainer.name} has no place for the novelty bonus; give --bonus none`);
  if (!/^https?:\/\/[\w.:[\]-]+(\/[\w./-]*)?$/.test(rewardUrl))
    throw new ConfigurationError(`--reward-url ${rewardUrl}: expected something like http://host:8123`);
  if (gpus > mostGpus)
    throw new ConfigurationError(
      `--gpus ${gpus}: no machine has so many; give --gpus 8 --nodes ${Math.ceil(gpus / 8)}`,
    );
  if (nodes > 1 && trainer.nodes === undefined)
    throw new ConfigurationError(
      `the export for ${trainer.name} is for one machine; --nodes is for ${able((one) => one.nodes)}`,
    );
  if (nodes > 1 && /^https?:\/\/(localhost|127\.|\[::1\])/.test(rewardUrl))
    throw new ConfigurationError(
      `--reward-url ${rewardUrl}: each machine would ask itself; give the address at which all of them reach the reward server`,
    );
  if (card.chat !== "model" && trainer.plainPrompts === undefined)
    throw new ConfigurationError(
      `${request.model} is asked without its own chat template (${card.chat}), and ${trainer.name} always applies it; ${able((one) => one.plainPrompts)} take plain prompts`,
    );
  const model = modelPlace(request.model);
  const launchOf = (stage: Stage): LaunchInput => {
    const input = { bonus, gpus, nodes, stage, model, promptStyle: card.promptStyle, plain: card.chat !== "model" };
    return { ...input, settings: trainer.settings(input) };
  };
  const launch = launchOf(stageOf(options));
  const written = (stage: Stage) => {
    const changed = launchOf(stage);
    return [changed.settings, trainer.files?.(changed), trainer.launch(changed)];
  };
  const placeless = options === undefined ? [] : settingsWithoutPlace(options, written);
  if (placeless.length > 0)
    throw new ConfigurationError(
      `the export for ${trainer.name} has no place for ${placeless.join(", ")}: it would train without; leave out what you set there`,
    );
  const refuseWhatExists = () => {
    if (existsSync(out)) throw new ConfigurationError(`${out} exists; choose another --out or remove it`);
  };
  refuseWhatExists();
  const exported: Exported[] = [];
  await writeFolderAtomically(resolve(out), async (folder) => {
    const problems = await request.problems();
    if (trainer.validates && problems.test.length === 0)
      throw new ConfigurationError(
        `nothing is held out, and ${trainer.name} starts only with questions to validate on; raise --held-out-share, or give more questions`,
      );
    exported.push(await writeAll(trainer, launch, { ...problems, rewardUrl, card }, folder));
    // What has come to be there meanwhile stays.
    refuseWhatExists();
  });
  return exported[0];
}

/** An existing folder, or `./folder`, by its whole path; anything else is a name of the hub, or a path of another machine. */
function modelPlace(model: string): string {
  if (/^[a-z]+:\/\//i.test(model))
    throw new ConfigurationError(
      `--model ${withoutSecrets(model)} is an address; expected a folder, or a name of the hub such as Qwen/Qwen3-8B`,
    );
  return existsSync(model) || /^\.{1,2}\//.test(model) ? resolve(model) : model;
}

async function writeAll(
  trainer: TrainerExport,
  launch: LaunchInput,
  {
    train,
    test,
    evaluation,
    rewardUrl,
    card,
  }: ExportedProblems & { readonly rewardUrl: string; readonly card: PolicyCard },
  folder: string,
): Promise<Exported> {
  const { settings } = launch;
  const notes = [
    ...(await writeRows(trainer, train, card, folder, "train")),
    ...(await writeRows(trainer, test, card, folder, "test")),
  ];
  const contents = [`train.${trainer.data}, test.${trainer.data}: ${notes.join("; ")}`];
  await writeFile(join(folder, "settings.json"), `${JSON.stringify(settings, null, 2)}\n`);
  contents.push("settings.json: the paper's values in this trainer's keys");
  for (const [name, text] of Object.entries(trainer.files?.(launch) ?? {})) {
    await writeFile(join(folder, name), text, name.endsWith(".sh") ? { mode: 0o755 } : {});
    contents.push(name === evaluationScriptName ? evaluationScriptAbout : `${name}: the same as the trainer reads it`);
  }
  if (evaluation !== undefined && existsSync(join(folder, evaluationScriptName))) {
    const asked = evaluation();
    await writeFile(join(folder, evaluationProblems), asked.map((one) => `${JSON.stringify(one)}\n`).join(""));
    contents.push(`${evaluationProblems}: ${asked.length} problems for it, besides the benchmarks`);
  }
  await writeFile(join(folder, "launch.sh"), launchScript([rewardAddress(rewardUrl), ...trainer.launch(launch)]), {
    mode: 0o755,
  });
  contents.push("launch.sh: the command");
  for (const path of trainer.plugins) await copyPlugin(path, join(folder, "plugin"));
  if (trainer.plugins.length > 0) contents.push("plugin/: what runs of ours there, a copy of `integrations/`");
  await writeFile(join(folder, "README.md"), readmeText(trainer, launch, contents));
  return { files: contents, notes };
}

/** What runs of ours there, relative to `integrations/`. */
async function copyPlugin(path: string, folder: string): Promise<void> {
  const from = fileURLToPath(new URL(`../../integrations/${path}`, import.meta.url));
  const isSource = (source: string) => !source.includes("__pycache__");
  await cp(from, join(folder, basename(path)), { recursive: true, filter: isSource });
}

/** Lines of JSON, or the Parquet made of them. */
async function writeRows(
  trainer: TrainerExport,
  problems: readonly Problem[],
  { chat }: PolicyCard,
  folder: string,
  split: SplitName,
): Promise<string[]> {
  const lines = problems.map((problem, index) => {
    const row = rowOf(problem, split, index);
    return `${JSON.stringify(trainer.row(chat === "model" ? row : { ...row, prompt: plainPrompt(problem.prompt, chat) }))}\n`;
  });
  const jsonLines = join(folder, `${split}.jsonl`);
  await writeFile(jsonLines, lines.join(""));
  if (trainer.data === "parquet") {
    await jsonLinesToParquet(jsonLines, join(folder, `${split}.parquet`));
    await rm(jsonLines);
  }
  return [...new Set(problems.map(({ set }) => set))].map((set) => {
    const own = problems.filter((problem) => problem.set === set);
    const distinct = new Set(own.map(({ id }) => id)).size;
    const repeated = distinct < own.length ? `, ${distinct} different` : "";
    return `${own.length} ${set ?? "questions"} (${split}${repeated})`;
  });
}

const plainPrompt = (text: string, chat: "plain" | "chatml"): string =>
  chat === "plain" ? text : `<|im_start|>user\n${text}<|im_end|>\n<|im_start|>assistant\n`;
