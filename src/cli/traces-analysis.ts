// `repertoire traces analyze`: the whole analysis of every checkpoint into a folder, and the heart of it on the terminal.
import { join } from "node:path";
import { Command } from "commander";
import pc from "picocolors";
import { DataError } from "../base/errors.ts";
import { primitives } from "../rollouts/primitives.ts";
import { openRunFolder } from "../runs/run-folder.ts";
import { type Analysis, defaultAnalysis } from "../traces/analysis/analysis.ts";
import { analysisComplete, analysisFiles, queryAnalysis, readAnalysis } from "../traces/analysis/analysis-folder.ts";
import type { Estimate } from "../traces/analysis/estimates.ts";
import { analyzeTraces } from "../traces/analyze-traces.ts";
import { parseInput } from "../traces/read-traces.ts";
import { wholeNumber } from "./arguments.ts";
import { progressBar } from "./progress.ts";
import { textTable } from "./text-table.ts";
import { classifierOf, type ReadingFlags, readingOf, withReading } from "./traces-options.ts";

type AnalyzeFlags = ReadingFlags & {
  out: string;
  workers?: number;
  replicates: number;
  motifs: number;
  seed: string;
  query?: string;
  json?: true;
};

export function analyzeCommand(): Command {
  return withReading(
    new Command("analyze")
      .description("primitives, motifs and depth of every checkpoint, with intervals, into a folder")
      .argument("<inputs...>", "files or folders of traces; name=path gives the checkpoint a name"),
  )
    .requiredOption("--out <folder>", "where the analysis goes; a finished one is shown again")
    .option("--workers <n>", "threads; all cores by default", wholeNumber)
    .option("--replicates <n>", "bootstrap samples of the problems", wholeNumber, defaultAnalysis.replicates)
    .option("--motifs <n>", "how many motifs of each length to follow", wholeNumber, defaultAnalysis.motifsPerLength)
    .option("--seed <seed>", "for the bootstrap", defaultAnalysis.seed)
    .option("--query <sql>", "then ask DuckDB about the tables traces, motifs and measures")
    .option("--json", "print the analysis as JSON")
    .addHelpText(
      "after",
      `
Examples:
  repertoire traces analyze sft=runs/sft gspo=runs/gspo novelty=runs/novelty --out analysis
  repertoire traces analyze verl_rollouts/ --format verl --out analysis
  repertoire traces analyze data.parquet --columns response=text,problem=meta.id,correct=score --out analysis
  repertoire traces analyze sft=runs/sft --out analysis --query "SELECT checkpoint, avg(chain_depth) FROM traces GROUP BY 1"`,
    )
    .action(runAnalyze);
}

async function runAnalyze(inputs: string[], flags: AnalyzeFlags): Promise<void> {
  const { out, workers, replicates, motifs, seed, query, json, classifier, ...rest } = flags;
  const config = { inputs, replicates, motifs, seed, classifier, ...rest };
  const run = await openRunFolder(out, { kind: "analyze", config, now: new Date() });
  let analysis: Analysis;
  try {
    if (analysisComplete(out)) {
      analysis = await readAnalysis(out);
    } else {
      let bar = progressBar("MB", 0);
      analysis = await analyzeTraces(
        out,
        {
          inputs: inputs.map(parseInput),
          reading: readingOf(flags),
          analysis: { seed, replicates, motifsPerLength: motifs },
          classifier: await classifierOf(flags),
          workers,
        },
        (event) => {
          if (event.type === "planned") bar = progressBar("MB", Math.ceil(event.bytes / 1e6));
          if (event.type === "slice") bar.advance(event.bytes / 1e6);
          if (event.type === "analyzed") bar.stop();
        },
      );
    }
  } finally {
    await run.release();
  }
  if (analysis.input.traces === 0) {
    if (!json) printTroubles(analysis);
    const [first] = analysis.input.skipped;
    const why = first === undefined ? "there was nothing to read" : `${first.because} (${first.places[0]})`;
    throw new DataError(`no trace could be read: ${why}; --help shows how to name formats and columns`);
  }
  if (query !== undefined) {
    for (const row of await queryAnalysis(out, query)) process.stdout.write(`${JSON.stringify(row, plain)}\n`);
  } else if (json) {
    process.stdout.write(`${JSON.stringify(analysis)}\n`);
  } else {
    printAnalysis(analysis, out);
  }
}

