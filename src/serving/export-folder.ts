// A folder that another trainer can start from: data, configuration, launch command, plugin. Whole or absent: it is
// written beside its place and renamed, and what exists is never overwritten.
import { existsSync } from "node:fs";
import { cp, rm, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { writeFolderAtomically } from "../base/atomic-folder.ts";
import { ConfigurationError } from "../base/errors.ts";
import { jsonLinesToParquet, requireParquet } from "../base/parquet.ts";
import type { PuzzleKind } from "../problems/paper.ts";
import type { PuzzleProblem } from "../problems/problem.ts";
import type { DatasetRow } from "../problems/puzzle-dataset.ts";
import type { SplitName } from "../puzzles/splits.ts";
import { exportedSets, rowOf } from "./export-rows.ts";
import { launchScript, readmeText, rewardAddress } from "./launch-text.ts";
import { trainerNamed } from "./trainers/index.ts";
import type { Bonus, TrainerExport } from "./trainers/trainer.ts";

export type ExportRequest = {
  readonly trainer: string;
  readonly out: string;
  readonly bonus: Bonus;
  readonly puzzles: readonly PuzzleKind[];
  readonly trainRows: number;
  readonly testRows: number;
  /** A name of the hub, or an existing folder: launch.sh runs elsewhere, so its path is made absolute. */
  readonly model: string;
  readonly gpus: number;
  readonly rewardUrl: string;
  readonly seed: number;
};

export type Exported = { readonly files: readonly string[]; readonly notes: readonly string[] };

export async function exportFolder(request: ExportRequest): Promise<Exported> {
  const { bonus, out } = request;
  const trainer = trainerNamed(request.trainer);
  if (bonus === "novelty" && !trainer.bonus)
    throw new ConfigurationError(`${trainer.name} has no place for the novelty bonus; give --bonus none`);
  if (!/^https?:\/\/[\w.:[\]-]+(\/[\w./-]*)?$/.test(request.rewardUrl))
    throw new ConfigurationError(`--reward-url ${request.rewardUrl}: expected something like http://host:8123`);
  if (trainer.data === "parquet") requireParquet();
  return writeExport(out, (folder) => writeAll(trainer, { ...request, model: modelPlace(request.model) }, folder));
}

/** Beside its place until it is whole; what has come to be there meanwhile stays. */
export async function writeExport<Result>(out: string, write: (folder: string) => Promise<Result>): Promise<Result> {
  const refuse = () => {
    if (existsSync(out)) throw new ConfigurationError(`${out} exists; choose another --out or remove it`);
  };
  refuse();
  let written: { readonly result: Result } | undefined;
  await writeFolderAtomically(resolve(out), async (folder) => {
    written = { result: await write(folder) };
    refuse();
  });
  return written!.result;
}

/** An existing folder, or `./folder`, by its whole path; anything else is a name of the hub, or a path of another machine. */
export function modelPlace(model: string): string {
  return existsSync(model) || /^\.{1,2}\//.test(model) ? resolve(model) : model;
}

async function writeAll(trainer: TrainerExport, request: ExportRequest, folder: string): Promise<Exported> {
  const settings = trainer.settings(request);
  const launch = { ...request, settings };
  const puzzles = request.puzzles.map(({ puzzle, params }) => `${puzzle}=${params}`);
  const sets = exportedSets({ ...request, puzzles });
  const notes = [
    ...(await writeRows(trainer, sets.train, folder, "train")),
    ...(await writeRows(trainer, sets.test, folder, "test")),
  ];
  const contents = [`train.${trainer.data}, test.${trainer.data}: ${notes.join("; ")}`];
  await writeFile(join(folder, "settings.json"), `${JSON.stringify(settings, null, 2)}\n`);
  contents.push("settings.json: the paper's values in this trainer's keys");
  for (const [name, text] of Object.entries(trainer.files?.(launch) ?? {})) {
    await writeFile(join(folder, name), text);
    contents.push(`${name}: the same as the trainer reads it`);
  }
  await writeFile(
    join(folder, "launch.sh"),
    launchScript([rewardAddress(request.rewardUrl), ...trainer.launch(launch)]),
    { mode: 0o755 },
  );
  contents.push("launch.sh: the command");
  for (const path of trainer.plugins) await copyPlugin(path, join(folder, "plugin"));
  if (trainer.plugins.length > 0) contents.push("plugin/: what runs of ours there, a copy of `integrations/`");
  await writeFile(join(folder, "README.md"), readmeText(trainer, launch, contents));
  return { files: contents, notes };
}

/** Lines of JSON as `name.jsonl`, or as the Parquet made of them. */
export async function writeData(name: string, lines: readonly string[], data: TrainerExport["data"]): Promise<void> {
  const jsonLines = `${name}.jsonl`;
  await writeFile(jsonLines, lines.join(""));
  if (data === "jsonl") return;
  await jsonLinesToParquet(jsonLines, `${name}.parquet`);
  await rm(jsonLines);
}

/** What runs of ours there, relative to `integrations/`. */
export async function copyPlugin(path: string, folder: string): Promise<void> {
  const from = fileURLToPath(new URL(`../../integrations/${path}`, import.meta.url));
  const isSource = (source: string) => !source.includes("__pycache__");
  await cp(from, join(folder, basename(path)), { recursive: true, filter: isSource });
}

async function writeRows(
  trainer: TrainerExport,
  problems: readonly PuzzleProblem[],
  folder: string,
  split: SplitName,
): Promise<string[]> {
  const rows = new Map<string, DatasetRow>();
  const lines = problems.map((problem, index) => {
    const row = rows.get(problem.id) ?? rowOf(problem, index);
    rows.set(problem.id, row);
    return `${JSON.stringify(trainer.row({ ...row, extra_info: { ...row.extra_info, index } }))}\n`;
  });
  await writeData(join(folder, split), lines, trainer.data);
  return [...new Set(problems.map(({ set }) => set))].map((set) => {
    const own = problems.filter((problem) => problem.set === set);
    const distinct = new Set(own.map(({ id }) => id)).size;
    const repeated = distinct < own.length ? `, ${distinct} different, as no more exist` : "";
    return `${own.length} ${set} (${split}${repeated})`;
  });
}
