// What a trainer or a harness says of itself beside what it wrote: the settings that an analysis of its rollouts has. Only
// files that such programs are known to write are looked at, near the rollouts; one that cannot be read says nothing.
import { existsSync } from "node:fs";
import { open, readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { CORE_SCHEMA, load, YAMLException } from "js-yaml";
import { TomlError, parse as tomlValues } from "smol-toml";
import { z } from "zod";
import { DataError } from "../base/errors.ts";
import { pickleValue } from "./pickle-values.ts";
import { objectOf } from "./row-values.ts";
import { readZipEntry, zipEntries } from "./zip-archive.ts";

type Settings = Readonly<Record<string, unknown>>;

const largest = 4 << 20;
/** Folders above the rollouts that may be the run's own. */
const levels = 5;
/** Settings that lie deeper than this nobody wrote. */
const deepest = 50;

/** Without aliases: no trainer writes them, and a few lines of them stand for more than memory holds. */
const yamlValues = (text: string) => load(text, { schema: CORE_SCHEMA, maxAliases: 0 });

/** A file by its path from some folder, and what of it are settings. */
type Source = { readonly at: RegExp; readonly read: (path: string) => Promise<Settings | undefined> };

const parsed = (parse: (text: string) => unknown, part = (whole: Settings): unknown => whole) => {
  return async (path: string) => {
    if ((await stat(path)).size > largest) return undefined;
    const whole = objectOf(parse(await readFile(path, "utf8")));
    return whole && objectOf(part(whole));
  };
};
const unwrapped = (all: Settings): Settings =>
  Object.fromEntries(
    Object.entries(all).flatMap(([key, one]) =>
      objectOf(one) && "value" in objectOf(one)! ? [[key, objectOf(one)!.value]] : [],
    ),
  );

/** The most telling first: one is enough, but prime-rl's, whose parts are files of their own. */
const sources: readonly Source[] = [
  // Hydra: verl and whatever is built on it.
  { at: /^\.hydra\/config\.yaml$/, read: parsed(yamlValues) },
  { at: /^configs\/(?:rl|trainer|orchestrator)\.json$/, read: parsed(JSON.parse) },
  { at: /^configs\/(?:rl|trainer|orchestrator)\.toml$/, read: parsed(tomlValues) },
  // Hugging Face's Trainer, and so TRL.
  { at: /^(?:checkpoint-\d+\/)?training_args\.bin$/, read: torchSettings },
  { at: /^wandb\/latest-run\/files\/config\.yaml$/, read: parsed(yamlValues, unwrapped) },
  { at: /^metadata\.json$/, read: parsed(JSON.parse, (whole) => ("env_id" in whole ? whole : undefined)) },
  // lm-evaluation-harness and lighteval.
  { at: /^results_.*\.json$/, read: parsed(JSON.parse, ({ config, config_general }) => config ?? config_general) },
];

/** Of Inspect the log itself says it. */
const inspectSettings = (header: unknown): Settings | undefined => {
  const evaluation = objectOf(objectOf(header)?.eval);
  if (evaluation === undefined) return undefined;
  const { task, task_version, task_args, model, model_args, model_generate_config, config } = evaluation;
  return { task, task_version, task_args, model, model_args, model_generate_config, config };
};

async function torchSettings(path: string): Promise<Settings | undefined> {
  return objectOf(await zipped(path, /(^|\/)data\.pkl$/, pickleValue));
}

async function zipped<Value>(
  path: string,
  name: RegExp,
  read: (bytes: Uint8Array) => Value,
): Promise<Value | undefined> {
  const entry = (await zipEntries(path)).find((one) => name.test(one.name));
  if (entry === undefined) return undefined;
  const file = await open(path, "r");
  try {
    return read(await readZipEntry(file, entry));
  } finally {
    await file.close();
  }
}

/** The settings that the inputs' own programs left near them; the first input's where they differ. */
export async function trainerSettings(inputs: readonly string[]): Promise<Settings | undefined> {
  // Rollouts of one run lie together: its first files are near its settings, too.
  for (const input of inputs.slice(0, 4)) {
    const found = (await ofLogs(input)) ?? (await near(input));
    if (found !== undefined) return told(found);
  }
  return undefined;
}

async function ofLogs(input: string): Promise<Settings | undefined> {
  const files = (await isFolder(input)) ? (await readdir(input)).sort().map((name) => join(input, name)) : [input];
  const log = files.find((path) => path.endsWith(".eval") || path.endsWith(".json"));
  if (log === undefined) return undefined;
  const json = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));
  return attempt(async () =>
    log.endsWith(".eval")
      ? inspectSettings(await zipped(log, /^(?:header|_journal\/start)\.json$/, json))
      : (await stat(log)).size <= largest
        ? inspectSettings(json(await readFile(log)))
        : undefined,
  );
}