const plain = (_: string, value: unknown) => (typeof value === "bigint" ? Number(value) : value);

export const withInterval = ({ value, low, high }: Estimate): string =>
  Number.isNaN(value) ? "–" : `${value.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
const withoutInterval = ({ value }: Estimate): string => (Number.isNaN(value) ? "–" : value.toFixed(2));

/** More checkpoints than this leave no room for intervals in a terminal; they are in the files. */
const widestTable = 4;

export function printAnalysis(analysis: Analysis, folder: string): void {
  const { classifier, input, checkpoints } = analysis;
  const quality = classifier.quality;
  const known = quality
    ? `accuracy ${quality.accuracy.toFixed(2)}, macro-F1 ${quality.macroF1.toFixed(2)} on unseen traces`
    : "quality not measured";
  console.log(pc.bold(`${input.traces} traces, ${input.spans} spans, labels by ${classifier.name} (${known})`));
  printTroubles(analysis);
  const estimate = checkpoints.length > widestTable ? withoutInterval : withInterval;
  const titles = [
    { title: "per trace", align: "left" as const },
    ...checkpoints.map(({ checkpoint }) => ({ title: checkpoint })),
  ];
  const row = (name: string, cell: (checkpoint: (typeof checkpoints)[number]) => string) => [
    name,
    ...checkpoints.map(cell),
  ];
  console.log(
    textTable(titles, [
      row("traces", ({ traces }) => String(traces)),
      // Attempts that nobody graded are not failures.
      row("problems (solved)", ({ problems, solvedProblems, depthBySuccess: { solved, unsolved } }) =>
        solved.traces + unsolved.traces === 0 ? `${problems} (–)` : `${problems} (${solvedProblems})`,
      ),
      row("spans", ({ measures }) => estimate(measures.spans)),
      ...primitives.map((primitive) => row(primitive, ({ measures }) => estimate(measures[primitive]))),
      ...(
        [
          "recovery trigrams",
          "exploitation trigrams",
          "verification trigrams",
          "check→compute→check",
          "check→compute→check→compute→check",
        ] as const
      ).map((name) => row(name, ({ measures }) => estimate(measures[name]))),
      row("chain depth", ({ measures }) => estimate(measures["chain depth"])),
      row("  without setup", ({ measures }) => estimate(measures["chain depth without setup"])),
      row("  90th percentile", ({ depthPercentile90 }) => estimate(depthPercentile90)),
      row("mean exploit run", ({ measures }) => estimate(measures["mean exploit run"])),
      row("depth, solved", ({ depthBySuccess: d }) => (d.solved.traces === 0 ? "–" : d.solved.mean.toFixed(2))),
      row("depth, unsolved", ({ depthBySuccess: d }) => (d.unsolved.traces === 0 ? "–" : d.unsolved.mean.toFixed(2))),
      row("  Mann–Whitney p", ({ depthBySuccess: d }) => d.p?.toPrecision(2) ?? "–"),
    ]),
  );
  for (const { words } of analysis.comparisons.slice(0, 3)) console.log(`\n${words.join("\n")}`);
  console.log(
    pc.dim(
      `\neverything else: ${join(folder, analysisFiles.analysis)}; tables for DuckDB: ${folder}/*.parquet; pairs to read: ${join(folder, analysisFiles.pairs)}`,
    ),
  );
}

function printTroubles({ input }: Analysis): void {
  const { damaged, unclosed, unopened, empty, ungraded } = input.oddities;
  const odd = [
    [empty, "without a word of reasoning"],
    [unclosed, "with reasoning that never closes"],
    [unopened, "with reasoning that never opens"],
    [damaged, "with bytes that are not text"],
    [ungraded, "that nobody graded"],
  ] as const;
  const said = odd.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  if (said.length > 0) console.log(pc.yellow(`traces: ${said.join(", ")}`));
  for (const { because, count, places } of input.skipped.slice(0, 8)) {
    console.log(pc.yellow(`skipped ${count}: ${because} (${places[0]})`));
  }
}
