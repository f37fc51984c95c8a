// `repertoire traces train-classifier`: learn the span classifier from labelled spans, and say how good it is.
import { Command } from "commander";
import pc from "picocolors";
import { ConfigurationError } from "../base/errors.ts";
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import { readLabelledSpans, type SkippedLine } from "../traces/classifier/labelled-spans.ts";
import { makeClassifier, type TrainedClassifier } from "../traces/classifier/make-classifier.ts";
import { saveClassifier } from "../traces/classifier/model-file.ts";
import type { ClassifierQuality } from "../traces/classifier/quality.ts";
import { isMade } from "../traces/classifier/training.ts";
import { readVotedSpans } from "../traces/classifier/votes.ts";
import { collected, wholeNumber } from "./arguments.ts";
import { progressBar } from "./progress.ts";
import { textTable } from "./text-table.ts";
import { taxonomyOf, withTaxonomy } from "./traces-options.ts";

type TrainFlags = {
  data: string[];
  votes: string[];
  out: string;
  name: string;
  folds: number;
  written: number;
  narrated: number;
  seed: string;
  taxonomy?: string;
  json?: true;
};

export function trainClassifierCommand(): Command {
  return withTaxonomy(new Command("train-classifier"))
    .description("learn to label spans from labelled ones, measured on traces that were held out")
    .requiredOption(
      "--data <file>",
      'JSON lines {"text","previous","label","trace_id","domain"}; may be repeated',
      collected,
    )
    .option(
      "--votes <file>",
      'JSON lines {"text","previous","trace_id","votes":{"reader":"label"}}, like judged.jsonl of `traces judge`; may be repeated',
      collected,
      [],
    )
    .requiredOption("--out <folder>", "where the classifier goes")
    .option("--name <name>", "what figures made with it will call it", "span classifier")
    .option("--folds <n>", "parts of the traces, each held out once, to measure on", wholeNumber, 5)
    .option("--written <n>", "spans of each rare kind written by the program itself", wholeNumber, 150)
    .option("--narrated <n>", "traces of the narrating teacher in each of its styles", wholeNumber, 60)
    .option("--seed <seed>", "the same seed gives the same weights", "1")
    .option("--json", "print the quality as JSON")
    .addHelpText(
      "after",
      "\nExample:\n  repertoire traces train-classifier --data labelled_spans.jsonl --votes jury/judged.jsonl --out my-classifier",
    )
    .action(async (flags: TrainFlags) => {
      if (flags.folds < 2)
        throw new ConfigurationError(`--folds ${flags.folds}: at least 2 are needed to hold traces out`);
      const taxonomy = await taxonomyOf(flags);
      const spans = await readAll(flags.data, taxonomy, readLabelledSpans);
      if (spans.every(isMade))
        throw new ConfigurationError(
          "--data: none of these spans was read in a real trace, so there is nothing to measure on",
        );
      const voted = await readAll(flags.votes, taxonomy, readVotedSpans);
      const bar = progressBar("models", flags.folds + 1);
      const trained = makeClassifier({ ...flags, taxonomy, spans, voted, onModel: () => bar.advance() });
      bar.stop();
      await saveClassifier(flags.out, trained);
      if (flags.json) process.stdout.write(`${JSON.stringify(trained.description.quality)}\n`);
      else printTrained(trained, flags.out);
    });
}

async function readAll<Span>(
  paths: readonly string[],
  taxonomy: Taxonomy,
  read: (path: string, taxonomy: Taxonomy) => Promise<{ readonly spans: Span[]; readonly skipped: SkippedLine[] }>,
): Promise<Span[]> {
  const all: Span[] = [];
  for (const path of paths) {
    const { spans, skipped } = await read(path, taxonomy);
    all.push(...spans);
    for (const { line, because } of skipped.slice(0, 5)) console.error(pc.yellow(`${path} line ${line}: ${because}`));
    if (skipped.length > 5) console.error(pc.yellow(`${path}: ${skipped.length} lines skipped in all`));
  }
  return all;
}

function printTrained({ description }: TrainedClassifier, folder: string): void {
  const { quality, temperature, narratedMacroF1 } = description;
  console.log(`${pc.bold(folder)}  temperature ${temperature.toFixed(2)}`);
  if (quality !== undefined) console.log(qualityText(quality));
  for (const [style, f1] of Object.entries(narratedMacroF1 ?? {})) {
    console.log(`narrating teacher, ${style}: macro-F1 ${f1.toFixed(3)} on fresh traces`);
  }
}

/** The confusion matrix and the scores as text. */
export function qualityText(quality: ClassifierQuality): string {
  const number = (value: number) => value.toFixed(3);
  const labels = Object.keys(quality.f1);
  const rows = labels.map((label, code) => [
    label,
    ...quality.confusion[code].map(String),
    String(quality.examples[label]),
    number(quality.f1[label]),
  ]);
  const columns = [
    { title: "read \\ given", align: "left" as const },
    ...labels.map((label) => ({ title: label.slice(0, 6) })),
    { title: "spans" },
    { title: "F1" },
  ];
  const domains = Object.entries(quality.domains).map(
    ([domain, { spans, accuracy, macroF1 }]) =>
      `${domain}: ${spans} spans, accuracy ${number(accuracy)}, macro-F1 ${number(macroF1)}`,
  );
  const coverage = quality.coverage.map(
    ({ share, accuracy, confidenceAbove }) =>
      `most confident ${(100 * share).toFixed(0)}% (above ${confidenceAbove.toFixed(2)}): ${number(accuracy)} right`,
  );
  return [
    `${quality.measured}: accuracy ${number(quality.accuracy)}, macro-F1 ${number(quality.macroF1)}, calibration error ${number(quality.calibrationError)}`,
    textTable(columns, rows),
    ...domains,
    ...coverage,
  ].join("\n");
}
