// How good a classifier is on spans it has not seen: accuracy, F1 by label and domain, what it confuses, whether its
// confidence means what it says, and how right it is where it is most sure.
import { z } from "zod";
import { type Alphabet, paperAlphabet } from "../sequence.ts";

/** Labels with fewer examples than this are left out of macro averages: their F1 is mostly luck. */
const minExamples = 20;

const matrixSchema = z.array(z.array(z.number()));

/** A part of what was measured. */
const partSchema = z.object({
  spans: z.number(),
  accuracy: z.number(),
  macroF1: z.number(),
  /** As `confusion` of the whole, of this part alone. */
  confusion: matrixSchema.optional(),
});
const partsSchema = z.record(z.string(), partSchema);

export const classifierQualitySchema = z.object({
  /** How it was measured, in words. */
  measured: z.string(),
  spans: z.number(),
  /** More spans on which readers came to no label; they count as wrong in `accuracy` and nowhere else. */
  undecided: z.number().optional(),
  accuracy: z.number(),
  /** Over the labels with at least `minExamples` spans; over all that were there where none has as many. */
  macroF1: z.number(),
  f1: z.record(z.string(), z.number()),
  /** By label; a label that was never given or never there is absent. */
  precision: z.record(z.string(), z.number()).optional(),
  recall: z.record(z.string(), z.number()).optional(),
  examples: z.record(z.string(), z.number()),
  domains: partsSchema,
  /** By the collection of traces that spans are from, models having seen other questions of it. */
  sources: partsSchema.optional(),
  /** The same by models that saw nothing of the source, and what its most frequent label alone would have. */
  unseenSources: z.record(z.string(), partSchema.extend({ mostFrequent: z.number() })).optional(),
  /** On spans that were read more than once and called the same every time. */
  agreed: partSchema.optional(),
  /** Rows: what readers said. Columns: what the classifier says. In the order of the taxonomy's alphabet. */
  confusion: matrixSchema,
  /** Mean distance between confidence and the share that is right, over ten bins, weighted by their size. */
  calibrationError: z.number(),
  /** On spans whose label a board decided, by that label: how many, and how many of them it labels so. Nobody drew them at random. */
  boards: z.record(z.string(), z.object({ spans: z.number(), right: z.number() })).optional(),
  /** How right its most confident share is. */
  coverage: z.array(z.object({ share: z.number(), accuracy: z.number(), confidenceAbove: z.number() })),
  /** From which confidence on a label means what it says; a label that never does is absent. */
  sure: z
    .record(
      z.string(),
      z.object({
        from: z.number(),
        precision: z.number(),
        /** Of the spans that it gives this label. */ share: z.number(),
      }),
    )
    .optional(),
});
export type ClassifierQuality = z.infer<typeof classifierQualitySchema>;

type Matrix = readonly (readonly number[])[];
/** What is confused on all that was measured, and on each source by a model that saw nothing of it, where that is known. */
export type Confusions = { readonly whole: Matrix; readonly sources: readonly Matrix[] };

export type JudgedSpan = {
  readonly actual: string;
  readonly given: string;
  readonly confidence: number;
  readonly domain: string;
  readonly source?: string;
  /** How it was chosen to be read. */
  readonly drawn?: string;
  readonly readings?: readonly string[];
};

/** How a span is drawn whose label the states of a board tell (`scripts/board-labels.ts`). */
export const decidedByBoard = "board";

/** Only what was drawn at random says how often a classifier is right. */
const isRandom = ({ drawn = "random" }: JudgedSpan) => drawn === "random";

export function classifierQuality(
  given: readonly JudgedSpan[],
  measured: string,
  alphabet: Alphabet = paperAlphabet,
  /** Drawn at random as well, and never rightly labeled, because readers came to no label. */
  undecided = 0,
): ClassifierQuality {
  const { labels } = alphabet;
  const judged = given.some(isRandom) ? given.filter(isRandom) : given;
  const whole = partOf(judged, alphabet);
  const { confusion } = whole;
  const examples = confusion.map((row) => row.reduce((a, b) => a + b, 0));
  const byLabel = (values: readonly number[]) => Object.fromEntries(labels.map((label, code) => [label, values[code]]));
  const agreed = given.filter(({ readings = [] }) => readings.length > 1 && new Set(readings).size === 1);
  const decided = given.filter(({ drawn }) => drawn === decidedByBoard);
  return {
    measured,
    spans: judged.length,
    accuracy: (whole.accuracy * whole.spans) / (whole.spans + undecided),
    ...(undecided > 0 && { undecided }),
    macroF1: whole.macroF1,
    f1: byLabel(f1Scores(confusion)),
    precision: sharesRight(labels, confusion, (code) => confusion.reduce((sum, row) => sum + row[code], 0)),
    recall: sharesRight(labels, confusion, (code) => examples[code]),
    examples: byLabel(examples),
    domains: partsBy(judged, ({ domain }) => domain, alphabet),
    sources: partsBy(judged, ({ source, domain }) => source ?? domain, alphabet),
    ...(agreed.length > 0 && { agreed: partOf(agreed, alphabet) }),
    confusion,
    ...(decided.length > 0 && { boards: rightByLabel(decided) }),
    calibrationError: calibrationError(judged),
    coverage: coverage(judged),
    sure: sureFrom(judged, labels),
  };
}

