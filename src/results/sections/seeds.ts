// Several runs side by side: what differs in their settings, and runs that differ in the seed alone as papers print them,
// mean ± standard deviation over runs. That spread is another's than the intervals elsewhere, which are over problems.
import { mean, standardDeviation } from "../../base/statistics.ts";
import { type Item, missing, type Section } from "../../drawing/item.ts";
import type { Measured } from "../../drawing/panel.ts";
import { type Cell, numberCell, percentage, pValue, tableBody } from "../../drawing/table.ts";
import { passAt } from "../../evaluation/summary.ts";
import { syntheticSets } from "../../problems/synthetic/index.ts";
import { depthMeasure, recoveringMeasure, runMeasure } from "../../traces/analysis/measures.ts";
import { adjusted, judgedOverSeeds, overSeeds, type Verdict, verdictTotals } from "../../traces/analysis/verdicts.ts";
import type { Context } from "../context.ts";
import { estimated } from "../intervals.ts";
import { passColumnName, passColumns, summaryOn } from "../pass-columns.ts";
import type { CheckpointRecord, RunRecord } from "../records.ts";
import { groupNames, runGroups, seedName, seedsOf, settingsDifference } from "../run-groups.ts";
import { type StoryCheckpoint, type StoryDomain, storyBody } from "./story.ts";

export function seedsSection(context: Context): Section {
  return {
    id: "runs",
    title: "Repetitions and settings",
    intro:
      "Runs that differ only in the seed are repetitions of one experiment; their spread shows how far a single run can be trusted.",
    items: [
      ...[seedsStory(context), seedsAccuracy(context), seedsReasoning(context), seedsDifferences(context)],
      settingsTable(context),
    ],
  };
}

type Repeated = {
  readonly runs: readonly RunRecord[];
  /** What tells its runs from those of other rows; nothing where there is one group. */
  readonly group: readonly string[];
  readonly name: string;
  /** The same checkpoint of each run that has it. */
  readonly checkpoints: readonly CheckpointRecord[];
};

function repeatedCheckpoints({ data }: Context, of: readonly CheckpointRecord[]): Repeated[] {
  const groups = runGroups(data.runs).filter((runs) => runs.length > 1);
  const groupsAre = groups.length > 1 ? groupNames(groups) : [];
  return groups.flatMap((runs, i) => {
    const own = of.filter(({ run }) => runs.some(({ name }) => name === run));
    const names = [...new Set(own.map(({ inRun }) => inRun))];
    const group = groupsAre.slice(i, i + 1);
    return names.map((name) => ({ runs, group, name, checkpoints: own.filter(({ inRun }) => inRun === name) }));
  });
}

/** `61.3 ± 2.4`, and over how many runs where some lack it; the spread is the sample's (n − 1). */
export function overRuns(values: readonly number[], runs: number, format: (value: number) => string): Cell {
  if (values.length === 0) return null;
  const value = mean(values);
  const spread = values.length > 1 ? ` ± ${format(standardDeviation(values))}` : "";
  const fewer = values.length < runs ? ` (${values.length} of ${runs})` : "";
  return { value, text: format(value) + spread + fewer };
}

const groupColumn = ([{ group }]: readonly Repeated[]) => group.map(() => "group");
const needsSeeds = "at least two runs whose settings differ in the seed alone, with what is to be averaged in each";
const spreadWords = "± one standard deviation over runs (n − 1)";
const sizeOf = (rows: readonly Repeated[]) =>
  [...new Set(rows.map(({ runs }) => `${runs.length} runs (${runs.map(({ name }) => name).join(", ")})`))].join("; ");

