// `repertoire traces train-classifier`: learn the span classifier from labeled spans, and say how good it is.
import { Command } from "commander";
import { ConfigurationError } from "../base/errors.ts";
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import { defaultBackboneTraining } from "../traces/classifier/backbone-training.ts";
import { type LabeledSpan, readLabeledSpans, type SkippedLine } from "../traces/classifier/labeled-spans.ts";
import { makeClassifier } from "../traces/classifier/make-classifier.ts";
import { saveClassifier } from "../traces/classifier/model-file.ts";
import { isMade } from "../traces/classifier/training.ts";
import { readVotedSpans, spansFromVotes, type VotedSpan } from "../traces/classifier/votes.ts";
import { alphabetOf } from "../traces/sequence.ts";
import { collected, count, positive, wholeNumber } from "./arguments.ts";
import { printQuality } from "./classifier-quality.ts";
import { type FlagValues, flag, repeatable, required, withFlags } from "./flags.ts";
import { progressBar, warn } from "./progress.ts";
import { serverFlags } from "./server-options.ts";
import { checkBackbone, trainBackbone } from "./traces-backbone.ts";
import { trainOnnx } from "./traces-onnx.ts";
import { taxonomyFlag, taxonomyOf } from "./traces-options.ts";

/** How a classifier is trained, wherever its spans come from. */
export const trainingFlags = [
  ...serverFlags("with --backbone: a Tinker server that has the model (default: this machine's CPU)"),
  flag("--name <name>", "name of the classifier in figures", "span classifier"),
  flag("--folds <n>", "cross-validation folds over traces", wholeNumber, 5),
  flag("--written <n>", "synthetic spans of each rare label to add", wholeNumber, 150),
  flag("--narrated <n>", "traces of the narrating teacher to add, in each of its styles", wholeNumber, 60),
  flag("--seed <seed>", "the same seed gives the same weights", "1"),
  flag(
    "--backbone <folder>",
    "fine-tune this Hugging Face causal model to answer with labels, instead of the linear model",
  ),
  flag(
    "--onnx",
    "with --backbone: a classification head by PyTorch on this machine, exported to ONNX; also for encoders",
  ),
  flag("--device <name>", "with --onnx: cuda, cuda:1, cpu", "cuda"),
  flag("--server-model <name>", "what the server calls the backbone (default: its folder's name)"),
  flag("--lora-rank <n>", "with --backbone: rank of its adapter; 0 trains all weights", wholeNumber, 32),
  flag("--epochs <n>", "with --backbone: maximum number of epochs", count, defaultBackboneTraining.epochs),
  flag(
    "--patience <n>",
    "with --backbone: epochs without improvement before stopping",
    wholeNumber,
    defaultBackboneTraining.patience,
  ),
  flag("--spans-per-step <n>", "with --backbone: batch size", count, defaultBackboneTraining.spansPerStep),
  flag("--learning-rate <n>", "with --backbone: learning rate", positive, defaultBackboneTraining.learningRate),
  flag("--json", "print the quality as JSON"),
];

/** `out` says where the classifier goes. */
export type TrainFlags = FlagValues<typeof trainingFlags> & { readonly out: string };

const trainClassifierFlags = [
  taxonomyFlag,
  ...trainingFlags,
  required("--data <file>", 'JSON lines {"text","previous","label","trace_id","domain"}; repeatable', collected),
  repeatable(
    "--votes <file>",
    'JSON lines {"text","previous","trace_id","votes":{"reader":"label"}}, such as judged.jsonl of `traces judge`',
  ),
  required("--out <folder>", "folder for the classifier"),
];

export function trainClassifierCommand(): Command {
  return withFlags(new Command("train-classifier"), trainClassifierFlags)
    .description("train a span classifier on labeled spans and measure it on held-out traces")
    .addHelpText(
      "after",
      `
A backbone sees the question, the previous span, the position in the trace and the span, and answers with one token, the label's letter. A
fifth of the traces is held out for testing, a tenth for early stopping and temperature scaling. It runs wherever its engine runs. With --onnx
the model gets a classification head instead and runs on CPUs, in worker threads: for encoders such as BERT, and small decoders.

Examples:
  repertoire traces train-classifier --data spans.jsonl --votes jury/judged.jsonl --out my-classifier
  repertoire engine serve --model Qwen/Qwen3-1.7B --device cuda
  repertoire traces train-classifier --data spans.jsonl --backbone ~/models/Qwen3-1.7B --engine http://localhost:8421 --out qwen-labels
  repertoire traces train-classifier --data spans.jsonl --backbone ~/models/ModernBERT-base --onnx --lora-rank 0 --out bert-labels
  repertoire traces analyze rollouts.jsonl --classifier qwen-labels --out analysis`,
    )
    .action(async (flags: FlagValues<typeof trainClassifierFlags>) => {
      await checkBackbone(flags);
      const taxonomy = await taxonomyOf(flags);
      const spans = await readAll(flags.data, taxonomy, readLabeledSpans);
      if (spans.every(isMade))
        throw new ConfigurationError(
          "--data: none of these spans comes from a real trace, so quality cannot be measured",
        );
      await trainOn(flags, spans, await readAll(flags.votes, taxonomy, readVotedSpans), taxonomy);
    });
}

/** The linear model, or a backbone where one is named; written with its quality, which is printed. */
export async function trainOn(
  flags: TrainFlags,
  spans: readonly LabeledSpan[],
  voted: readonly VotedSpan[],
  taxonomy: Taxonomy,
): Promise<void> {
  const { backbone } = flags;
  if (backbone !== undefined) {
    const fromVotes = voted.length === 0 ? [] : spansFromVotes(voted, spans, alphabetOf(taxonomy));
    const train = flags.onnx ? trainOnnx : trainBackbone;
    return train({ ...flags, backbone }, [...spans, ...fromVotes], taxonomy);
  }
  if (flags.folds < 2) throw new ConfigurationError(`--folds ${flags.folds}: at least 2 are needed to hold traces out`);
  const bar = progressBar("models", flags.folds + 1);
  const trained = makeClassifier({ ...flags, taxonomy, spans, voted, onModel: () => bar.advance() });
  bar.stop();
  await saveClassifier(flags.out, trained);
  const { quality, temperature, narratedMacroF1 = {} } = trained.description;
  printQuality(flags.out, `temperature ${temperature.toFixed(2)}`, quality!, flags.json);
  if (!flags.json)
    for (const [style, f1] of Object.entries(narratedMacroF1))
      console.log(`narrating teacher, ${style}: macro-F1 ${f1.toFixed(3)} on fresh traces`);
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
    for (const { line, because } of skipped.slice(0, 5)) warn(`${path} line ${line}: ${because}`);
    if (skipped.length > 5) warn(`${path}: ${skipped.length} lines skipped in all`);
  }
  return all;
}
