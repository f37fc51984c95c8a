// Which runs repeat one experiment, and what differs in their settings: for the report's tables and the dashboard's page of
// several runs. Pure, and part of the client.
import { flatSettings, settingName, type Tree } from "./setting-names.ts";

type ConfiguredRun = {
  readonly name: string;
  readonly kind: string;
  readonly config: Tree;
  /** As a reader named it. */
  readonly group?: string;
};

const isSeed = (key: string): boolean => /(^|[._])seed$/.test(key);

/** Runs with equal settings but for their seeds, or of one named group, in the order in which they were given. */
export function runGroups<Run extends Omit<ConfiguredRun, "name">>(runs: readonly Run[]): Run[][] {
  const groups = new Map<string, Run[]>();
  for (const run of runs) {
    const settings = flatSettings(run.config)
      // Where a trainer said how it trained, which files were read of it says nothing more.
      .filter(([key]) => !isSeed(key) && !(key === "inputs" && "trainer" in run.config))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const key = run.group === undefined ? JSON.stringify([run.kind, settings]) : `group ${run.group}`;
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()];
}

/** A run's seed; of an analysis those of the trainer it read, as its own draws intervals alone. */
export function seedsOf({ kind, config }: Omit<ConfiguredRun, "name">): string {
  const own: Tree = kind === "import" ? {} : { seed: config.seed };
  const seeds = flatSettings("trainer" in config ? { trainer: config.trainer } : own);
  const values = seeds.flatMap(([key, value]) => (isSeed(key) ? [value] : []));
  return [...new Set(values)].join("/") || "?";
}

/** By its seed where it has one, else by its own name. */
export function seedName(run: ConfiguredRun): string {
  const seeds = seedsOf(run);
  return seeds === "?" ? run.name : seeds;
}

type SettingsDifference = {
  /** How many settings there are in all runs together. */
  readonly of: number;
  readonly rows: readonly {
    readonly key: string;
    /** As a paper's table names it. */
    readonly name: string;
    /** One a run; undefined where a run does not have it. */
    readonly values: readonly (string | undefined)[];
  }[];
};

/** Settings that are not the same in all runs. */
export function settingsDifference(runs: readonly ConfiguredRun[]): SettingsDifference {
  const flat = runs.map(({ kind, config }) => new Map([["kind", kind], ...flatSettings(config)]));
  const keys = [...new Set(flat.flatMap((settings) => [...settings.keys()]))];
  const different = keys.filter((key) => new Set(flat.map((settings) => settings.get(key))).size > 1);
  return {
    of: keys.length,
    rows: different.map((key) => ({
      ...{ key, name: settingName(key) },
      values: flat.map((settings) => settings.get(key)),
    })),
  };
}

/** Longer names do not fit beside a curve. */
const longestName = 36;

/** As a reader named them; else what sets groups apart, where that is one setting or two: `learning rate 0.0001`; else their runs. */
export function groupNames(groups: readonly (readonly ConfiguredRun[])[]): string[] {
  const named = groups.map(([{ group }]) => group);
  const others = settingNames(groups.filter((_, i) => named[i] === undefined));
  return named.map((name) => name ?? others.shift()!);
}

function settingNames(groups: readonly (readonly ConfiguredRun[])[]): string[] {
  const { rows } = settingsDifference(groups.map(([first]) => first));
  // What a run read says less than what it is called.
  const telling = rows.filter(({ key }) => !isSeed(key) && key !== "inputs");
  const last = (key: string) => settingName(key.split(".").at(-1)!);
  // Trainers' settings lie deep: the last word is enough where no other setting has it.
  const shortName = ({ key, name }: (typeof telling)[number]) =>
    telling.filter((other) => last(other.key) === last(key)).length === 1 ? last(key) : name;
  const names = groups.map((_, i) => telling.map((row) => `${shortName(row)} ${row.values[i] ?? "–"}`).join(", "));
  const usable = telling.length > 0 && telling.length <= 2 && names.every((name) => name.length <= longestName);
  return usable ? names : groups.map((runs) => namesOf(runs.map(({ name }) => name)));
}

const namesOf = ([first, ...others]: readonly string[]): string =>
  others.length === 0 ? first : `${first} and ${others.length} more`;
