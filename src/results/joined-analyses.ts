// Analyses of several collections of rollouts as one, every checkpoint under the name of its run. Nothing is computed again:
// what each analysis says of its own checkpoints stands beside what the others say of theirs.
import { DataError } from "../base/errors.ts";
import type { Analysis } from "../traces/analysis/analysis.ts";
import type { PairToRead } from "../traces/analysis/analysis-folder.ts";
import type { ScopeAnalysis } from "../traces/analysis/scope-analysis.ts";
import { labelerId } from "../traces/labeler.ts";

export type NamedAnalysis = {
  readonly run: string;
  /** What its checkpoints and series are called beside those of other runs. */
  readonly keyOf: (checkpoint: string) => string;
  readonly analysis: Analysis;
  readonly pairs: readonly PairToRead[];
};

/** What a checkpoint is called beside those of other runs; `a step 3` is still step 3 of a. */
export const nameBeside = (run: string, checkpoint: string): string => `${run} ${checkpoint}`;

export function joinedAnalyses(all: readonly NamedAnalysis[]): Pick<NamedAnalysis, "analysis" | "pairs"> {
  const [{ run, analysis: first, pairs }] = all;
  if (all.length === 1) return { analysis: first, pairs };
  const strange = all.find(({ analysis }) => analysis.taxonomy.name !== first.taxonomy.name);
  if (strange !== undefined)
    throw new DataError(
      `${run} has the labels of "${first.taxonomy.name}" and ${strange.run} those of "${strange.analysis.taxonomy.name}"; report them one by one, or analyze both with the same labeler`,
    );
  const analyses = all.map(({ analysis }) => analysis);
  const scopes = all.flatMap(({ keyOf, analysis }) => analysis.scopes.map((scope) => renamedScope(scope, keyOf)));
  const analysis: Analysis = {
    ...first,
    labelers: [
      ...new Map(analyses.flatMap(({ labelers }) => labelers).map((one) => [labelerId(one), one] as const)).values(),
    ],
    scopes: [...new Set(scopes.map(({ scope }) => scope.name))].map((name) =>
      joinedScope(scopes.filter(({ scope }) => scope.name === name)),
    ),
    training: all.flatMap(({ run, keyOf, analysis }) =>
      analysis.training.map((one) => ({ ...one, series: one.series === "training" ? run : keyOf(one.series) })),
    ),
    moved: all.flatMap(({ keyOf, analysis }) =>
      (analysis.moved ?? []).map((span) => ({ ...span, checkpoint: keyOf(span.checkpoint) })),
    ),
    claims: all.flatMap(({ run, analysis }) => analysis.claims.map((claim) => ({ ...claim, run }))),
  };
  return { analysis, pairs: all.flatMap(({ keyOf, pairs: own }) => own.map((pair) => renamedPair(pair, keyOf))) };
}

function renamedScope(own: ScopeAnalysis, keyOf: (checkpoint: string) => string): ScopeAnalysis {
  const named = <Item extends { readonly checkpoint: string }>(items: readonly Item[]) =>
    items.map((item) => ({ ...item, checkpoint: keyOf(item.checkpoint) }));
  const between = <Item extends { readonly first: string; readonly second: string }>(items: readonly Item[]) =>
    items.map((item) => ({ ...item, first: keyOf(item.first), second: keyOf(item.second) }));
  return {
    ...own,
    checkpoints: named(own.checkpoints),
    comparisons: between(own.comparisons),
    splits: between(own.splits),
    contrasts: named(own.contrasts),
    motifs: named(own.motifs),
  };
}

/** Correlations are over the checkpoints of one run; over several they would be other numbers, which nobody computed. */
function joinedScope(parts: readonly ScopeAnalysis[]): ScopeAnalysis {
  return {
    scope: parts[0].scope,
    traces: parts.reduce((total, { traces }) => total + traces, 0),
    problems: Math.max(...parts.map(({ problems }) => problems)),
    checkpoints: parts.flatMap(({ checkpoints }) => checkpoints),
    comparisons: parts.flatMap(({ comparisons }) => comparisons),
    splits: parts.flatMap(({ splits }) => splits),
    contrasts: parts.flatMap(({ contrasts }) => contrasts),
    motifs: parts.flatMap(({ motifs }) => motifs),
    correlations: [],
  };
}

function renamedPair(pair: PairToRead, keyOf: (checkpoint: string) => string): PairToRead {
  const named = (record: PairToRead["first"]) => ({ ...record, checkpoint: keyOf(record.checkpoint) });
  return { ...pair, first: named(pair.first), second: named(pair.second) };
}
