// What is measured on every trace: the one list of it, made from the taxonomy. A measure is a number or, where the trace
// has none, NaN; averages are over the traces that have it.
import { categoryCounts, categoryMeasure } from "../categories.ts";
import { chainDepth, meanExploitRun } from "../depth.ts";
import { habitCounts } from "../habits.ts";
import { nonOverlappingCount } from "../motifs.ts";
import {
  type Alphabet,
  type PrimitiveSequence,
  paperAlphabet,
  primitiveCounts,
  readSequence,
  unsureLabel,
} from "../sequence.ts";
import { isMeasured, type TraceRecord } from "../trace-record.ts";

/** Labels, categories and motifs have the names that the taxonomy gives them. */
export type MeasureName = string;

export const recoveryMeasure = "recovery primitives";
export const recoveringMeasure = "traces with recovery";
export const depthMeasure = "chain depth";
export const strictDepthMeasure = "chain depth without setup";
export const runMeasure = "mean exploit run";

/** The largest value that its mean can have. */
export const mostOf = (measure: MeasureName): number => (measure === recoveringMeasure ? 1 : Number.POSITIVE_INFINITY);

const names = new WeakMap<Alphabet, readonly MeasureName[]>();

export function measureNames(alphabet: Alphabet = paperAlphabet): readonly MeasureName[] {
  let found = names.get(alphabet);
  if (found === undefined) {
    found = [
      "spans",
      "tokens",
      ...alphabet.labels,
      recoveryMeasure,
      ...alphabet.categories.map(categoryMeasure),
      ...alphabet.motifs.map(({ name }) => name),
      recoveringMeasure,
      depthMeasure,
      strictDepthMeasure,
      runMeasure,
    ];
    names.set(alphabet, found);
  }
  return found;
}

/** Flat columns by measure, NaN where a trace does not have it. */
export type MeasureColumns = Readonly<Record<MeasureName, Float64Array | Float32Array>>;

/** An empty response has no measure at all: it is not a trace with zero checks. A bare answer is. */
export function measureColumns(
  records: readonly Pick<TraceRecord, "sequence" | "bare" | "tokens">[],
  alphabet: Alphabet = paperAlphabet,
): MeasureColumns {
  const all = measureNames(alphabet);
  const columns = all.map(() => new Float64Array(records.length).fill(Number.NaN));
  records.forEach((record, i) => {
    if (!isMeasured(record)) return;
    const { sequence, tokens } = record;
    const values = measuresOf(readSequence(sequence, alphabet), tokens, alphabet);
    for (let m = 0; m < values.length; m++) columns[m][i] = values[m];
  });
  return Object.fromEntries(all.map((name, m) => [name, columns[m]]));
}

/** Of traces that leave spans unsure, how many; of traces with habits, how often each occurs. No other traces have these. */
export function columnsBeside(
  records: readonly Pick<TraceRecord, "sequence" | "bare" | "abstained" | "habits">[],
): MeasureColumns {
  const columns: Record<MeasureName, Float64Array> = {};
  const put = (name: MeasureName, i: number, value: number) => {
    columns[name] ??= new Float64Array(records.length).fill(Number.NaN);
    columns[name][i] = value;
  };
  const abstains = records.some(({ abstained }) => abstained > 0);
  records.forEach((record, i) => {
    if (!isMeasured(record)) return;
    if (abstains) put(unsureLabel, i, record.abstained);
    if (record.habits === undefined) return;
    for (const [name, count] of Object.entries(habitCounts(record.habits))) put(name, i, count);
  });
  return columns;
}

/** In the order of `measureNames`. */
export function measuresOf(sequence: PrimitiveSequence, tokens: number, alphabet: Alphabet = paperAlphabet): number[] {
  const counts = primitiveCounts(sequence, alphabet);
  const categories = categoryCounts(sequence, alphabet);
  const recovery = counts.reduce((sum, count, code) => (alphabet.recover & (1 << code) ? sum + count : sum), 0);
  return [
    sequence.length,
    tokens,
    ...counts,
    recovery,
    ...categories,
    ...alphabet.motifs.map(({ codes }) => nonOverlappingCount(sequence, codes)),
    recovers(categories, recovery, alphabet) ? 1 : 0,
    chainDepth(sequence, alphabet.exploit),
    chainDepth(sequence, alphabet.exploitStrict),
    meanExploitRun(sequence, alphabet.exploit) ?? Number.NaN,
  ];
}

/** A trace recovers where it holds the taxonomy's category of that name; a taxonomy without one goes by its labels. */
function recovers(counts: readonly number[], recovery: number, { categories }: Alphabet): boolean {
  const own = categories.flatMap(({ name }, i) => (name === "recovery" ? [counts[i]] : []));
  return own.length > 0 ? own.some((count) => count > 0) : recovery > 0;
}