/** The figure of one run, its checkpoints averaged over seeds. */
function seedsStory(context: Context): Item {
  const [id, title] = ["seeds-story", "Every checkpoint, over seeds"];
  const rows = repeatedCheckpoints(context, context.labeled);
  if (rows.length === 0) return missing(id, title, needsSeeds);
  const { recover } = context.taxonomy;
  const domains = reasonedOn(context).filter((set) => set !== syntheticSets.usual);
  // Neither counts nor shares are below 0.
  const over = (values: readonly (number | undefined)[], most = Number.POSITIVE_INFINITY): Measured | undefined => {
    const known = values.filter((value) => value !== undefined && !Number.isNaN(value)) as number[];
    if (known.length < 2) return undefined;
    const { value, low, high } = overSeeds(known);
    return Number.isNaN(low) ? { value } : { value, low: Math.max(0, low), high: Math.min(most, high) };
  };
  const checkpoints = rows.map(({ name, group, checkpoints: own }): StoryCheckpoint => {
    const domain = (scope: string): StoryDomain => {
      const measure = (what: string) => over(own.map((one) => context.measured(one, what, scope)?.value));
      const found = own.map((one) => context.of(one, scope));
      const ks = Object.keys(found[0]?.passAtK ?? {}).map(Number);
      return {
        passAtK: ks.flatMap((k) => {
          const solved = over(
            found.map((one) => one?.passAtK[k]?.value),
            1,
          );
          return solved === undefined ? [] : [{ k, ...solved }];
        }),
        moves: recover.map(measure),
        depth: measure(depthMeasure),
      };
    };
    const { ink, symbol } = own[0];
    const domainsOf = Object.fromEntries(domains.map((scope) => [scope, domain(scope)]));
    return { name: [name, ...group].join(", "), ink, symbol, domains: domainsOf };
  });
  return {
    id,
    title,
    caption: `Means over seeds. Left: problems solved within k attempts. Middle: ${recover.join(" and ")} per trace. Right: the longest unbroken chain of ${context.taxonomy.exploit.join(", ")}. The differences between checkpoints, paired by seed, are surer than these levels; they have a table of their own.`,
    body: storyBody(checkpoints, recover),
    n: sizeOf(rows),
    interval: "95% Student's t over seeds",
  };
}

/** Sets, and what is looked at together, which is the set itself where there is one. */
const scopesOf = ({ sets, focus }: Context): string[] =>
  sets.length === 1 ? [...sets] : [...new Set([...sets, ...focus])];

function seedsAccuracy(context: Context): Item {
  const [id, title] = ["seeds-accuracy", "Accuracy over seeds"];
  const rows = repeatedCheckpoints(
    context,
    context.data.checkpoints.filter(({ summary }) => summary !== undefined),
  );
  if (rows.length === 0) return missing(id, title, needsSeeds);
  const ofSets = passColumns(
    context.sets,
    rows.flatMap(({ checkpoints }) => checkpoints),
  );
  // Sets that are looked at together have no summary of their own; the analysis has their pass@k.
  const together = scopesOf(context).filter((name) => !context.sets.includes(name));
  const least = Math.min(...ofSets.flatMap(({ k }) => (k > 1 ? k : [])));
  const columns = [...ofSets, ...together.flatMap((set) => [1, least].map((k) => ({ set, k })))];
  const passOn = (one: CheckpointRecord, set: string, k: number): number | undefined => {
    const own = summaryOn(one, set);
    return own === undefined ? context.of(one, set)?.passAtK[k]?.value : passAt(own, k).value;
  };
  return {
    id,
    title,
    caption: `pass@k in percent, mean over runs ${spreadWords}. Only the seed differs between the runs of a row.`,
    body: tableBody(
      ["checkpoint", ...groupColumn(rows), "seeds", ...columns.map(passColumnName)],
      rows.map(({ runs, group, name, checkpoints }) => [
        name,
        ...group,
        runs.map(seedsOf).join(", "),
        ...columns.map(({ set, k }) => {
          const values = checkpoints.flatMap((one) => passOn(one, set, k) ?? []);
          return overRuns(values, runs.length, percentage);
        }),
      ]),
    ),
    n: sizeOf(rows),
    interval: `no interval; ${spreadWords}`,
  };
}

function seedsReasoning(context: Context): Item {
  const [id, title] = ["seeds-reasoning", "How traces reason, over seeds"];
  const rows = repeatedCheckpoints(context, context.labeled);
  if (rows.length === 0) return missing(id, title, needsSeeds);
  const measures = [...context.taxonomy.recover, recoveringMeasure, depthMeasure, runMeasure];
  return {
    id,
    title,
    caption: `Per trace, mean over runs ${spreadWords}. Only the seed differs between the runs of a row.`,
    body: tableBody(
      ["set", "checkpoint", ...groupColumn(rows), "seeds", ...measures],
      reasonedOn(context).flatMap((scope) =>
        rows.map(({ runs, group, name, checkpoints }) => [
          scope,
          name,
          ...group,
          runs.map(seedsOf).join(", "),
          ...measures.map((measure) => {
            const values = checkpoints.flatMap((one) => context.measured(one, measure, scope)?.value ?? []);
            return overRuns(values, runs.length, (value) => value.toFixed(2));
          }),
        ]),
      ),
    ),
    n: sizeOf(rows),
    interval: `no interval; ${spreadWords}`,
  };
}

