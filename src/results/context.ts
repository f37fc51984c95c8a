// What every section of a report asks of the data: which checkpoints, which scopes, measures of a checkpoint in a scope, who
// labeled. Everything about traces is looked up in the analysis; nothing is computed here.

import { checkpointColorNames } from "../drawing/palette.ts";
import { type LegendEntry, type Look, type Measured, symbols } from "../drawing/panel.ts";
import type { AccuracyComparison } from "../evaluation/comparison.ts";
import { solveCount } from "../evaluation/tally.ts";
import { paperTaxonomy } from "../rollouts/paper-taxonomy.ts";
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import { displayName, evaluationSuffix, policyRoles } from "../runs/recipe-names.ts";
import type { CheckpointSummary } from "../traces/analysis/checkpoint-summary.ts";
import { focusOf } from "../traces/analysis/claims.ts";
import type { ScopeAnalysis } from "../traces/analysis/scope-analysis.ts";
import { everything } from "../traces/analysis/scopes.ts";
import type { TrainingSeries } from "../traces/analysis/training-series.ts";
import { labelerId, labelerWords } from "../traces/labeler.ts";
import { type Alphabet, alphabetOf } from "../traces/sequence.ts";
import { comparedAccuracy, estimated } from "./intervals.ts";
import type { RunLine } from "./mean-lines.ts";
import type { CheckpointRecord, ReportData } from "./records.ts";

export type Context = {
  readonly data: ReportData;
  readonly taxonomy: Taxonomy;
  readonly alphabet: Alphabet;
  /** Sets of problems in the order in which they were asked. */
  readonly sets: readonly string[];
  /** Scopes on which mechanisms are looked at closely: puzzles together, and the primary set of mathematics. */
  readonly focus: readonly string[];
  /** Checkpoints whose traces are labeled. */
  readonly labeled: readonly CheckpointRecord[];
  readonly scope: (name?: string) => ScopeAnalysis | undefined;
  readonly of: (record: { readonly key: string }, scope?: string) => CheckpointSummary | undefined;
  readonly measured: (record: { readonly key: string }, measure: string, scope?: string) => Measured | undefined;
  readonly role: (name: string) => CheckpointRecord | undefined;
  /** The recipe's transitions, or each checkpoint and the next. */
  readonly transitions: readonly (readonly [CheckpointRecord, CheckpointRecord])[];
  /** On a set or a scope. */
  readonly compare: (first: CheckpointRecord, second: CheckpointRecord, on?: string) => AccuracyComparison | undefined;
};

export function reportContext(data: ReportData): Context {
  const scopes = data.analysis?.scopes ?? [];
  const taxonomy = data.analysis?.taxonomy ?? paperTaxonomy;
  const scope = (name: string = everything) => scopes.find((one) => one.scope.name === name);
  const of: Context["of"] = ({ key }, name) => scope(name)?.checkpoints.find(({ checkpoint }) => checkpoint === key);
  const { puzzles, mathematics } = focusOf(scopes);
  const focus = [puzzles, mathematics].flatMap((one) => one?.scope.name ?? []);
  const comparisons = new Map<string, AccuracyComparison | undefined>();
  return {
    data,
    taxonomy,
    alphabet: alphabetOf(taxonomy),
    sets: setsOf(data.checkpoints),
    // Traces of no known set are looked at together.
    focus: focus.length > 0 ? focus : scopes.slice(0, 1).map((one) => one.scope.name),
    labeled: data.checkpoints.filter((checkpoint) => (of(checkpoint)?.traces ?? 0) > 0),
    scope,
    of,
    measured: (record, measure, name) => {
      const found = of(record, name);
      return found && estimated(found.measures[measure]);
    },
    role: (name) => data.checkpoints.find((checkpoint) => checkpoint.role === name),
    transitions: transitionsOf(data.checkpoints),
    compare: (first, second, set) => {
      const key = [first.key, second.key, set ?? ""].join("\u0000");
      if (!comparisons.has(key)) comparisons.set(key, comparisonOf(first, second, setsIn(scope, set)));
      return comparisons.get(key);
    },
  };
}

function setsOf(checkpoints: readonly CheckpointRecord[]): string[] {
  const sets = new Set<string>();
  for (const { problems } of checkpoints) for (const { set } of problems.values()) sets.add(set);
  return [...sets];
}

