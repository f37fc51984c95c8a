// `repertoire traces distill`: from traces to a classifier of one's own in one command. Spans by need, a jury's votes, what
// its judges agree on and what was settled by hand, and training. Every part is kept, so the same command resumes.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import pc from "picocolors";
import { ConfigurationError, DataError } from "../base/errors.ts";
import { Random } from "../base/random.ts";
import { openRunFolder } from "../runs/run-folder.ts";
import type { LabeledSpan } from "../traces/classifier/labeled-spans.ts";
import type { Consensus } from "../traces/judges/agreement.ts";
import type { JurySpan } from "../traces/judges/jury.ts";
import { NeedSample } from "../traces/judges/need-sample.ts";
import { loadedClassifier } from "../traces/labeler-spec.ts";
import { count, share } from "./arguments.ts";
import { type FlagValues, flag, required, withFlags } from "./flags.ts";
import {
  costWords,
  expectedCost,
  jurorsOf,
  juryFlags,
  printJury,
  runJury,
  spansOfFile,
  spansOfTraces,
  writeLines,
} from "./jury-run.ts";
import { trainingFlags, trainOn } from "./traces-classifier.ts";
import { classifierOf, readingFlags, taxonomyOf } from "./traces-options.ts";

const minJudges = 3;

const distillFlags = [
  ...readingFlags,
  ...juryFlags,
  ...trainingFlags,
  required("--out <folder>", "folder for sample, votes, agreement and the classifier"),
  flag("--sample <n>", "how many spans the jury labels", count, 2000),
  flag("--enough-agreement <share>", "do not train on judges that agree less than this", share, 0.6),
];

type DistillFlags = FlagValues<typeof distillFlags>;

export function distillCommand(): Command {
  return withFlags(new Command("distill"), distillFlags)
    .description("train a classifier from a jury's votes: choose spans, vote, train; resumes where it stopped")
    .argument("<inputs...>", "traces to take spans from")
    .addHelpText(
      "after",
      `
The sample balances rare and frequent labels of the current classifier (--classifier, by default the shipped one), prefers spans it is unsure
of, and draws three in ten at random; quality is measured on these alone, and those without a majority count as wrong. The cost is printed before any judge is asked; --dry-run stops there. Disagreements are collected in
disagreements.html; resolve them there, save the file beside the votes, and run the same command again.

Examples:
  repertoire traces distill rollouts.jsonl --sample 2000 --price 0.27,1.10 --out labels --dry-run \\
    --judge a@http://localhost:8000/v1 --judge b@http://localhost:8001/v1 --judge c@https://example.org/v1#MY_KEY
  repertoire traces distill rollouts.jsonl --out labels --judge … --judge … --judge …
  repertoire traces analyze rollouts.jsonl --classifier labels/classifier --out analysis`,
    )
    .action(distill);
}

async function distill(inputs: string[], flags: DistillFlags): Promise<void> {
  const { out, sample, seed, segmentation } = flags;
  const taxonomy = await taxonomyOf(flags);
  const guidelines = flags.guidelines === undefined ? undefined : await readFile(flags.guidelines, "utf8");
  const judges = jurorsOf(flags, taxonomy, guidelines);
  if (judges.length < minJudges)
    throw new ConfigurationError(
      `${judges.length} judges given; a jury needs at least ${minJudges}, so that two can outvote one`,
    );
  const run = await openRunFolder(out, {
    kind: "analyze",
    config: {
      ...{ distill: true, inputs, sample, seed, segmentation },
      ...(flags.taxonomy !== undefined && { taxonomy }),
    },
    now: new Date(),
  });
  try {
    const spans = await chosenSpans(inputs, flags);
    console.error(`${spans.length} spans for ${judges.length} judges`);
    console.error(costWords(await expectedCost(spans, judges, out, flags, taxonomy)));
    if (flags.dryRun) return;
    const found = await runJury(spans, judges, out, flags, taxonomy);
    printJury(found, out);
    const { percent } = found.agreement;
    if (percent === undefined || percent < 100 * flags.enoughAgreement) {
      const agree = percent === undefined ? "have no span in common" : `agree on ${percent.toFixed(1)}%`;
      throw new DataError(
        `the judges ${agree}, which is too little to learn from; look at ${join(out, "disagreements.html")}, make the wording clearer with --guidelines, or lower --enough-agreement`,
      );
    }
    const decided = new Set(found.consensus.map(({ id }) => id));
    const undecided = found.divided.filter(({ id, drawn }) => drawn === "random" && !decided.has(id)).length;
    await trainOn({ ...flags, out: join(out, "classifier") }, found.consensus.map(asLabeled), taxonomy, { undecided });
    console.log(pc.dim(`use it: repertoire traces analyze … --classifier ${join(out, "classifier")}`));
  } finally {
    await Promise.all(judges.map((each) => each.close()));
    await run.release();
  }
}

const asLabeled = ({ id, text, previous, question, place, trace, domain, drawn, label }: Consensus): LabeledSpan => ({
  ...{ text, previous, question, place, label, drawn },
  trace: trace ?? id,
  domain: domain ?? "unknown",
});

/** Chosen once and kept: going on must ask about the same spans. */
async function chosenSpans(inputs: readonly string[], flags: DistillFlags): Promise<JurySpan[]> {
  const path = join(flags.out, "sample.jsonl");
  if (existsSync(path)) return readChosen(path);
  const classifier = await loadedClassifier({ classifier: await classifierOf({ classifier: flags.classifier }) });
  const sample = new NeedSample<JurySpan>(flags.sample, Random.from(flags.seed).child("distill"));
  let batch: JurySpan[] = [];
  const settle = async () => {
    const labels = await classifier.label(batch);
    for (const [i, span] of batch.entries()) sample.add(span, labels[i]);
    batch = [];
  };
  for await (const span of spansOfTraces(inputs, flags)) {
    batch.push(span);
    if (batch.length === 256) await settle();
  }
  await settle();
  const spans = sample.spans();
  if (spans.length === 0) throw new DataError(`${inputs.join(", ")}: no span to ask about`);
  await writeLines(path, spans);
  return spans;
}

async function readChosen(path: string): Promise<JurySpan[]> {
  const spans: JurySpan[] = [];
  const refuse = (line: number) => {
    throw new DataError(`${path} line ${line} is not a span; remove the file to choose again`);
  };
  for await (const span of spansOfFile(path, refuse)) spans.push(span);
  return spans;
}
