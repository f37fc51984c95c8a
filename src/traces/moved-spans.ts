// What "rose" and "fell" rest on, to be read: of every label that moved between two checkpoints some spans of the one that has
// more of it, the least sure first, because there a labeler errs most.
import { type Analysis, comparedRecords, type MovedSpan } from "./analysis/analysis.ts";
import { isMoved } from "./analysis/comparison.ts";
import { seriesOf } from "./analysis/training-series.ts";
import type { LabeledText } from "./label-slice.ts";
import { type Alphabet, readSequence } from "./sequence.ts";
import type { TraceRecord } from "./trace-record.ts";

/** Spans shown of a label, and traces that they are looked for in, one a problem. */
const [shown, lookedAt] = [3, 6];
/** More checkpoints and labels than this nobody reads. */
const mostLabels = 40;

type Candidates = Pick<MovedSpan, "checkpoint" | "label"> & { readonly records: readonly TraceRecord[] };

export function movedCandidates(
  { scopes }: Pick<Analysis, "scopes">,
  records: readonly TraceRecord[],
  alphabet: Alphabet,
): Candidates[] {
  const wanted = new Map<string, Pick<MovedSpan, "checkpoint" | "label">>();
  for (const { first, second, changes } of scopes.flatMap(({ comparisons }) => comparisons))
    for (const one of changes) {
      if (!isMoved(one) || !alphabet.labels.includes(one.measure)) continue;
      const checkpoint = one.change === "rose" ? second : first;
      wanted.set(JSON.stringify([checkpoint, one.measure]), { checkpoint, label: one.measure });
    }
  const compared = comparedRecords(records);
  return [...wanted.values()].slice(0, mostLabels).map(({ checkpoint, label }) => {
    const code = alphabet.codeOf(label);
    const among = endOf(checkpoint, records) ?? compared.filter((one) => one.checkpoint === checkpoint);
    const own = among.filter(({ sequence }) => readSequence(sequence, alphabet).includes(code));
    const leastSure = own.sort((a, b) => (a.confidence ?? 1) - (b.confidence ?? 1));
    const ofProblem = new Map<string, TraceRecord>();
    for (const one of leastSure) if (!ofProblem.has(one.problem)) ofProblem.set(one.problem, one);
    return { checkpoint, label, records: [...ofProblem.values()].slice(0, lookedAt) };
  });
}

/** Of the steps of a training run that are compared together. */
function endOf(name: string, records: readonly TraceRecord[]): TraceRecord[] | undefined {
  const [, series, from, to] = name.match(/^(.*?) ?steps (\d+)–(\d+)$/) ?? [];
  if (from === undefined) return undefined;
  return records.filter(
    (one) => one.step !== undefined && one.step >= +from && one.step <= +to && seriesOf(one) === (series || "training"),
  );
}

export const placeOf = ({ slice, ordinal }: Pick<TraceRecord, "slice" | "ordinal">): string => `${slice}:${ordinal}`;

export function movedSpans(
  candidates: readonly Candidates[],
  texts: ReadonlyMap<string, readonly LabeledText[]>,
): MovedSpan[] {
  return candidates.flatMap(({ checkpoint, label, records }) =>
    records
      .flatMap((record) => {
        const own = (texts.get(placeOf(record)) ?? []).filter((span) => span.label === label && span.text !== "");
        const [least] = own.sort((a, b) => (a.confidence ?? 1) - (b.confidence ?? 1));
        const { problem, attempt } = record;
        return least === undefined ? [] : [{ ...least, checkpoint, problem, attempt }];
      })
      .sort((a, b) => (a.confidence ?? 1) - (b.confidence ?? 1))
      .slice(0, shown),
  );
}
