// What pages show of one scope of an analysis, taken from it as it stands: nothing is counted here.
import { changesItem } from "../results/sections/changed.ts";
import type { Estimate } from "../traces/analysis/estimates.ts";
import type { MotifRow as AnalyzedMotif } from "../traces/analysis/motif-tables.ts";
import type { ScopeAnalysis } from "../traces/analysis/scope-analysis.ts";
import { categoryMeasure } from "../traces/categories.ts";
import { motifLengths, noiseThreshold } from "../traces/motifs.ts";
import type { Alphabet } from "../traces/sequence.ts";
import type { AnalyzedScope, ComparisonReply, MotifRate, MotifRow, MotifsReply, Source } from "./api.ts";

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

export function scopeMotifs(
  { checkpoints, motifs }: ScopeAnalysis,
  sources: readonly Source[],
  length: number,
  alphabet: Alphabet,
): MotifsReply {
  const columns = checkpoints.flatMap((summary) => {
    const source = analyzedSource(sources, summary.checkpoint);
    return source === undefined ? [] : [{ source, summary }];
  });
  const measured = (names: readonly string[]): MotifRow[] =>
    names.map((motif) => ({ motif, rates: columns.map(({ summary }) => estimated(summary.measures[motif])) }));
  return {
    length,
    lengths: motifLengths(alphabet),
    sources: columns.map(({ source: { id, name, role }, summary }) => ({
      id,
      name,
      ...(role && { role }),
      traces: summary.traces,
    })),
    named: measured(alphabet.motifs.map(({ name }) => name)),
    categories: measured(alphabet.categories.map(categoryMeasure)),
    frequent: frequentRows(
      motifs.filter((row) => row.length === length),
      columns.map(({ summary }) => summary),
    ),
    noise: noiseThreshold(length),
    labeled: [...new Set(columns.flatMap(({ source }) => source.labeled ?? []))],
  };
}

/** JSON has no NaN: what could not be estimated is null there. */
function estimated(estimate: Estimate | undefined): MotifRate | null {
  if (estimate === undefined || !Number.isFinite(estimate.value)) return null;
  const { value: rate, low, high } = estimate;
  return { rate, ...(Number.isFinite(low) && Number.isFinite(high) && { interval: { low, high } }) };
}

function frequentRows(
  rows: readonly AnalyzedMotif[],
  columns: readonly { readonly checkpoint: string; readonly traces: number }[],
): MotifRow[] {
  const places = new Map(columns.map(({ checkpoint }, i) => [checkpoint, i]));
  const found = new Map<string, { rates: (MotifRate | null)[]; count: number }>();
  for (const { checkpoint, motif, count, traces } of rows) {
    const place = places.get(checkpoint);
    if (place === undefined) continue;
    const row = found.get(motif) ?? { rates: columns.map(() => null), count: 0 };
    found.set(motif, row);
    row.rates[place] = { rate: count / Math.max(1, columns[place].traces), traces };
    row.count += count;
  }
  return [...found]
    .sort(([a, one], [b, other]) => other.count - one.count || (a < b ? -1 : 1))
    .map(([motif, { rates }]) => ({ motif, rates }));
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
