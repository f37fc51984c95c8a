// `repertoire traces train-classifier`: learn the span classifier from labeled spans, and say how good it is.
import { Command } from "commander";
import pc from "picocolors";
import { ConfigurationError } from "../base/errors.ts";
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import { defaultBackboneTraining } from "../traces/classifier/backbone-training.ts";
import { type LabeledSpan, readLabeledSpans, type SkippedLine } from "../traces/classifier/labeled-spans.ts";
import { makeClassifier, type TrainedClassifier } from "../traces/classifier/make-classifier.ts";
import { saveClassifier } from "../traces/classifier/model-file.ts";
import { isMade } from "../traces/classifier/training.ts";
import { readVotedSpans, spansFromVotes, type VotedSpan } from "../traces/classifier/votes.ts";
import { alphabetOf } from "../traces/sequence.ts";
import { collected, count, positive, wholeNumber } from "./arguments.ts";
import { qualityText } from "./classifier-quality.ts";
import { progressBar } from "./progress.ts";
import { type ServerOptions, withServerOptions } from "./server-options.ts";
import { type BackboneFlags, trainBackbone } from "./traces-backbone.ts";
import { trainOnnx } from "./traces-onnx.ts";
import { taxonomyOf, withTaxonomy } from "./traces-options.ts";

export type TrainFlags = {
  out: string;
  name: string;
  folds: number;
  written: number;
  narrated: number;
  seed: string;
  taxonomy?: string;
  json?: true;
} & Omit<BackboneFlags, "backbone"> & { backbone?: string; onnx?: true; device: string } & ServerOptions;

/** How a classifier is trained, wherever its spans come from. */
export function withTraining(command: Command): Command {
  return withServerOptions(
    command,
    "with --backbone: a Tinker server that has the model (default: this machine's processor)",
  )
    .option("--name <name>", "what figures made with it will call it", "span classifier")
    .option("--folds <n>", "parts of the traces, each held out once, to measure on", wholeNumber, 5)
    .option("--written <n>", "spans of each rare kind written by the program itself", wholeNumber, 150)
    .option("--narrated <n>", "traces of the narrating teacher in each of its styles", wholeNumber, 60)
    .option("--seed <seed>", "the same seed gives the same weights", "1")
    .option(
      "--backbone <folder>",
      "fine-tune this Hugging Face causal model to answer with labels, instead of the linear model",
    )
    .option(
      "--onnx",
      "with --backbone: a classification head by PyTorch on this machine, exported to ONNX; encoders, too",
    )
    .option("--device <name>", "with --onnx: cuda, cuda:1, cpu", "cuda")
    .option("--server-model <name>", "what the server calls the backbone (default: its folder's name)")
    .option("--lora-rank <n>", "of the backbone's adapter; 0 trains all weights", wholeNumber, 32)
    .option("--epochs <n>", "at most so many, with --backbone", count, defaultBackboneTraining.epochs)
    .option("--patience <n>", "epochs without gain before stopping", wholeNumber, defaultBackboneTraining.patience)
    .option("--spans-per-step <n>", "with --backbone", count, defaultBackboneTraining.spansPerStep)
    .option("--learning-rate <n>", "with --backbone", positive, defaultBackboneTraining.learningRate)
    .option("--json", "print the quality as JSON");
}

export function trainClassifierCommand(): Command {
  return withTraining(withTaxonomy(new Command("train-classifier")))
    .description("learn to label spans from labeled ones, measured on traces that were held out")
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
    .addHelpText(
      "after",
      `
A backbone sees the question, the span before, the place in the trace and the span, and answers with one token, the label's letter. A fifth
of the traces is held out to measure on, a tenth to stop by and to fit the temperature. It labels where its engine is. With --onnx the
model gets a head of its own instead, and labels on processors, in worker threads: for encoders (BERT and its kin), and small decoders.

Examples:
  repertoire traces train-classifier --data labelled_spans.jsonl --votes jury/judged.jsonl --out my-classifier
  repertoire engine serve --model Qwen/Qwen3-1.7B --device cuda
  repertoire traces train-classifier --data labelled_spans.jsonl --backbone ~/models/Qwen3-1.7B --engine http://localhost:8421 --out qwen-labels
  repertoire traces train-classifier --data labelled_spans.jsonl --backbone ~/models/ModernBERT-base --onnx --lora-rank 0 --out bert-labels
  repertoire traces analyze rollouts.jsonl --classifier qwen-labels --out analysis`,
    )
    .action(async (flags: TrainFlags & { data: string[]; votes: string[] }) => {
      const taxonomy = await taxonomyOf(flags);
      const spans = await readAll(flags.data, taxonomy, readLabeledSpans);
      if (spans.every(isMade))
        throw new ConfigurationError(
          "--data: none of these spans was read in a real trace, so there is nothing to measure on",
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
  if (flags.json) process.stdout.write(`${JSON.stringify(trained.description.quality)}\n`);
  else printTrained(trained, flags.out);
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
