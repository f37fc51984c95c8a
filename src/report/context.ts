// What every section of a report asks of the data: which checkpoints, which sets, means over a set's traces, who labelled.

import { Random } from "../base/random.ts";
import { type Comparison, compareCheckpoints } from "../evaluation/comparison.ts";
import { solveCount } from "../evaluation/tally.ts";
import type { LegendEntry } from "./charts/figure.ts";
import type { Measured } from "./charts/marks.ts";
import { type Means, type Measure, rememberedMeans } from "./measures.ts";
import {
  type CheckpointRecord,
  type Look,
  type ReportData,
  setsOf,
  type TeacherRecord,
  type TraceRecord,
} from "./records.ts";

export type Context = {
  readonly data: ReportData;
  readonly sets: readonly string[];
  /** The sets on which mechanisms are looked at closely: the first of puzzles and the first of mathematics. */
  readonly focus: readonly string[];
  /** Checkpoints whose traces are labelled. */
  readonly labelled: readonly CheckpointRecord[];
  readonly means: (record: CheckpointRecord | TeacherRecord, set?: string) => Means | undefined;
  readonly measured: (record: CheckpointRecord | TeacherRecord, measure: Measure, set?: string) => Measured | undefined;
  readonly role: (name: string) => CheckpointRecord | undefined;
  /** Neighbours in the recipe, and its two ends. */
  readonly transitions: readonly (readonly [CheckpointRecord, CheckpointRecord])[];
  readonly compare: (first: CheckpointRecord, second: CheckpointRecord, set?: string) => Comparison | undefined;
};

export function reportContext(data: ReportData): Context {
  const remembered = rememberedMeans();
  const labelled = data.checkpoints.filter((checkpoint) => checkpoint.traces !== undefined);
  const means = (record: CheckpointRecord | TeacherRecord, set?: string) => {
    const found = remembered(`${"folder" in record ? record.folder : "teacher"}\u0000${set ?? ""}`, () =>
      tracesIn(record, set),
    );
    return found.traces === 0 ? undefined : found;
  };
  const comparisons = new Map<string, Comparison | undefined>();
  const focus = (["puzzle", "mathematics"] as const).flatMap((kind) => setsOf(data.checkpoints, kind).slice(0, 1));
  return {
    data,
    sets: setsOf(data.checkpoints),
    focus,
    labelled,
    means,
    measured: (record, measure, set) => means(record, set)?.of(measure),
    role: (name) => data.checkpoints.find((checkpoint) => checkpoint.role === name),
    transitions: transitionsOf(data.checkpoints),
    compare: (first, second, set) => {
      const key = [first.folder, second.folder, set ?? ""].join("\u0000");
      if (!comparisons.has(key)) comparisons.set(key, comparisonOf(first, second, set));
      return comparisons.get(key);
    },
  };
}

export function tracesIn(record: CheckpointRecord | TeacherRecord, set?: string): readonly TraceRecord[] {
  const traces = record.traces ?? [];
  return set === undefined ? traces : traces.filter(({ problem }) => record.problems.get(problem)?.set === set);
}

/** Only within one run: checkpoints of different runs are no steps of one recipe, unless each is a run of its own. */
function transitionsOf(checkpoints: readonly CheckpointRecord[]): [CheckpointRecord, CheckpointRecord][] {
  const graded = checkpoints.filter(({ tallies }) => tallies !== undefined);
  const byRole = (run: string, role: string) => graded.find((one) => one.run === run && one.role === role);
  const runs = [...new Set(graded.map(({ run }) => run))];
  const pairs = runs.flatMap((run) =>
    (
      [
        ["base", "sft"],
        ["sft", "vanilla"],
        ["vanilla", "novelty"],
        ["base", "novelty"],
      ] as const
    ).flatMap(([a, b]) => {
      const [first, second] = [byRole(run, a), byRole(run, b)];
      return first && second ? [[first, second] as [CheckpointRecord, CheckpointRecord]] : [];
    }),
  );
  if (pairs.length > 0) return pairs;
  return graded.slice(1).map((checkpoint, i) => [graded[i], checkpoint]);
}

function comparisonOf(first: CheckpointRecord, second: CheckpointRecord, set?: string): Comparison | undefined {
  const counts = ({ tallies = [] }: CheckpointRecord) =>
    tallies.filter((tally) => set === undefined || tally.set === set).map(solveCount);
  const [a, b] = [counts(first), counts(second)];
  const shared = new Set(a.map(({ problem }) => problem));
  if (!b.some(({ problem }) => shared.has(problem))) return undefined;
  const fewest = [...a, ...b].reduce((least, { attempts }) => Math.min(least, attempts), Number.POSITIVE_INFINITY);
  return compareCheckpoints(a, b, { ks: [...new Set([1, fewest])], random: Random.from("report comparison") });
}

export const legendOf = (looks: readonly Look[], shape: "dots" | "bars" = "dots"): LegendEntry[] =>
  looks.map(({ name, ink, symbol }) => ({ name, ink, ...(shape === "dots" && { symbol }) }));

/** `64 traces of 16 problems` for each record, joined; equal ones are said once. */
export function sampleSizes(
  context: Context,
  records: readonly (CheckpointRecord | TeacherRecord)[],
  sets: readonly (string | undefined)[],
): string {
  const parts = sets.map((set) => {
    const sizes = records.flatMap((record) => {
      const means = context.means(record, "folder" in record ? set : undefined);
      return means ? [{ name: record.name, text: `${means.traces} traces of ${means.problems} problems` }] : [];
    });
    const same = new Set(sizes.map(({ text }) => text)).size === 1;
    const text = same
      ? `${sizes[0].text}${sizes.length > 1 ? " each" : ""}`
      : sizes.map((one) => `${one.name} ${one.text}`).join("; ");
    return set === undefined ? text : `${set}: ${text}`;
  });
  return parts.join(". ");
}

export function labelledBy(records: readonly { readonly labelled?: string }[]): string | undefined {
  const all = [...new Set(records.flatMap(({ labelled }) => labelled ?? []))];
  return all.length === 0 ? undefined : all.join("; ");
}
