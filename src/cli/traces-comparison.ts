// `repertoire traces compare`: two checkpoints in words, the split of the problems they solve, and pairs of traces to read.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import pc from "picocolors";
import { ConfigurationError } from "../base/errors.ts";
import { checkpointsOf, compareCheckpoints, defaultAnalysis } from "../traces/analysis/analysis.ts";
import {
  analysisFiles,
  type PairToRead,
  readAnalysis,
  readPairs,
  readRecords,
} from "../traces/analysis/analysis-folder.ts";
import { type ProblemSplit, splitParts } from "../traces/analysis/problem-split.ts";
import { BuiltinClassifier } from "../traces/classifier/builtin-classifier.ts";
import { parseInput, planSlices, readTraces, sliceBytes } from "../traces/read-traces.ts";
import type { ClassifierDescription } from "../traces/span-classifier.ts";
import type { TraceRecord } from "../traces/trace-record.ts";
import { wholeNumber } from "./arguments.ts";
import { spanLine, strip } from "./primitive-paint.ts";
import { progressBar } from "./progress.ts";
import { textTable } from "./text-table.ts";
import { withInterval } from "./traces-analysis.ts";
import { classifierOf, type ReadingFlags, readingOf, withReading } from "./traces-options.ts";

type CompareFlags = ReadingFlags & {
  first?: string;
  second?: string;
  workers?: number;
  replicates: number;
  seed: string;
  pairs?: number;
  json?: true;
};

export function compareCommand(): Command {
  return withReading(
    new Command("compare")
      .description("say in words what rose, what fell and what is noise between checkpoints")
      .argument("<inputs...>", "an analysis folder, or traces as for analyze"),
  )
    .option("--first <checkpoint>", "the one before; the first there is by default")
    .option("--second <checkpoint>", "the one after; every other one by default")
    .option("--workers <n>", "threads; all cores by default", wholeNumber)
    .option("--replicates <n>", "bootstrap samples of the problems", wholeNumber, defaultAnalysis.replicates)
    .option("--seed <seed>", "for the bootstrap", defaultAnalysis.seed)
    .option("--pairs <n>", "from an analysis folder, also show this many pairs of traces to read", wholeNumber)
    .option("--json", "print the comparisons as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  repertoire traces compare analysis --first sft --second gspo\n  repertoire traces compare sft=sft.jsonl gspo=gspo.jsonl\n  repertoire traces compare analysis --pairs 2",
    )
    .action(runCompare);
}

async function runCompare(inputs: string[], flags: CompareFlags): Promise<void> {
  const { records, classifier } = await recordsToCompare(inputs, flags);
  const names = [...checkpointsOf(records).keys()];
  const known = (name: string) => {
    if (names.includes(name)) return name;
    throw new ConfigurationError(`no checkpoint ${JSON.stringify(name)}; there are: ${names.join(", ")}`);
  };
  const first = known(flags.first ?? names[0]);
  const seconds = flags.second === undefined ? names.filter((name) => name !== first) : [known(flags.second)];
  if (seconds.length === 0) throw new ConfigurationError(`only one checkpoint, ${first}; a comparison needs two`);
  const options = { ...defaultAnalysis, seed: flags.seed, replicates: flags.replicates };
  const pairs = flags.pairs === undefined ? [] : await pairsOf(inputs);
  for (const second of seconds) {
    const result = compareCheckpoints(records, first, second, classifier, options);
    if (flags.json) {
      process.stdout.write(`${JSON.stringify(result)}\n`);
      continue;
    }
    console.log(result.comparison.words.join("\n"));
    printSplit(result.split, first, second);
    printPairs(
      pairs.filter((pair) => pair.first.checkpoint === first && pair.second.checkpoint === second),
      flags.pairs ?? 0,
    );
  }
}

function printSplit({ parts }: ProblemSplit, first: string, second: string): void {
  if (splitParts.every((part) => parts[part].problems.length === 0)) {
    console.log("No problem was tried and graded under both, so there is no split into solved by one or by both.\n");
    return;
  }
  const rows = splitParts.map((part) => {
    const { problems, first: one, second: other } = parts[part];
    const rates = [one, other].flatMap(({ all, withRecovery, traces }) => [
      withInterval(all.hypothesize),
      withInterval(all.backtrack),
      `${withRecovery.all}/${traces}`,
    ]);
    return [`solved by ${part}`, String(problems.length), ...rates];
  });
  const sides = [first, second].flatMap((name) => [`${name}: hypothesize`, "backtrack", "with recovery"]);
  console.log(
    textTable([{ title: "problems", align: "left" }, { title: "" }, ...sides.map((title) => ({ title }))], rows),
  );
  console.log("");
}

async function pairsOf(inputs: readonly string[]): Promise<PairToRead[]> {
  if (inputs.length !== 1 || !existsSync(join(inputs[0], analysisFiles.pairs))) {
    throw new ConfigurationError(
      "--pairs needs an analysis folder, made with: repertoire traces analyze … --out <folder>",
    );
  }
  return readPairs(inputs[0]);
}

function printPairs(pairs: readonly PairToRead[], wanted: number): void {
  if (wanted === 0) return;
  if (pairs.length === 0) console.log("No two traces of these checkpoints make a pair to read.\n");
  for (const { kind, problem, first, second, firstSpans, secondSpans, firstDepth, secondDepth } of pairs.slice(
    0,
    wanted,
  )) {
    console.log(pc.bold(`${kind} · ${problem}`));
    for (const [record, spans, depth] of [
      [first, firstSpans, firstDepth],
      [second, secondSpans, secondDepth],
    ] as const) {
      const verdict = record.correct === undefined ? "not graded" : record.correct ? "solved" : "not solved";
      console.log(`\n${record.checkpoint}, attempt ${record.attempt}, ${verdict}, depth ${depth}`);
      console.log(strip(spans.map(({ label }) => label)));
      for (const { label, confidence, text } of spans) console.log(spanLine(label, confidence, text));
    }
    console.log("");
  }
}

async function recordsToCompare(
  inputs: string[],
  flags: CompareFlags,
): Promise<{ records: readonly TraceRecord[]; classifier: ClassifierDescription }> {
  if (inputs.length === 1 && existsSync(join(inputs[0], analysisFiles.analysis))) {
    const { classifier } = await readAnalysis(inputs[0]);
    return { records: await readRecords(inputs[0]), classifier };
  }
  const classifier = await classifierOf(flags);
  const planned = await planSlices(inputs.map(parseInput), readingOf(flags));
  const bar = progressBar("MB", Math.ceil(sliceBytes(planned) / 1e6));
  const onSlice = ({ bytes }: { bytes: number }) => bar.advance(bytes / 1e6);
  const { records, skipped } = await readTraces(planned, { classifier, workers: flags.workers, onSlice });
  bar.stop();
  for (const { because, count, places } of skipped.slice(0, 8)) {
    console.error(pc.yellow(`skipped ${count}: ${because} (${places[0]})`));
  }
  const { description } = "label" in classifier ? classifier : await BuiltinClassifier.load(classifier.folder);
  return { records, classifier: description };
}