/** What runs that differ in the seed alone say of a change: the seed is what is drawn again, not the problem. */
function seedsDifferences(context: Context): Item {
  const [id, title] = ["seeds-differences", "Differences by seed"];
  const groups = runGroups(context.data.runs).filter((runs) => runs.length > 1);
  const found = groups.flatMap((runs) => {
    const own = context.transitions.filter(([{ run }]) => runs.some(({ name }) => name === run));
    const names = [...new Set(own.map(([first, second]) => `${first.inRun} → ${second.inRun}`))];
    return names.flatMap((name) => {
      const pairs = own.filter(([first, second]) => `${first.inRun} → ${second.inRun}` === name);
      return changesOf(context).flatMap(({ on, measure, show, most, change }) => {
        const values = pairs.flatMap((pair) => {
          const value = change(...pair);
          const run = runs.find((one) => one.name === pair[0].run)!;
          return value === undefined || Number.isNaN(value) ? [] : [{ value, seed: seedName(run) }];
        });
        if (values.length < 2) return [];
        const judgment = judgedOverSeeds(values, "rises", most);
        const seeds = values.map(({ seed, value }) => `${seed}: ${show(value)}`).join(", ");
        return [{ ...judgment, name, on, measure, show, seeds }];
      });
    });
  });
  if (found.length === 0) return missing(id, title, needsSeeds);
  const corrected = adjusted(found.map(({ p }) => p));
  const p = (value: number | undefined) => (value === undefined ? null : { value, text: pValue(value) });
  return {
    id,
    title,
    caption:
      "Second − first in each run, paired by seed: pass@k in percentage points, the others per trace. Intervals over problems elsewhere hold for these networks; this one says what other seeds would give, and is the one that decides where there are several. Would have seen: the smallest change that these seeds would have shown four times in five. Adjusted: Holm's, over the table.",
    body: tableBody(
      ["change", "set", "measure", "difference", "over seeds", "would have seen", "p", "adjusted p", "by seed"],
      found.map((one, i): Cell[] => {
        const { name, on, measure, show, estimate, verdict, detectable } = one;
        const unseen = verdict === "not shown" && detectable !== undefined;
        return [
          ...[name, on, measure, numberCell(estimated(estimate), show), directions[verdict]],
          unseen ? { value: detectable, text: show(detectable) } : null,
          ...[p(one.p), p(corrected[i]), one.seeds],
        ];
      }),
    ),
    n: `${groups.map((runs) => `${runs.length} runs (${runs.map(({ name }) => name).join(", ")})`).join("; ")}; ${verdictTotals(
      found.map((one, i) => ({ ...one, adjusted: corrected[i] })),
      directions,
    )}`,
    interval: "95% Student's t over seeds",
  };
}

const directions: Readonly<Record<Verdict, string>> = {
  ...{ shown: "rises", reversed: "falls", "not shown": "not shown" },
  "cannot be tested here": "no seed differs",
};

type Change = {
  readonly on: string;
  readonly measure: string;
  readonly show: (value: number) => string;
  readonly most?: number;
  readonly change: (first: CheckpointRecord, second: CheckpointRecord) => number | undefined;
};

/** Accuracy on every set and on those that are looked at together, and what traces are made of. */
function changesOf(context: Context): Change[] {
  const { taxonomy } = context;
  const accuracy = scopesOf(context).flatMap((on) =>
    [0, -1].map(
      (end): Change => ({
        ...{ on, measure: end === 0 ? "pass@1" : "pass@k, largest k", show: percentage, most: 1 },
        change: (first: CheckpointRecord, second: CheckpointRecord) =>
          context.compare(first, second, on)?.differences.at(end)?.difference,
      }),
    ),
  );
  const moves = reasonedOn(context).flatMap((on) =>
    [...taxonomy.recover, recoveringMeasure, depthMeasure].map(
      (measure): Change => ({
        ...{ on, measure, show: (value: number) => value.toFixed(3) },
        change: (first: CheckpointRecord, second: CheckpointRecord) => {
          const [a, b] = [first, second].map((one) => context.measured(one, measure, on)?.value);
          return a === undefined || b === undefined ? undefined : b - a;
        },
      }),
    ),
  );
  return [...accuracy, ...moves];
}

/** Mathematics set by set, too: where search is needed, moves decide. */
function reasonedOn({ focus, sets, scope }: Context): string[] {
  return [...new Set([...focus, ...sets.filter((set) => scope(set)?.scope.kind === "mathematics")])];
}

function settingsTable({ data: { runs } }: Context): Item {
  const [id, title] = ["settings-difference", "What differs in the settings"];
  const { of, rows } = settingsDifference(runs);
  return {
    id,
    title,
    caption: "Settings that differ between runs; a dash means that a run does not have the setting.",
    body: tableBody(
      ["setting", ...runs.map(({ name }) => name)],
      rows.map(({ name, values }) => [name, ...values]),
    ),
    n: `${rows.length} of ${of} settings`,
  };
}