/** Only within one run: checkpoints of different runs are no steps of one recipe, unless each is a run of its own. */
function transitionsOf(checkpoints: readonly CheckpointRecord[]): [CheckpointRecord, CheckpointRecord][] {
  const graded = checkpoints.filter(({ tallies }) => tallies !== undefined);
  const byRole = (run: string, role: string) => graded.find((one) => one.run === run && one.role === role);
  const pairs = [...new Set(graded.map(({ run }) => run))].flatMap((run) =>
    (
      [
        ["base", "sft"],
        ["sft", "vanilla"],
        ["sft", "novelty"],
        ["vanilla", "novelty"],
        ["base", "novelty"],
      ] as const
    ).flatMap(([a, b]) => {
      const [first, second] = [byRole(run, a), byRole(run, b)];
      return first && second ? [[first, second] as [CheckpointRecord, CheckpointRecord]] : [];
    }),
  );
  // RL runs that play no part in the paper's story are held against SFT and against vanilla GSPO.
  for (const other of graded) {
    if (other.role !== undefined || evaluationSuffix.test(other.key)) continue;
    for (const role of ["sft", policyRoles.plain]) {
      const first = byRole(other.run, role);
      if (first !== undefined) pairs.push([first, other]);
    }
  }
  if (pairs.length > 0) return pairs;
  const runs = [...new Set(graded.map(({ run }) => run))].map((run) => graded.filter((one) => one.run === run));
  const chains = runs.some(({ length }) => length > 1) ? runs : [graded];
  return chains.flatMap((chain): [CheckpointRecord, CheckpointRecord][] => {
    // Many checkpoints are steps of a training run: its ends say most.
    const told = graded.length > 6 ? [...new Set([chain[0], chain[chain.length - 1]])] : chain;
    return told.slice(1).map((checkpoint, i) => [told[i], checkpoint]);
  });
}

/** Of a scope that an analysis knows; else the name is a set's. */
const setsIn = (scope: Context["scope"], name: string | undefined): readonly string[] | undefined =>
  name === undefined ? undefined : (scope(name)?.scope.sets ?? [name]);

function comparisonOf(
  first: CheckpointRecord,
  second: CheckpointRecord,
  sets: readonly string[] | undefined,
): AccuracyComparison | undefined {
  const counts = ({ tallies = [] }: CheckpointRecord) =>
    tallies.filter(({ set }) => sets === undefined || (set !== undefined && sets.includes(set))).map(solveCount);
  return comparedAccuracy(counts(first), counts(second));
}

/** What a checkpoint of the analysis is called. */
export const nameIn = ({ data }: Pick<Context, "data">, key: string): string =>
  data.checkpoints.find((one) => one.key === key)?.name ?? displayName(key);

export type DrawnSeries = RunLine & { readonly series: TrainingSeries };

/** The training runs that an analysis read the steps of. */
export function analyzedSeries({ analysis, runs }: ReportData): DrawnSeries[] {
  const all = (analysis?.training ?? []).filter(({ points }) => points.length > 1);
  const inks = checkpointColorNames(all.map(() => undefined));
  return all.map((series, i) => {
    const run = runs.find(({ name }) => series.series === name || series.series.startsWith(`${name} `))?.name ?? "";
    const policy = run === "" ? series.series : series.series.slice(run.length).trim() || "training";
    const look = { run, policy, name: series.series, ink: inks[i], symbol: symbols[i % symbols.length] };
    return { ...look, ...(i % 2 === 1 && { dash: "6 3" }), series };
  });
}

/** `(12 problems)`, or `(4–7 problems)` where checkpoints were asked different numbers of them. */
export function problemCounts(counts: readonly (number | undefined)[]): string {
  const known = counts.filter((count) => count !== undefined);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return `(${least === most ? least : `${least}–${most}`} problems)`;
}

export const legendOf = (looks: readonly Look[], shape: "dots" | "bars" = "dots"): LegendEntry[] =>
  looks.map(({ name, ink, symbol }) => ({ name, ink, ...(shape === "dots" && { symbol }) }));

/** `64 traces of 16 problems` for each record, joined; equal ones are said once. */
export function sampleSizes(
  context: Context,
  records: readonly CheckpointRecord[],
  scopes: readonly (string | undefined)[],
): string {
  const parts = scopes.map((scope) => {
    const sizes = records.flatMap((record) => {
      const found = context.of(record, scope);
      return found ? [{ name: record.name, text: `${found.traces} traces of ${found.problems} problems` }] : [];
    });
    const same = new Set(sizes.map(({ text }) => text)).size === 1;
    const text = same
      ? `${sizes[0].text}${sizes.length > 1 ? " each" : ""}`
      : sizes.map((one) => `${one.name} ${one.text}`).join("; ");
    return scope === undefined ? text : `${scope}: ${text}`;
  });
  return parts.join(". ");
}

/** Who labeled the traces of these checkpoints, and of the teacher where it stands beside them, with how good that is. */
export function labeledBy(
  { data, of }: Context,
  records: readonly { readonly key: string }[],
  teacher?: CheckpointSummary,
): string | undefined {
  const ids = new Set([...records.flatMap((record) => of(record)?.labeledBy ?? []), ...(teacher?.labeledBy ?? [])]);
  const who = (data.analysis?.labelers ?? []).filter((labeler) => ids.has(labelerId(labeler)));
  const corrected = records.some((record) => Object.values(of(record)?.measures ?? {}).some(({ raw }) => raw));
  const words = who.map(labelerWords).join("; ");
  return who.length === 0 ? undefined : corrected ? `${words}; corrected for mistakes` : words;
}
