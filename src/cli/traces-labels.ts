// `repertoire traces label`: one response or span a line as JSON, or files as colored text.
import { Command } from "commander";
import pc from "picocolors";
import { z } from "zod";
import { importSlice } from "../imports/import-slice.ts";
import { parseInput, planSlices } from "../imports/plan.ts";
import { nothingRead, SkipCounts } from "../imports/skips.ts";
import { isSure, leastConfidences } from "../traces/abstention.ts";
import { labelerClause, labelerId } from "../traces/labeler.ts";
import { type LabelerSpec, loadedClassifier, readerOf } from "../traces/labeler-spec.ts";
import { labelsOf } from "../traces/sequence.ts";
import { count } from "./arguments.ts";
import { type FlagValues, flag, withFlags } from "./flags.ts";
import { answerLines } from "./line-stream.ts";
import { painter } from "./primitive-paint.ts";
import { labelerOf, readingFlags, readingOf } from "./traces-options.ts";
import { warnUnread } from "./unread.ts";

const identifier = z.union([z.string(), z.number()]).optional();

const jsonFlag = flag("--json", "JSON lines on standard input and output");
const spanInput = z.object({
  id: identifier,
  text: z.string(),
  previous: z.string().nullish(),
  question: z.string().nullish(),
  place: z.number().nullish(),
  index: z.number().nullish(),
  of: z.number().nullish(),
});
const responseInput = z.object({ id: identifier, response: z.string(), prompt: z.string().nullish() });

const labelFlags = [...readingFlags, jsonFlag, flag("--traces <n>", "how many traces to show", count, 3)];

export function labelCommand(): Command {
  return withFlags(new Command("label"), labelFlags)
    .description("label spans with reasoning primitives")
    .argument("[inputs...]", "files or folders of traces; with --json and none, lines on standard input")
    .addHelpText(
      "after",
      `
Examples:
  echo '{"id":1,"previous":"So x = 4.","text":"Check: 4 + 8 = 12. Works."}' | repertoire traces label --json
  repertoire traces label rollouts.jsonl --traces 2
  repertoire traces label rollouts.jsonl --json > spans.jsonl     # every trace with its spans`,
    )
    .action(async (inputs: string[], flags: FlagValues<typeof labelFlags>) => {
      const labeler = await labelerOf(flags);
      if (flags.json && inputs.length === 0) return labelLines(labeler);
      await showLabeled(inputs, labeler, flags);
    });
}

/** A label that is not sure enough is null, and the line says so. */
async function labelLines(labeler: LabelerSpec): Promise<void> {
  const [classifier, reader] = [await loadedClassifier(labeler), await readerOf(labeler)];
  const { alphabet } = reader;
  const least = leastConfidences(classifier.description, alphabet, labeler.abstainBelow);
  await answerLines(z.union([spanInput, responseInput]), async (line) => {
    if ("response" in line) {
      const { response, prompt } = line;
      const { sequence, confidences } = await reader.read({ response, ...(prompt && { prompt }) });
      return {
        id: line.id,
        labels: Array.from(sequence, (code) => alphabet.labels[code] ?? null),
        confidences: Array.from(confidences, rounded),
      };
    }
    const { text, previous, question, place, index, of } = line;
    const ended = place ?? (index != null && of ? (index + 1) / of : undefined);
    const span = { text, previous: previous ?? "", ...(question && { question }), ...(ended && { place: ended }) };
    const [{ label, confidence }] = await classifier.label([span]);
    const sure = isSure(alphabet.codeOf(label), confidence, least, alphabet);
    return {
      id: line.id,
      label: sure ? label : null,
      ...(!sure && { abstained: true }),
      confidence: rounded(confidence),
    };
  });
}

const rounded = (value: number) => Math.round(value * 1e4) / 1e4;

async function showLabeled(
  inputs: string[],
  labeler: LabelerSpec,
  flags: FlagValues<typeof labelFlags>,
): Promise<void> {
  const planned = await planSlices(inputs.map(parseInput), readingOf(flags));
  const reader = await readerOf(labeler);
  const { legend, strip, spanLine } = painter(reader.labeler.taxonomy);
  if (!flags.json) console.log(legend);
  const skips = new SkipCounts();
  let shown = 0;
  let described = "";
  for (const { slice, options } of planned) {
    for await (const imported of importSlice(slice, options)) {
      if (!flags.json && shown >= flags.traces) return warnUnread(skips.reasons());
      if ("skipped" in imported) {
        skips.add(imported.skipped, imported.where);
        continue;
      }
      shown += 1;
      const { trace } = imported;
      const { spans, sequence, confidences, labeledBy } = await reader.read(trace);
      const labels = labelsOf(sequence, reader.alphabet);
      if (flags.json) {
        const { checkpoint, step, problem, attempt, correct } = trace;
        const parts = labels.map((label, i) => ({
          ...{ label, text: spans[i]?.text },
          ...(!Number.isNaN(confidences[i]) && { confidence: rounded(confidences[i]) }),
        }));
        const by = labelerId(labeledBy);
        const whose = { checkpoint, step, problem, attempt, correct, labeledBy: by };
        process.stdout.write(`${JSON.stringify({ ...whose, spans: parts })}\n`);
        continue;
      }
      const verdict = trace.correct === undefined ? "not graded" : trace.correct ? "solved" : "not solved";
      const words = labelerClause(labeledBy);
      const by = words === described ? `labels by ${labeledBy.name}` : words;
      described = words;
      console.log(`\n${pc.bold(trace.checkpoint)} · ${trace.problem} · ${verdict} · ${pc.dim(by)}`);
      console.log(strip(labels));
      labels.forEach((label, i) => {
        console.log(spanLine(label, confidences[i], spans[i]?.text ?? ""));
      });
    }
  }
  if (shown === 0) throw nothingRead(skips.reasons());
  warnUnread(skips.reasons());
}
