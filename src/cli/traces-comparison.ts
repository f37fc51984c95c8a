// `repertoire traces compare`: two checkpoints in words, the split of the problems they solve, and pairs of traces to read.
import { Command } from "commander";
import pc from "picocolors";
import { ConfigurationError } from "../base/errors.ts";
import { parseInput, planSlices, sliceBytes } from "../imports/plan.ts";
import { nothingRead } from "../imports/skips.ts";
import { isEnd } from "../results/conclusion.ts";
import { displayName } from "../runs/recipe-names.ts";
import { type Analysis, comparePair, defaultAnalysis, drawnRecords } from "../traces/analysis/analysis.ts";
import {
  analysisComplete,
  analysisIn,
  checkAnalysis,
  type PairToRead,
  readAnalysis,
  readPairs,
  readRecords,
} from "../traces/analysis/analysis-folder.ts";
import type { Comparison } from "../traces/analysis/comparison.ts";
import { type ProblemSplit, splitMeasures, splitParts } from "../traces/analysis/problem-split.ts";
import { pairKinds } from "../traces/analysis/reading-pairs.ts";
import { limited } from "../traces/analysis/scopes.ts";
import { checkpointsOf } from "../traces/analysis/workspace.ts";
import { readCut } from "../traces/analyze-traces.ts";
import { readerOf } from "../traces/labeler-spec.ts";
import { readTraces } from "../traces/read-traces.ts";
import { alphabetOf } from "../traces/sequence.ts";
import type { TraceRecord } from "../traces/trace-record.ts";
import { withInterval } from "./analysis-tables.ts";
import { wholeNumber } from "./arguments.ts";
import { type FlagValues, flag, withFlags } from "./flags.ts";
import { painter } from "./primitive-paint.ts";
import { progressBar } from "./progress.ts";
import { textTable } from "./text-table.ts";
import { comparingFlags, labelerOf, limitFlags, limitsOf, readingFlags, readingOf } from "./traces-options.ts";
import { warnUnread } from "./unread.ts";

const compareFlags = [
  ...readingFlags,
  ...limitFlags,
  ...comparingFlags,
  flag("--first <checkpoint>", "the checkpoint before (default: the first)"),
  flag("--second <checkpoint>", "the checkpoint after (default: every other one)"),
  flag("--pairs <n>", "from an analysis, also show so many of its pairs of traces to read, of each kind", wholeNumber),
  flag("--json", "print the comparisons as JSON"),
];

type CompareFlags = FlagValues<typeof compareFlags>;

export function compareTracesCommand(): Command {
  return withFlags(new Command("compare"), compareFlags)
    .description("describe in words what rose, what fell and what is noise between checkpoints")
    .argument("<inputs...>", "an analysis, a run that has one, or traces as for `analyze`")
    .addHelpText(
      "after",
      "\nExamples:\n  repertoire traces compare runs/mini --first sft --second vanilla --set synthetic\n  repertoire traces compare sft=sft.jsonl gspo=gspo.jsonl\n  repertoire traces compare analysis --first sft --second vanilla --pairs 2",
    )
    .action(runCompare);
}

type Compared = {
  readonly records: readonly TraceRecord[];
  readonly analysis: Pick<Analysis, "taxonomy" | "labelers" | "options">;
  /** Of training runs, in an analysis of everything. */
  readonly ends?: readonly Comparison[];
};

async function runCompare(inputs: string[], flags: CompareFlags): Promise<void> {
  const folder = inputs.length === 1 ? analysisIn(inputs[0]) : undefined;
  const finished = folder !== undefined && analysisComplete(folder);
  if (flags.pairs !== undefined && !finished) {
    throw new ConfigurationError("--pairs needs an analysis, made with: repertoire traces analyze … --out <folder>");
  }
  const found = finished ? await recordsOfAnalysis(folder, flags) : await recordsOfTraces(inputs, flags);
  const records = limited(drawnRecords(found.records, found.analysis), limitsOf(flags));
  const { analysis } = found;
  const names = [...checkpointsOf(records).keys()];
  const known = (name: string) => {
    if (names.includes(name)) return name;
    throw new ConfigurationError(`no checkpoint ${JSON.stringify(name)}; there are: ${names.join(", ")}`);
  };
  if (names.length === 0) throw new ConfigurationError("no trace matches these filters");
  const first = known(flags.first ?? names[0]);
  const seconds = flags.second === undefined ? names.filter((name) => name !== first) : [known(flags.second)];
  if (seconds.length === 0) throw new ConfigurationError(`only one checkpoint, ${first}; a comparison needs two`);
  // Steps of training ask different problems; what the analysis compares of them is its ends.
  const whole = flags.first === undefined && flags.second === undefined && records.length === found.records.length;
  const ends = whole ? (found.ends ?? []) : [];
  if (!flags.json) for (const { words } of ends) console.log(`${words.join("\n")}\n`);
  const apart: string[] = [];
  for (const second of seconds) {
    const result = comparePair(records, analysis, [first, second]);
    if (flags.second === undefined && !flags.json && result.comparison.changes.length === 0) {
      apart.push(displayName(second));
      continue;
    }
    const pairs = finished && flags.pairs !== undefined ? await pairsIn(folder, records, [first, second]) : undefined;
    const shown =
      pairs && pairKinds.flatMap((kind) => pairs.filter((pair) => pair.kind === kind).slice(0, flags.pairs));
    if (flags.json) {
      process.stdout.write(`${JSON.stringify({ ...result, pairs: shown })}\n`);
      continue;
    }
    console.log(result.comparison.words.join("\n"));
    printSplit(result.split, analysis);
    if (shown !== undefined) printPairs(shown, analysis);
  }
  if (apart.length > 0)
    console.log(
      `${displayName(first)} was asked no problem in common with ${apart.length > 4 ? `${apart.length} others` : apart.join(", ")}, so nothing is compared with them; --first and --second choose a pair.`,
    );
}

