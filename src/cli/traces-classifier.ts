// `repertoire traces train-classifier`: learn the span classifier from labeled spans, and say how good it is.
import { Command } from "commander";
import { ConfigurationError } from "../base/errors.ts";
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import {
  type LabeledSpan,
  readLabeledSpans,
  readUnreadSpans,
  type SkippedLine,
  type UnreadSpan,
} from "../traces/classifier/labeled-spans.ts";
import { makeClassifier, modelsOf } from "../traces/classifier/make-classifier.ts";
import { saveClassifier } from "../traces/classifier/model-file.ts";
import { isMade } from "../traces/classifier/training.ts";
import { collected, wholeNumber } from "./arguments.ts";
import { printQuality } from "./classifier-quality.ts";
import { type FlagValues, flag, repeatable, required, withFlags } from "./flags.ts";
import { progressBar, warn } from "./progress.ts";
import { taxonomyFlag, taxonomyOf } from "./traces-options.ts";

const trainClassifierFlags = [
  taxonomyFlag,
  flag("--name <name>", "name of the classifier in figures", "span classifier"),
  flag("--folds <n>", "cross-validation folds over questions (over traces where no question is said)", wholeNumber, 5),
  flag("--written <n>", "synthetic spans of each rare label to add", wholeNumber, 150),
  flag("--narrated <n>", "traces of the narrating teacher to add, in each of its styles", wholeNumber, 60),
  flag("--seed <seed>", "the same seed gives the same weights", "1"),
  flag("--json", "print the quality as JSON"),
  required(
    "--data <file>",
    'JSON lines {"text","previous","label","trace_id","question","source","domain"}; repeatable',
    collected,
  ),
  repeatable("--unread <file>", "spans of such traces without a label: what the model is sure of there teaches it too"),
  required("--out <folder>", "folder for the classifier"),
];

export function trainClassifierCommand(): Command {
  return withFlags(new Command("train-classifier"), trainClassifierFlags)
    .description("train a span classifier on labeled spans and measure it on held-out questions and sources")
    .addHelpText(
      "after",
      `
Spans of one question are never on both sides of a split, and each source is also labeled by a model that saw nothing of it. Quality is that on
spans with "drawn":"random" (the default); other spans only teach.

Examples:
  repertoire traces train-classifier --data spans.jsonl --data data/written-spans.jsonl --out my-classifier
  repertoire traces analyze rollouts.jsonl --classifier my-classifier --out analysis`,
    )
    .action(async (flags: FlagValues<typeof trainClassifierFlags>) => {
      const taxonomy = await taxonomyOf(flags);
      const read = await readAll(flags.data, taxonomy, readLabeledSpans);
      const spans = read.flatMap((file) => file.spans);
      if (spans.every(isMade))
        throw new ConfigurationError(
          "--data: none of these spans comes from a real trace, so quality cannot be measured",
        );
      const undecided = read.reduce((sum, file) => sum + file.undecided, 0);
      const unread = (await readAll(flags.unread, taxonomy, readUnreadSpans)).flatMap((file) => file.spans);
      await train(flags, { spans, undecided, unread }, taxonomy);
    });
}

/** Written with its quality, which is printed. */
async function train(
  flags: FlagValues<typeof trainClassifierFlags>,
  told: {
    readonly spans: readonly LabeledSpan[];
    readonly undecided: number;
    readonly unread: readonly UnreadSpan[];
  },
  taxonomy: Taxonomy,
): Promise<void> {
  if (flags.folds < 2)
    throw new ConfigurationError(`--folds ${flags.folds}: at least 2 are needed to hold questions out`);
  const bar = progressBar("models", modelsOf({ ...flags, ...told }));
  const trained = makeClassifier({ ...flags, ...told, taxonomy, onModel: () => bar.advance() });
  bar.stop();
  await saveClassifier(flags.out, trained);
  const { quality, temperature, narratedMacroF1 = {} } = trained.description;
  printQuality(flags.out, `temperature ${temperature.toFixed(2)}`, quality!, flags.json);
  if (!flags.json)
    for (const [style, f1] of Object.entries(narratedMacroF1))
      console.log(`narrating teacher, ${style}: macro-F1 ${f1.toFixed(3)} on fresh traces`);
}

async function readAll<Read extends { readonly skipped: SkippedLine[] }>(
  paths: readonly string[],
  taxonomy: Taxonomy,
  read: (path: string, taxonomy: Taxonomy) => Promise<Read>,
): Promise<Read[]> {
  const all: Read[] = [];
  for (const path of paths) {
    const found = await read(path, taxonomy);
    const { skipped } = found;
    all.push(found);
    for (const { line, because } of skipped.slice(0, 5)) warn(`${path} line ${line}: ${because}`);
    if (skipped.length > 5) warn(`${path}: ${skipped.length} lines skipped in all`);
  }
  return all;
}
