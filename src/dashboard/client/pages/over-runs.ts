// Several runs as groups of repetitions: mean and spread over the runs of a group, of curves, of pass@k, of measures.
// The spread is one standard deviation over runs (n − 1), which is another's than intervals over problems.
import { mean, standardDeviation } from "../../../base/statistics/descriptive.ts";
import { checkpointColorNames } from "../../../drawing/palette.ts";
import { groupNames, runGroups } from "../../../results/run-groups.ts";
import { rlCurves } from "../../../training/curves.ts";
import type { SideCheckpoint, SideRun } from "../../api.ts";
import { dashes } from "../parts/chart-paths.ts";
import { inksOfEntries } from "../parts/inks.ts";
import type { Point } from "../parts/smoothed.ts";

export type RunGroup = { readonly name: string; readonly runs: readonly SideRun[] };

/** By equal settings; where the reader gave runs a name, runs of one name are together instead. */
export function groupsOf(runs: readonly SideRun[], given: ReadonlyMap<string, string>): RunGroup[] {
  const named = new Map<string, SideRun[]>();
  for (const run of runs) {
    const name = given.get(run.id);
    if (name !== undefined) named.set(name, [...(named.get(name) ?? []), run]);
  }
  const equal = runGroups(runs.filter(({ id }) => !given.has(id)));
  const names = groupNames(equal);
  const groups = [
    ...equal.map((own, i) => ({ name: names[i], runs: own })),
    ...[...named].map(([name, own]) => ({ name, runs: own })),
  ];
  // In the order of the runs, whoever put them together.
  return groups.sort((a, b) => runs.indexOf(a.runs[0]) - runs.indexOf(b.runs[0]));
}

export type Spread = { readonly value: number; readonly spread?: number; readonly runs: number };

function spreadOf(values: readonly number[]): Spread | undefined {
  if (values.length === 0) return undefined;
  const runs = values.length;
  return { value: mean(values), runs, ...(runs > 1 && { spread: standardDeviation(values) }) };
}

/** A share's band ends at 0 and at 1, as the share does. */
const banded = (x: number, values: readonly number[], unit: "share" | undefined): Point => {
  const { value: y, spread } = spreadOf(values)!;
  if (spread === undefined) return { x, y };
  const [low, high] = [y - spread, y + spread];
  return unit === "share" ? { x, y, low: Math.max(0, low), high: Math.min(1, high) } : { x, y, low, high };
};

export type GroupLine = {
  readonly group: RunGroup;
  /** The stage or checkpoint, by the name that it has in each run. */
  readonly part: string;
  readonly role?: string;
  readonly points: readonly Point[];
  readonly runs: readonly { readonly run: SideRun; readonly points: readonly Point[] }[];
};

/** One curve of every training run. The mean ends where the first run ends: a mean over fewer would jump. */
export function curveLines(groups: readonly RunGroup[], curve: string): GroupLine[] {
  const drawn = rlCurves.find(({ id }) => id === curve);
  const unit = drawn !== undefined && "unit" in drawn ? drawn.unit : undefined;
  return groups.flatMap((group) => {
    const parts = [...new Set(group.runs.flatMap(({ training }) => training.map(({ name }) => name)))];
    return parts.flatMap((part): GroupLine[] => {
      const runs = group.runs.flatMap((run) => {
        const training = run.training.find(({ name }) => name === part);
        const values = training?.curves[curve];
        if (training === undefined || values === undefined) return [];
        const points = training.steps.flatMap((x, i) => (values[i] === null ? [] : [{ x, y: values[i] as number }]));
        return [{ run, role: training.role, points }];
      });
      if (runs.length === 0) return [];
      return [
        {
          group,
          part,
          ...withRole(runs[0].role),
          points: meanOfLines(
            runs.map(({ points }) => points),
            unit,
          ),
          runs,
        },
      ];
    });
  });
}

/** pass@k on one set. A single run has its interval over problems, several have their spread over runs. */
export function passLines(groups: readonly RunGroup[], set: string, chosen: Chosen = {}): GroupLine[] {
  return groups.flatMap((group) =>
    chosenParts(group, chosen).flatMap(({ part, role, found }): GroupLine[] => {
      const runs = found.flatMap(({ run, checkpoint }) => {
        const own = checkpoint.sets.find((one) => one.set === set);
        if (own === undefined || own.passAtK.length === 0) return [];
        const points = own.passAtK.map(({ k, value, interval }) => ({ x: k, y: value, ...interval }));
        return [{ run, points }];
      });
      if (runs.length === 0) return [];
      const points =
        runs.length === 1
          ? runs[0].points
          : meanOfLines(
              runs.map(({ points }) => points),
              "share",
            );
      return [{ group, part, ...withRole(role), points, runs }];
    }),
  );
}