function printSplit({ parts, first, second }: ProblemSplit, { taxonomy }: Compared["analysis"]): void {
  if (splitParts.every((part) => parts[part].problems.length === 0)) {
    console.log("No problem was attempted and graded under both checkpoints, so there is no solve-set split.\n");
    return;
  }
  const moves = splitMeasures(alphabetOf(taxonomy)).slice(0, taxonomy.recover.length);
  const rows = splitParts.map((part) => {
    const { problems, first: one, second: other } = parts[part];
    const rates = [one, other].flatMap(({ all, withRecovery, traces }) => [
      ...moves.map((move) => withInterval(all[move])),
      `${withRecovery.all}/${traces}`,
    ]);
    return [`solved by ${part}`, String(problems.length), ...rates];
  });
  const sides = [first, second].flatMap((name) => [`${name}: ${moves[0]}`, ...moves.slice(1), "with recovery"]);
  console.log(textTable(["problems", "", ...sides], rows));
  console.log("");
}

/** Those that the analysis chose of two checkpoints, on the problems that are looked at. */
async function pairsIn(
  folder: string,
  records: readonly TraceRecord[],
  names: readonly [string, string],
): Promise<PairToRead[]> {
  const problems = new Set(records.map(({ problem }) => problem));
  const isAsked = ({ problem, first, second }: PairToRead) =>
    problems.has(problem) && first.checkpoint === names[0] && second.checkpoint === names[1];
  return (await readPairs(folder)).filter(isAsked);
}

function printPairs(pairs: readonly PairToRead[], { taxonomy }: Compared["analysis"]): void {
  const { strip, spanLine } = painter(taxonomy);
  if (pairs.length === 0)
    console.log(
      "The analysis chose no pair of these two to read in these limits. A pair opens alike, and both solved it at their usual depth, or only the second did, recovering; `traces analyze` looks for them (--opening, --first-depth, --second-depth).\n",
    );
  for (const { kind, problem, first, second, firstSpans, secondSpans, firstDepth, secondDepth } of pairs) {
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

async function recordsOfAnalysis(folder: string, { replicates }: CompareFlags): Promise<Compared> {
  await checkAnalysis(folder);
  const analysis = await readAnalysis(folder);
  return {
    records: await readRecords(folder),
    analysis: { ...analysis, options: { ...analysis.options, replicates } },
    ends: analysis.scopes[0]?.comparisons.filter((one) => isEnd(one.first) && isEnd(one.second)),
  };
}

async function recordsOfTraces(inputs: string[], flags: CompareFlags): Promise<Compared> {
  const labeler = await labelerOf(flags);
  const reader = await readerOf(labeler);
  const planned = await planSlices(inputs.map(parseInput), readingOf(flags));
  const bar = progressBar("MB", Math.ceil(sliceBytes(planned) / 1e6));
  const onSlice = ({ bytes }: { bytes: number }) => bar.advance(bytes / 1e6);
  const { read } = await readCut(labeler, reader, (cut, by) =>
    readTraces(planned, { labeler: cut, workers: flags.workers, ...(cut === labeler && { onSlice }) }, by),
  );
  const { records, skipped, labelers } = read;
  bar.stop();
  if (records.length === 0) throw nothingRead(skipped);
  warnUnread(skipped);
  const options = { ...defaultAnalysis, replicates: flags.replicates };
  return { records, analysis: { taxonomy: reader.labeler.taxonomy, labelers, options } };
}
