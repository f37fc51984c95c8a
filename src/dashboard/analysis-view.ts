// What pages show of one scope of an analysis, taken from it as it stands: nothing is counted here.
import { changesItem } from "../results/sections/changed.ts";
import type { ScopeAnalysis } from "../traces/analysis/scope-analysis.ts";
import type { Alphabet } from "../traces/sequence.ts";
import type { AnalyzedScope, ComparisonReply, Source } from "./api.ts";

/** Which of a run's sources is meant by each checkpoint of its analysis: what was evaluated. */
const analyzedSource = (sources: readonly Source[], checkpoint: string): Source | undefined =>
  sources.find(({ kind, checkpoint: own }) => own === checkpoint && kind === "evaluation");

/** Whether a set is meant by a name, which is a set's or a scope's; no name means all. */
export function isMeant(
  set: string | undefined,
  wanted: string | undefined,
  scopes: readonly AnalyzedScope[],
): boolean {
  if (wanted === undefined || set === wanted) return true;
  const scope = scopes.find(({ name }) => name === wanted);
  return scope !== undefined && (scope.sets === undefined || (set !== undefined && scope.sets.includes(set)));
}

/** What the analysis found between two sources, and between the ends of its training runs, as charts. */
export function scopeComparison(
  { scope, comparisons }: ScopeAnalysis,
  sources: readonly Source[],
  pair: readonly [string, string],
  { labels }: Alphabet,
): ComparisonReply {
  const placed = comparisons.map((comparison) => ({
    comparison,
    ids: [comparison.first, comparison.second].map((name) => analyzedSource(sources, name)?.id),
  }));
  const isAsked = (ids: readonly (string | undefined)[]) => ids[0] === pair[0] && ids[1] === pair[1];
  const shown = placed.filter(({ ids }) => isAsked(ids) || ids.every((id) => id === undefined));
  return {
    scope: scope.name,
    compared: placed.flatMap(({ ids: [first, second] }) => (first && second ? [{ first, second }] : [])),
    items: shown.map(({ comparison }) => changesItem(comparison, labels)),
  };
}
