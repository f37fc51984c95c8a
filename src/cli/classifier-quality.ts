// How good a classifier is, as text: what it confuses, its scores by label and domain, and where it is sure.
import pc from "picocolors";
import type { ClassifierQuality } from "../traces/classifier/quality.ts";
import { textTable } from "./text-table.ts";

type Part = {
  readonly spans: number;
  readonly accuracy: number;
  readonly macroF1: number;
  readonly mostFrequent?: number;
};

/** The confusion matrix and the scores as text. */
function qualityText(quality: ClassifierQuality): string {
  const number = (value: number) => value.toFixed(3);
  const shown = (value: number | undefined) => (value === undefined ? "–" : number(value));
  const labels = Object.keys(quality.f1);
  const rows = labels.map((label, code) => [
    label,
    ...quality.confusion[code].map(String),
    String(quality.examples[label]),
    shown(quality.precision?.[label]),
    shown(quality.recall?.[label]),
    number(quality.f1[label]),
  ]);
  const short = labels.map((label) => label.slice(0, 6));
  const parts = (of: Readonly<Record<string, Part>> = {}) =>
    Object.entries(of).map(
      ([name, { spans, accuracy, macroF1, mostFrequent }]) =>
        `  ${name}: ${spans} spans, accuracy ${number(accuracy)}, macro-F1 ${number(macroF1)}` +
        (mostFrequent === undefined ? "" : ` (its most frequent label alone: ${number(mostFrequent)})`),
    );
  const titled = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : [title, ...lines]);
  const sure = labels.flatMap((label) => {
    const found = quality.sure?.[label];
    return found === undefined
      ? []
      : [
          `  ${label}: from ${found.from.toFixed(2)} on, ${number(found.precision)} right, ${(100 * found.share).toFixed(0)}% of what it calls so`,
        ];
  });
  const coverage = quality.coverage.map(
    ({ share, accuracy, confidenceAbove }) =>
      `most confident ${(100 * share).toFixed(0)}% (above ${confidenceAbove.toFixed(2)}): ${number(accuracy)} right`,
  );
  return [
    `${quality.spans} ${quality.measured}: accuracy ${number(quality.accuracy)}, macro-F1 ${number(quality.macroF1)}, calibration error ${number(quality.calibrationError)}`,
    ...(quality.undecided === undefined ? [] : [`${quality.undecided} more without a majority count as wrong`]),
    textTable(["read \\ given", ...short, "spans", "precision", "recall", "F1"], rows),
    ...titled("by domain", parts(quality.domains)),
    ...titled("by source, other questions of which were seen", parts(quality.sources)),
    ...titled("by source, nothing of which was seen", parts(quality.unseenSources)),
    ...titled(
      "on spans whose readers agree, however they were drawn",
      parts(quality.agreed && { all: quality.agreed }),
    ),
    ...titled(
      "where a board decides, which nobody drew at random",
      Object.entries(quality.boards ?? {}).map(([label, { spans, right }]) => `  ${label}: ${right} of ${spans} right`),
    ),
    ...coverage,
    ...titled("what is sure enough to be right four times in five; labels not listed never are", sure),
  ].join("\n");
}

/** What came of a training: where it is, what it learned, and how good it is. */
export function printQuality(folder: string, learned: string, quality: ClassifierQuality, json?: true): void {
  if (json) process.stdout.write(`${JSON.stringify(quality)}\n`);
  else console.log(`${pc.bold(folder)}  ${learned}\n${qualityText(quality)}`);
}
