// A folder that another trainer can start from: data, configuration, launch command, plugin. Whole or absent: it is
// written beside its place and renamed, and what exists is never overwritten.
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ConfigurationError } from "../base/errors.ts";
import { jsonLinesToParquet } from "../base/parquet.ts";
import { Random } from "../base/random.ts";
import type { SplitName } from "../puzzles/splits.ts";
import { madePuzzles, type PuzzleKind, trainerRow } from "./export-rows.ts";
import { launchScript, readmeText } from "./launch-text.ts";
import { type Bonus, paperSettings, type Trainer } from "./paper-settings.ts";

export type ExportRequest = {
  readonly trainer: Trainer;
  readonly out: string;
  readonly bonus: Bonus;
  readonly puzzles: readonly PuzzleKind[];
  readonly trainRows: number;
  readonly testRows: number;
  readonly model: string;
  readonly gpus: number;
  readonly rewardUrl: string;
  readonly seed: number;
};

export type Exported = { readonly files: readonly string[]; readonly notes: readonly string[] };

/** What each trainer runs of ours, relative to `integrations/`. */
const plugins: Readonly<Record<Trainer, readonly string[]>> = {
  verl: ["verl/repertoire_verl.py", "rewards/repertoire_rewards"],
  trl: ["trl/repertoire_trl.py", "trl/train.py", "rewards/repertoire_rewards"],
  openrlhf: [],
  slime: [],
};

export async function exportFolder(request: ExportRequest): Promise<Exported> {
  const { trainer, bonus, out } = request;
  if (existsSync(out)) throw new ConfigurationError(`${out} exists; choose another --out or remove it`);
  if (bonus === "novelty" && plugins[trainer].length === 0)
    throw new ConfigurationError(`${trainer} has no place for the novelty bonus; give --bonus none`);
  if (!/^https?:\/\/[\w.:[\]-]+(\/[\w./-]*)?$/.test(request.rewardUrl))
    throw new ConfigurationError(`--reward-url ${request.rewardUrl}: expected something like http://host:8123`);
  const place = resolve(out);
  await mkdir(dirname(place), { recursive: true });
  const folder = await mkdtemp(join(dirname(place), `.${basename(place)}-`));
  try {
    const exported = await writeAll(request, folder);
    await chmod(folder, 0o755);
    await rename(folder, place);
    return exported;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function writeAll(request: ExportRequest, folder: string): Promise<Exported> {
  const { trainer } = request;
  const settings = paperSettings(trainer, request);
  const launch = { ...request, settings };
  const notes = [
    ...(await writeRows(request, folder, "train", request.trainRows)),
    ...(await writeRows(request, folder, "test", request.testRows)),
  ];
  const dataEnding = trainer === "verl" ? "parquet" : "jsonl";
  const contents = [`train.${dataEnding}, test.${dataEnding}: ${notes.join("; ")}`];
  await writeFile(join(folder, "settings.json"), `${JSON.stringify(settings, null, 2)}\n`);
  contents.push("settings.json: the paper's values in this trainer's keys");
  await writeFile(join(folder, "launch.sh"), launchScript(launch), { mode: 0o755 });
  contents.push("launch.sh: the command");
  for (const path of plugins[trainer]) {
    const from = fileURLToPath(new URL(`../../integrations/${path}`, import.meta.url));
    const isSource = (source: string) => !source.includes("__pycache__");
    await cp(from, join(folder, "plugin", basename(path)), { recursive: true, filter: isSource });
  }
  if (plugins[trainer].length > 0) contents.push("plugin/: reward function and trainer, a copy of `integrations/`");
  await writeFile(join(folder, "README.md"), readmeText(launch, contents));
  return { files: contents, notes };
}

async function writeRows(
  { trainer, puzzles, seed }: ExportRequest,
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
  await writeFile(jsonLines, rows.map((row) => `${JSON.stringify(trainerRow(trainer, row))}\n`).join(""));
  if (trainer === "verl") {
    await jsonLinesToParquet(jsonLines, join(folder, `${split}.parquet`));
    await rm(jsonLines);
  }
  return notes;
}
