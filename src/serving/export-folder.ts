// A folder that another trainer can start from: data, configuration, launch command, plugin. Whole or absent: it is
// written beside its place and renamed, and what exists is never overwritten.
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ConfigurationError } from "../base/errors.ts";
import { jsonLinesToParquet } from "../base/parquet.ts";
import { Random } from "../base/random.ts";
import type { PuzzleKind } from "../problems/paper.ts";
import type { SplitName } from "../puzzles/splits.ts";
import { madePuzzles } from "./export-rows.ts";
import { launchScript, readmeText } from "./launch-text.ts";
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
  if (existsSync(out)) throw new ConfigurationError(`${out} exists; choose another --out or remove it`);
  if (bonus === "novelty" && !trainer.bonus)
    throw new ConfigurationError(`${trainer.name} has no place for the novelty bonus; give --bonus none`);
  if (!/^https?:\/\/[\w.:[\]-]+(\/[\w./-]*)?$/.test(request.rewardUrl))
    throw new ConfigurationError(`--reward-url ${request.rewardUrl}: expected something like http://host:8123`);
  const place = resolve(out);
  await mkdir(dirname(place), { recursive: true });
  const folder = await mkdtemp(join(dirname(place), `.${basename(place)}-`));
  try {
    const exported = await writeAll(trainer, { ...request, model: modelPlace(request.model) }, folder);
    await chmod(folder, 0o755);
    await rename(folder, place);
    return exported;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** An existing folder, or `./folder`, by its whole path; anything else is a name of the hub, or a path of another machine. */
function modelPlace(model: string): string {
  return existsSync(model) || /^\.{1,2}\//.test(model) ? resolve(model) : model;
}

async function writeAll(trainer: TrainerExport, request: ExportRequest, folder: string): Promise<Exported> {
  const settings = trainer.settings(request);
  const launch = { ...request, settings };
  const notes = [
    ...(await writeRows(trainer, request, folder, "train", request.trainRows)),
    ...(await writeRows(trainer, request, folder, "test", request.testRows)),
  ];
  const contents = [`train.${trainer.data}, test.${trainer.data}: ${notes.join("; ")}`];
  await writeFile(join(folder, "settings.json"), `${JSON.stringify(settings, null, 2)}\n`);
  contents.push("settings.json: the paper's values in this trainer's keys");
  for (const [name, text] of Object.entries(trainer.files?.(launch) ?? {})) {
    await writeFile(join(folder, name), text);
    contents.push(`${name}: the same as the trainer reads it`);
  }
  await writeFile(join(folder, "launch.sh"), launchScript(trainer, launch), { mode: 0o755 });
  contents.push("launch.sh: the command");
  for (const path of trainer.plugins) {
    const from = fileURLToPath(new URL(`../../integrations/${path}`, import.meta.url));
    const isSource = (source: string) => !source.includes("__pycache__");
    await cp(from, join(folder, "plugin", basename(path)), { recursive: true, filter: isSource });
  }
  if (trainer.plugins.length > 0) contents.push("plugin/: what runs of ours there, a copy of `integrations/`");
  await writeFile(join(folder, "README.md"), readmeText(trainer, launch, contents));
  return { files: contents, notes };
}

async function writeRows(
  trainer: TrainerExport,
  { puzzles, seed }: ExportRequest,
  folder: string,
  split: SplitName,
  count: number,
): Promise<string[]> {
  const random = Random.from(seed).child("export", split);
  const notes: string[] = [];
  const made = puzzles.map((kind, i) => {
    const share = Math.floor((count * (i + 1)) / puzzles.length) - Math.floor((count * i) / puzzles.length);
    const { rows, distinct } = madePuzzles(kind, split, share, random.child(kind.puzzle, kind.params));
    const repeated = distinct < rows.length ? `, ${distinct} different, as no more exist` : "";
    notes.push(`${rows.length} ${kind.puzzle} ${kind.params} (${split}${repeated})`);
    return rows;
  });
  // A step should see every kind of puzzle, and most loaders can be told not to shuffle.
  const rows = random.child("order").shuffle(made.flat());
  const jsonLines = join(folder, `${split}.jsonl`);
  await writeFile(jsonLines, rows.map((row) => `${JSON.stringify(trainer.row(row))}\n`).join(""));
  if (trainer.data === "parquet") {
    await jsonLinesToParquet(jsonLines, join(folder, `${split}.parquet`));
    await rm(jsonLines);
  }
  return notes;
}