function rightByLabel(spans: readonly JudgedSpan[]): NonNullable<ClassifierQuality["boards"]> {
  const labels = [...new Set(spans.map(({ actual }) => actual))].sort();
  const of = (label: string) => spans.filter(({ actual }) => actual === label);
  const right = (label: string) => of(label).filter(({ given }) => given === label).length;
  return Object.fromEntries(labels.map((label) => [label, { spans: of(label).length, right: right(label) }]));
}

/** On sources whose spans were judged by models that saw nothing of them. */
export function unseenQuality(
  judged: readonly JudgedSpan[],
  alphabet: Alphabet = paperAlphabet,
): NonNullable<ClassifierQuality["unseenSources"]> {
  const parts = partsBy(judged.filter(isRandom), ({ source, domain }) => source ?? domain, alphabet);
  return Object.fromEntries(
    Object.entries(parts).map(([source, part]) => {
      const most = Math.max(...part.confusion.map((row) => row.reduce((a, b) => a + b, 0)));
      return [source, { ...part, mostFrequent: most / part.spans }];
    }),
  );
}

function partOf(spans: readonly JudgedSpan[], { labels, codeOf }: Alphabet) {
  const confusion = labels.map(() => labels.map(() => 0));
  for (const { actual, given } of spans) confusion[codeOf(actual)][codeOf(given)] += 1;
  return { spans: spans.length, accuracy: accuracy(spans), macroF1: meanF1(confusion), confusion };
}

function partsBy(spans: readonly JudgedSpan[], key: (span: JudgedSpan) => string, alphabet: Alphabet) {
  const names = [...new Set(spans.map(key))].sort();
  return Object.fromEntries(
    names.map((name) => [
      name,
      partOf(
        spans.filter((span) => key(span) === name),
        alphabet,
      ),
    ]),
  );
}

/** A label means what it says where at least this share of the spans that it is given are so. */
const wantedPrecision = 0.8;
/** A threshold over fewer spans would be luck. */
const leastSure = 20;

/**
 * Wilson's, one standard error down. A threshold is chosen where it looks best: by the share alone "backtrack" would be right
 * on six in ten spans of other questions instead of eight.
 */
function surelyRight(right: number, of: number): number {
  const share = right / of;
  return (share + 1 / (2 * of) - Math.sqrt((share * (1 - share)) / of + 1 / (4 * of * of))) / (1 + 1 / of);
}

/** For each label the lowest confidence above which it is surely right as often as wanted. */
function sureFrom(judged: readonly JudgedSpan[], labels: readonly string[]): NonNullable<ClassifierQuality["sure"]> {
  return Object.fromEntries(
    labels.flatMap((label) => {
      const own = judged.filter(({ given }) => given === label).sort((a, b) => b.confidence - a.confidence);
      let right = 0;
      let found: { from: number; precision: number; share: number } | undefined;
      for (const [i, { actual, confidence }] of own.entries()) {
        right += actual === label ? 1 : 0;
        const precision = right / (i + 1);
        const distinct = confidence !== own[i + 1]?.confidence;
        if (i + 1 >= leastSure && distinct && surelyRight(right, i + 1) >= wantedPrecision)
          found = { from: confidence, precision, share: (i + 1) / own.length };
      }
      return found === undefined ? [] : [[label, found] as const];
    }),
  );
}

function sharesRight(
  labels: readonly string[],
  confusion: readonly (readonly number[])[],
  total: (code: number) => number,
): Record<string, number> {
  const known = labels.flatMap((label, code) =>
    total(code) === 0 ? [] : [[label, confusion[code][code] / total(code)] as const],
  );
  return Object.fromEntries(known);
}

function accuracy(judged: readonly JudgedSpan[]): number {
  return judged.filter(({ actual, given }) => actual === given).length / judged.length;
}

export function f1Scores(confusion: readonly (readonly number[])[]): number[] {
  return confusion.map((row, code) => {
    const right = row[code];
    const actual = row.reduce((a, b) => a + b, 0);
    const given = confusion.reduce((total, other) => total + other[code], 0);
    return actual + given === 0 ? 0 : (2 * right) / (actual + given);
  });
}

export function macroF1(confusion: readonly (readonly number[])[], atLeast = minExamples): number {
  const scores = f1Scores(confusion).filter((_, code) => confusion[code].reduce((a, b) => a + b, 0) >= atLeast);
  return scores.length === 0 ? 0 : scores.reduce((a, b) => a + b, 0) / scores.length;
}

/** Where no label has enough examples, over those that have any: rough, but no zero that was never measured. */
function meanF1(confusion: readonly (readonly number[])[]): number {
  const enough = confusion.some((row) => row.reduce((a, b) => a + b, 0) >= minExamples);
  return macroF1(confusion, enough ? minExamples : 1);
}

function calibrationError(judged: readonly JudgedSpan[]): number {
  const bins = Array.from({ length: 10 }, () => ({ spans: 0, confidence: 0, right: 0 }));
  for (const { actual, given, confidence } of judged) {
    const bin = bins[Math.min(9, Math.floor(confidence * 10))];
    bin.spans += 1;
    bin.confidence += confidence;
    bin.right += actual === given ? 1 : 0;
  }
  return bins.reduce((total, { confidence, right }) => total + Math.abs(confidence - right), 0) / judged.length;
}

function coverage(judged: readonly JudgedSpan[]): ClassifierQuality["coverage"] {
  const sorted = [...judged].sort((a, b) => b.confidence - a.confidence);
  return [0.25, 0.5, 0.75, 0.9, 1].map((share) => {
    const kept = sorted.slice(0, Math.max(1, Math.round(share * sorted.length)));
    return { share, accuracy: accuracy(kept), confidenceAbove: kept[kept.length - 1].confidence };
  });
}
