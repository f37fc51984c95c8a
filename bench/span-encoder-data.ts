// What `integrations/span-encoder` learns from and is measured against: labeled, written and narrated spans with the
// folds of the linear classifier, every span of the traces, and what the linear classifier says of spans it had not seen.
//   npx tsx bench/span-encoder-data.ts ../shared/data/spans/labelled_spans.jsonl ../shared/data/traces/traces.jsonl out
import { createReadStream, createWriteStream, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { Random } from "../src/base/random.ts";
import { paperTaxonomy } from "../src/rollouts/paper-taxonomy.ts";
import { type LabeledSpan, readLabeledSpans } from "../src/traces/classifier/labeled-spans.ts";
import { narratedSpans } from "../src/traces/classifier/narrated-spans.ts";
import { crossValidate, dealtFolds, defaultTraining, featured, isMade } from "../src/traces/classifier/training.ts";
import { writtenSpans } from "../src/traces/classifier/written-spans.ts";
import { segment } from "../src/traces/segmentation.ts";
import { paperAlphabet } from "../src/traces/sequence.ts";
import { inContext } from "../src/traces/span-classifier.ts";

const [labeledFile, tracesFile, out] = process.argv.slice(2);
const folds = 5;
// As `traces train-classifier --seed 1` deals them.
const random = Random.from("1").child("span classifier");
const { spans: read } = await readLabeledSpans(labeledFile, paperTaxonomy);
const { spans: ours } = await readLabeledSpans("data/written-spans.jsonl", paperTaxonomy);
const made: LabeledSpan[] = [
  ...ours,
  ...writtenSpans(150, random.child("written")),
  ...(["terse", "plain", "prose"] as const).flatMap((style) =>
    narratedSpans({ traces: 60, style, random: random.child("narrated", style) }),
  ),
];
const foldOf = dealtFolds(read, folds, random.child("held out"));

mkdirSync(out, { recursive: true });
const lines = (name: string) => {
  const stream = createWriteStream(join(out, name));
  return { write: (record: object) => stream.write(`${JSON.stringify(record)}\n`), end: () => stream.end() };
};

const traceSchema = z.object({ id: z.string(), prompt: z.string(), response: z.string(), domain: z.string() });
const every = lines("every-span.jsonl");
const places = new Map<string, { place: number; question: string }>();
for await (const line of createInterface({ input: createReadStream(tracesFile) })) {
  const { id, prompt, response, domain } = traceSchema.parse(JSON.parse(line));
  const spans = inContext(segment(response));
  spans.forEach((span, i) => {
    const place = (i + 1) / spans.length;
    places.set(`${id}\u0000${span.text}`, { place, question: prompt });
    every.write({ ...span, trace: id, domain, place, question: prompt, fold: foldOf.get(id) ?? -1 });
  });
}
every.end();

const linear = lines("linear.jsonl");
const labeled = lines("labeled.jsonl");
let misplaced = 0;
for (const span of [...read, ...made]) {
  const found = places.get(`${span.trace}\u0000${span.text}`);
  if (found === undefined && !isMade(span)) misplaced += 1;
  const fold = isMade(span) ? -1 : foldOf.get(span.trace);
  labeled.write({
    ...span,
    place: found?.place ?? -1,
    question: found?.question ?? "",
    fold,
    code: paperAlphabet.codeOf(span.label),
  });
}
labeled.end();
const scored = crossValidate(featured([...read, ...made]), defaultTraining, folds, random.child("held out"), () =>
  console.log("fold"),
);
for (const { span, logits } of scored)
  linear.write({ text: span.text, previous: span.previous, label: span.label, logits: [...logits] });
linear.end();
console.log({ read: read.length, made: made.length, misplaced });
