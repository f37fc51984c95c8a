// `repertoire traces segment` and `traces label`: one response or span a line as JSON, or files as coloured text.
import { Command, Option } from "commander";
import pc from "picocolors";
import { z } from "zod";
import { ConfigurationError } from "../base/errors.ts";
import { type Primitive, primitives } from "../rollouts/primitives.ts";
import { importSlice } from "../traces/importers/import-slice.ts";
import { parseInput, planSlices } from "../traces/read-traces.ts";
import { segment } from "../traces/segmentation.ts";
import { inContext, type SpanClassifier } from "../traces/span-classifier.ts";
import { answerLines } from "./line-stream.ts";
import { paint, spanLine, strip } from "./primitive-paint.ts";
import {
  loadedClassifier,
  type ReadingFlags,
  readingOf,
  type SegmentationFlags,
  segmentationOf,
  withReading,
  withSegmentation,
} from "./traces-options.ts";

const identifier = z.union([z.string(), z.number()]).optional();

export function segmentCommand(): Command {
  return withSegmentation(new Command("segment").description("cut responses into spans, as the paper does"))
    .addOption(new Option("--json", "JSON lines on standard input and output"))
    .addHelpText(
      "after",
      '\nExample:\n  echo \'{"id":1,"response":"<reasoning>…</reasoning>"}\' | repertoire traces segment --json',
    )
    .action(async (flags: SegmentationFlags & { json?: true }) => {
      if (!flags.json)
        throw new ConfigurationError(
          "give --json and responses on standard input; `traces label <file>` shows spans of files",
        );
      const segmentation = segmentationOf(flags);
      await answerLines(z.object({ id: identifier, response: z.string() }), ({ id, response }) => ({
        id,
        spans: segment(response, segmentation).map(({ text, tokens }) => ({ text, tokens })),
      }));
    });
}

const spanInput = z.object({ id: identifier, text: z.string(), previous: z.string().nullish() });
const responseInput = z.object({ id: identifier, response: z.string() });

export function labelCommand(): Command {
  return withReading(
    new Command("label")
      .description("label spans with reasoning primitives")
      .argument("[inputs...]", "files or folders of traces to show; none with --json"),
  )
    .addOption(new Option("--json", "JSON lines on standard input and output"))
    .option("--traces <n>", "how many traces of each input to show", Number, 3)
    .addHelpText(
      "after",
      `
Examples:
  echo '{"id":1,"previous":"So x = 4.","text":"Check: 4 + 8 = 12. Works."}' | repertoire traces label --json
  repertoire traces label rollouts.jsonl --traces 2`,
    )
    .action(async (inputs: string[], flags: ReadingFlags & { json?: true; traces: number }) => {
      const classifier = await loadedClassifier(flags);
      if (flags.json) return labelLines(classifier, flags);
      await showLabelled(inputs, classifier, flags);
    });
}

/** A label that is not sure enough is null, and the line says so. */
const given = (label: Primitive, confidence: number, abstainBelow: number) =>
  confidence < abstainBelow ? { label: null, confidence, abstained: true } : { label, confidence };

async function labelLines(classifier: SpanClassifier, flags: ReadingFlags): Promise<void> {
  const segmentation = segmentationOf(flags);
  await answerLines(z.union([spanInput, responseInput]), async (line) => {
    if ("response" in line) {
      const spans = segment(line.response, segmentation);
      const labels = await classifier.label(inContext(spans));
      return {
        id: line.id,
        labels: labels.map(({ label, confidence }) => given(label, confidence, flags.abstainBelow).label),
        confidences: labels.map(({ confidence }) => rounded(confidence)),
      };
    }
    const [{ label, confidence }] = await classifier.label([{ text: line.text, previous: line.previous ?? "" }]);
    const answer = given(label, confidence, flags.abstainBelow);
    return { id: line.id, ...answer, confidence: rounded(confidence) };
  });
}

const rounded = (value: number) => Math.round(value * 1e4) / 1e4;

async function showLabelled(
  inputs: string[],
  classifier: SpanClassifier,
  flags: ReadingFlags & { traces: number },
): Promise<void> {
  const planned = await planSlices(inputs.map(parseInput), readingOf(flags));
  const { name, quality } = classifier.description;
  const known =
    quality === undefined ? "quality not measured" : `macro-F1 ${quality.macroF1.toFixed(2)} on unseen traces`;
  console.log(pc.dim(`labels by ${name} (${known})  `) + primitives.map((p) => paint[p](p)).join(" "));
  let shown = 0;
  for (const { slice, options } of planned) {
    for await (const imported of importSlice(slice, options)) {
      if (shown >= flags.traces) return;
      if ("skipped" in imported) {
        console.error(pc.yellow(`${imported.where}: ${imported.skipped}`));
        continue;
      }
      shown += 1;
      const { trace } = imported;
      const verdict = trace.correct === undefined ? "not graded" : trace.correct ? "solved" : "not solved";
      console.log(`\n${pc.bold(trace.checkpoint)} · ${trace.problem} · ${verdict}`);
      const spans = segment(trace.response, options.segmentation);
      const labels = await classifier.label(inContext(spans));
      console.log(strip(labels.map(({ label }) => label)));
      spans.forEach(({ text }, i) => {
        console.log(spanLine(labels[i].label, labels[i].confidence, text));
      });
    }
  }
}
