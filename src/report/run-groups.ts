// Which runs repeat one experiment, and what differs in their settings: for the report's tables and the dashboard's page of
// several runs. Pure, and part of the client.
import { flatSettings, settingName, type Tree } from "./setting-names.ts";

export type ConfiguredRun = { readonly name: string; readonly kind: string; readonly config: Tree };

export const isSeed = (key: string): boolean => /(^|\.)seed$/.test(key);

/** Runs with equal settings but for their seeds, in the order in which they were given. */
export function runGroups<Run extends Omit<ConfiguredRun, "name">>(runs: readonly Run[]): Run[][] {
  const groups = new Map<string, Run[]>();
  for (const run of runs) {
    const settings = flatSettings(run.config)
      .filter(([key]) => !isSeed(key))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const key = JSON.stringify([run.kind, settings]);
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()];
}

export type SettingsDifference = {
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

/** What sets groups apart, in a few words: `learning rate 0.0001`; the runs' own name where nothing does or there is one group. */
export function groupNames(groups: readonly (readonly ConfiguredRun[])[]): string[] {
  const { rows } = settingsDifference(groups.map(([first]) => first));
  const telling = rows.filter(({ key }) => !isSeed(key) && key !== "command").slice(0, 2);
  const names = groups.map(([first], i) =>
    groups.length === 1 || telling.length === 0
      ? first.name
      : telling.map(({ name, values }) => `${name} ${values[i] ?? "–"}`).join(", "),
  );
  // Long values say less than the run's own name.
  const usable = new Set(names).size === names.length && names.every((name) => name.length <= 60);
  return usable ? names : groups.map(([first]) => first.name);
}
