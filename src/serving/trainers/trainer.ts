// What an export knows about one trainer: the columns of its dataset, the paper's values in its keys, the command that
// starts it, and what it was checked against.
import type { PolicyCard } from "../../engine/policy-card.ts";
import type { SplitName } from "../../puzzles/splits.ts";
import { paperNovelty, type Stage } from "./stage.ts";
import type { WatchedName } from "./watched.ts";

export type Bonus = "novelty" | "none";

/** A flag's value; true stands alone, a list is written as several words, and records are for settings in JSON only. */
type Setting =
  | string
  | number
  | boolean
  | readonly (string | number)[]
  | { readonly [key: string]: string | number | boolean };
export type Settings = Readonly<Record<string, Setting>>;

export type SettingsInput = {
  readonly bonus: Bonus;
  readonly model: string;
  /** Of each machine. */
  readonly gpus: number;
  readonly nodes: number;
  /** Puzzles in this style; with `plain`, prompts are text and no chat template is applied. */
  readonly promptStyle: PolicyCard["promptStyle"];
  readonly plain: boolean;
  readonly stage: Stage;
};
export type LaunchInput = SettingsInput & { readonly settings: Settings };

/** verl's columns. A prompt is messages, or text for a model that takes no chat template. */
export type TrainerRow = {
  readonly data_source: string;
  readonly prompt: string | readonly [{ readonly role: "user"; readonly content: string }];
  readonly ability: string;
  readonly reward_model: { readonly style: "rule"; readonly ground_truth: string };
  readonly extra_info: { readonly split: SplitName; readonly index: number; readonly id: string };
};

export type TrainerExport = {
  readonly name: WatchedName;
  /** Where RL starts if the user names no model and it cannot train the paper's. */
  readonly model?: string;
  /** Whether its export can span machines. */
  readonly nodes?: true;
  /** Whether it reads the test rows, and ends where there are none. */
  readonly validates?: true;
  /** Whether it takes prompts that are plain text. */
  readonly plainPrompts?: true;
  /** Whether the novelty bonus fits without a fork. */
  readonly bonus: boolean;
  /** Where it leaves rollouts that `traces analyze` reads; elsewhere the reward server's record is read. */
  readonly rollouts?: string;
  /** What it runs of ours, relative to `integrations/`; copied to `plugin/`. */
  readonly plugins: readonly string[];
  readonly data: "parquet" | "jsonl";
  readonly row: (row: TrainerRow) => object;
  readonly settings: (input: SettingsInput) => Settings;
  /** Further files, by name. */
  readonly files?: (input: LaunchInput) => Readonly<Record<string, string>>;
  /** The lines of `launch.sh` that start it. */
  readonly launch: (input: LaunchInput) => readonly string[];
  /** What it cannot say in its configuration, or says differently from the paper. */
  readonly differences: readonly string[];
  /** Why eight cards of 80 GB hold it, in sums. Not run at that size. */
  readonly memory: readonly string[];
};

export function quoted(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

const words = (value: Setting) => (Array.isArray(value) ? value : [value]).map(String).map(quoted).join(" ");

export const flagLine = (key: string, value: Setting): string => (value === true ? key : `${key} ${words(value)}`);

/** What lies in the exported folder; workers on other nodes, or in other directories, must find it. */
const inFolder = /^(train|test)\.(parquet|jsonl)$|^plugin\/|^(rollouts|validation|checkpoints|exports)$/;

export const flagLines = (settings: Settings): string[] =>
  Object.entries(settings).map(([key, value]) => flagLine(key, value));

/** Hydra's `key=value`, with its spelling of truth. */
export function hydraLine(key: string, value: Setting): string {
  if (typeof value === "string" && inFolder.test(value)) return `"${key}=$PWD/${value}"`;
  return quoted(`${key}=${value === true ? "True" : value === false ? "False" : String(value)}`);
}

export const hydraLines = (settings: Settings): string[] =>
  Object.entries(settings).map(([key, value]) => hydraLine(key, value));

/** A command over several lines; what is given to launch.sh comes last. */
export const command = (start: string, lines: readonly string[] = []): string =>
  [start, ...lines, '"$@"'].join(" \\\n  ");

export const findPlugin = `export PYTHONPATH="$PWD/plugin\${PYTHONPATH:+:$PYTHONPATH}"`;

/** Trainers that are given only an address get the token in it, from the environment: it is in no file. */
export const remoteUrl = (path: string): string =>
  `"$REPERTOIRE_REWARD_URL${path}\${REPERTOIRE_TOKEN:+?token=$REPERTOIRE_TOKEN}"`;

/** What the bonus's own environment says where it is not the paper's: to a plugin whose trainer has no place for it. */
export function noveltyVariables({ bonus, stage }: SettingsInput): Readonly<Record<string, string | number>> {
  const novelty = bonus === "novelty" ? stage.novelty : { ...stage.novelty, weight: 0 };
  const usual: Readonly<Record<string, unknown>> = paperNovelty();
  const changed = Object.entries(novelty).filter(([name, value]) => usual[name] !== value);
  return Object.fromEntries(changed.map(([name, value]) => [`REPERTOIRE_NOVELTY_${name.toUpperCase()}`, value]));
}

export const noveltyLines = (input: SettingsInput): string[] =>
  Object.entries(noveltyVariables(input)).map(([name, value]) => `export ${name}="\${${name}:-${value}}"`);

/** A stop with a reason where the environment lacks what only the user knows. */
export const needed = (variable: string, what: string): string => `: "\${${variable}:?${what}}"`;