function meanOfLines(lines: readonly (readonly Point[])[], unit: "share" | undefined): Point[] {
  if (lines.length === 1) return [...lines[0]];
  const values = new Map<number, number[]>();
  for (const points of lines)
    for (const { x, y } of points) {
      const own = values.get(x);
      if (own === undefined) values.set(x, [y]);
      else own.push(y);
    }
  return [...values]
    .filter(([, own]) => own.length === lines.length)
    .sort(([a], [b]) => a - b)
    .map(([x, own]) => banded(x, own, unit));
}

export type Part = {
  readonly part: string;
  readonly role?: string;
  readonly found: readonly { readonly run: SideRun; readonly checkpoint: SideCheckpoint }[];
};

/** The checkpoints of a group, each with every run that has it. */
export function partsOf({ runs }: RunGroup): Part[] {
  const found = runs.flatMap((run) => run.checkpoints.map((checkpoint) => ({ run, checkpoint })));
  const names = [...new Set(found.map(({ checkpoint }) => checkpoint.name))];
  return names.map((part) => {
    const own = found.filter(({ checkpoint }) => checkpoint.name === part);
    return { part, ...withRole(own[0].checkpoint.role), found: own };
  });
}

/** A checkpoint by its name, all of them, or the last of each run, which is what a training run is judged by. */
export type Chosen = { readonly checkpoint?: string; readonly only?: "last" };

export function chosenParts(group: RunGroup, { checkpoint, only }: Chosen): Part[] {
  const parts = partsOf(group);
  if (checkpoint !== undefined) return parts.filter(({ part }) => part === checkpoint);
  return only === "last" ? parts.slice(-1) : parts;
}

const withRole = (role: string | undefined) => (role === undefined ? {} : { role });

/** pass@k of one checkpoint over the runs that have it. */
export const passOver = ({ found }: Part, set: string, k: number): Spread | undefined =>
  spreadOf(
    found.flatMap(
      ({ checkpoint }) =>
        checkpoint.sets.find((one) => one.set === set)?.passAtK.find((one) => one.k === k)?.value ?? [],
    ),
  );

/** A measure of one checkpoint over the runs that have it; of a single run with its interval over problems. */
export function measureOver({ found }: Part, scope: string, measure: string) {
  const all = found.flatMap(
    ({ checkpoint }) => checkpoint.reasoning.find((one) => one.scope === scope)?.measures[measure] ?? [],
  );
  const spread = spreadOf(all.map(({ value }) => value));
  return spread && { ...spread, ...(all.length === 1 && all[0].interval && { interval: all[0].interval }) };
}

export const lineKey = (group: RunGroup, part: string): string => JSON.stringify([group.name, part]);

export type LineLook = { readonly ink: string; readonly dash: string };

/**
 * What each line looks like. A checkpoint has the color of its own run's pages, and groups differ in their dashes; where
 * groups have one training run each, they are what is compared: then colors are theirs, and dashes the checkpoints'.
 */
export function lineLooks(groups: readonly RunGroup[]): ReadonlyMap<string, LineLook> {
  const entries = groups.flatMap((group) =>
    group.runs.flatMap(({ training, checkpoints }) =>
      [...training, ...checkpoints].map(({ name, role, color }) => ({ group, id: name, name, role, color })),
    ),
  );
  const byPart = groups.length === 1 || groups.some(({ runs }) => runs.some(({ training }) => training.length > 1));
  const ofPart = inksOfEntries(entries);
  const ofGroup = checkpointColorNames(groups.map(() => undefined));
  const parts = [...new Set(entries.map(({ name }) => name))];
  const dashOf = (place: number) => dashes[place % dashes.length];
  return new Map(
    entries.map(({ group, name }) => {
      const place = groups.indexOf(group);
      const look = byPart
        ? { ink: ofPart.get(name)!, dash: dashOf(groups.length === 1 ? parts.indexOf(name) : place) }
        : { ink: ofGroup[place], dash: dashOf(parts.indexOf(name)) };
      return [lineKey(group, name), look];
    }),
  );
}