async function near(input: string): Promise<Settings | undefined> {
  const path = resolve(input);
  // lighteval's details and results lie in two folders of the same names.
  const beside = path.replace(/([\\/])details([\\/].*?)[\\/][^\\/]+[\\/]details_[^\\/]*$/, "$1results$2");
  let folder = beside !== path && existsSync(beside) ? beside : (await isFolder(path)) ? path : dirname(path);
  for (let level = 0; level < levels; level++, folder = dirname(folder)) {
    const names = await filesNear(folder);
    for (const { at, read } of sources) {
      const matching = names.filter((name) => at.test(name));
      const found: Record<string, unknown> = {};
      for (const name of matching.slice(-3)) {
        const settings = await attempt(() => read(join(folder, name)));
        // Parts in files of their own keep their names, as the trainer's own flags do.
        if (settings !== undefined)
          Object.assign(
            found,
            name.startsWith("configs/") ? { [basename(name).replace(/\.\w+$/, "")]: settings } : settings,
          );
      }
      if (Object.keys(found).length > 0) return found;
    }
  }
  return undefined;
}

/** The names in a folder, and in those below it that a trainer keeps its settings in. */
async function filesNear(folder: string): Promise<string[]> {
  const own = await readdir(folder).catch(() => []);
  const below = own.filter((name) => /^(?:\.hydra|configs|checkpoint-\d+)$/.test(name));
  if (existsSync(join(folder, "wandb/latest-run/files"))) below.push("wandb/latest-run/files");
  const deeper = below.map(async (name) =>
    (await readdir(join(folder, name)).catch(() => [])).map((file) => `${name}/${file}`),
  );
  return [...own, ...(await Promise.all(deeper)).flat()].sort();
}

const isFolder = async (path: string) => (await stat(path).catch(() => undefined))?.isDirectory() ?? false;

/** How TRL weighs its reward functions: by `reward_weights`, and equally where its settings have none. */
export async function rewardWeightsNear(path: string): Promise<readonly number[] | "equal" | undefined> {
  const settings = await trainerSettings([path]);
  if (settings === undefined || !("num_generations" in settings)) return undefined;
  return z.array(z.number()).safeParse(settings.reward_weights).data ?? "equal";
}

/** Somebody else's file: whatever is wrong with it, an analysis can do without. */
async function attempt<Value>(read: () => Promise<Value | undefined>): Promise<Value | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
}
const isExpected = (error: unknown): boolean =>
  [SyntaxError, DataError, YAMLException, TomlError].some((kind) => error instanceof kind) ||
  (error instanceof Error && "syscall" in error);

/** What says where, when and under which name rather than how is left out, and so is what nobody set. */
const untold =
  /(?:^|_)(?:dir|path|directory|token|key|hostname|host|url|time|date|id|uuid|username)$|^(?:experiment|run|project|exp)_name$|^logger$/;
function told(settings: Settings, depth = 0): Settings {
  const entries = Object.entries(settings).flatMap(([key, value]): [string, unknown][] => {
    if (key.startsWith("_") || untold.test(key) || value === null || value === undefined) return [];
    const below = objectOf(value);
    if (below === undefined) return [[key, value]];
    const inner = depth < deepest ? told(below, depth + 1) : {};
    return Object.keys(inner).length === 0 ? [] : [[key, inner]];
  });
  return Object.fromEntries(entries);
}
