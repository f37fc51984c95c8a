// How good a classifier is on spans it has not seen: accuracy, F1 by label and domain, what it confuses, whether its
// confidence means what it says, and how right it is where it is most sure.
import { z } from "zod";
import { type Alphabet, paperAlphabet } from "../sequence.ts";

/** Labels with fewer examples than this are left out of macro averages: their F1 is mostly luck. */
const minExamples = 20;

export const classifierQualitySchema = z.object({
  /** How it was measured, in words. */
  measured: z.string(),
  spans: z.number(),
  accuracy: z.number(),
  /** Over the labels with at least `minExamples` spans; over all that were there where none has as many. */
  macroF1: z.number(),
  f1: z.record(z.string(), z.number()),
  /** By label; a label that was never given or never there is absent. Records of version 0.1 have neither. */
  precision: z.record(z.string(), z.number()).optional(),
  recall: z.record(z.string(), z.number()).optional(),
  examples: z.record(z.string(), z.number()),
  domains: z.record(
    z.string(),
    z.object({
      spans: z.number(),
      accuracy: z.number(),
      macroF1: z.number(),
      /** As `confusion` below, of this domain alone; records of version 0.1 have none. */
      confusion: z.array(z.array(z.number())).optional(),
    }),
  ),
  /** Rows: what readers said. Columns: what the classifier says. In the order of the taxonomy's alphabet. */
  confusion: z.array(z.array(z.number())),
  /** Mean distance between confidence and the share that is right, over ten bins, weighted by their size. */
  calibrationError: z.number(),
  /** The break label on spans read for it alone, chosen where it is likely: how many were there, given, and both. */
  breaks: z
    .object({ measured: z.string(), spans: z.number(), examples: z.number(), given: z.number(), right: z.number() })
    .optional(),
  /** How right its most confident share is. */
  coverage: z.array(z.object({ share: z.number(), accuracy: z.number(), confidenceAbove: z.number() })),
});
export type ClassifierQuality = z.infer<typeof classifierQualitySchema>;

export type JudgedSpan = {
  readonly actual: string;
  readonly given: string;
  readonly confidence: number;
  readonly domain: string;
};

export function classifierQuality(
  judged: readonly JudgedSpan[],
  measured: string,
  { labels, codeOf }: Alphabet = paperAlphabet,
): ClassifierQuality {
  const confusionOf = (spans: readonly JudgedSpan[]) => {
    const matrix = labels.map(() => labels.map(() => 0));
    for (const { actual, given } of spans) matrix[codeOf(actual)][codeOf(given)] += 1;
    return matrix;
  };
  const confusion = confusionOf(judged);
  const examples = confusion.map((row) => row.reduce((a, b) => a + b, 0));
  const byLabel = (values: readonly number[]) => Object.fromEntries(labels.map((label, code) => [label, values[code]]));
  const domains = [...new Set(judged.map(({ domain }) => domain))].sort();
  return {
    measured,
    spans: judged.length,
    accuracy: accuracy(judged),
    macroF1: meanF1(confusion),
    f1: byLabel(f1Scores(confusion)),
    precision: sharesRight(labels, confusion, (code) => confusion.reduce((sum, row) => sum + row[code], 0)),
    recall: sharesRight(labels, confusion, (code) => examples[code]),
    examples: byLabel(examples),
    domains: Object.fromEntries(
      domains.map((domain) => {
        const part = judged.filter((span) => span.domain === domain);
        const confusion = confusionOf(part);
        return [domain, { spans: part.length, accuracy: accuracy(part), macroF1: meanF1(confusion), confusion }];
      }),
    ),
    confusion,
    calibrationError: calibrationError(judged),
    coverage: coverage(judged),
  };
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
