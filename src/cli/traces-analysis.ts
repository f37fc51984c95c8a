// `repertoire traces analyze`: the whole analysis of every checkpoint into a folder, and the heart of it on the terminal;
// `traces query`: any part of a finished one, without reading the traces again; `traces taxonomy`: the labels as a file.

import { join } from "node:path";
import { Command } from "commander";
import { usualImportFolder } from "../imports/import-folder.ts";
import type { ImportReport } from "../imports/import-report.ts";
import type { ImportEvent } from "../imports/import-run.ts";
import { paperTaxonomy } from "../rollouts/paper-taxonomy.ts";
import { isRun } from "../runs/run-parts.ts";
import { type Analysis, defaultAnalysis } from "../traces/analysis/analysis.ts";
import { analysisFolder, analysisIn, checkAnalysis, readAnalysis } from "../traces/analysis/analysis-folder.ts";
import { queryAnalysis } from "../traces/analysis/analysis-query.ts";
import type { AnalyzeEvent } from "../traces/analyze-traces.ts";
import { expectedWords } from "../traces/labeling-rate.ts";
import { analyzeRun, importAndAnalyze } from "../traces/run-analysis.ts";
import { printAnalysis, shownScope } from "./analysis-tables.ts";
import { wholeNumber } from "./arguments.ts";
import { type FlagValues, flag, withFlags } from "./flags.ts";
import { givenInputs } from "./given-inputs.ts";
import { progressBar, warn } from "./progress.ts";
import { followAnalysis } from "./traces-follow.ts";
import {
  classifierName,
  comparingFlags,
  followFlags,
  labelerOf,
  limitFlags,
  limitsOf,
  pairFlags,
  pairsOf,
  type ReadingFlags,
  readingFlags,
  readingOf,
} from "./traces-options.ts";

const analyzeFlags = [
  ...readingFlags,
  ...limitFlags,
  ...comparingFlags,
  ...pairFlags,
  flag("--out <folder>", "run folder for the rollouts and what is found (default: the run itself, or runs/<name>)"),
  flag("--motifs <n>", "how many motifs of each length to keep", wholeNumber, defaultAnalysis.motifsPerLength),
  flag("--query <sql>", "then run this SQL over the tables traces, motifs and measures"),
  ...followFlags,
  flag("--json", "print the analysis as JSON"),
];

export function analyzeCommand(): Command {
  return withFlags(new Command("analyze"), analyzeFlags)
    .description("measure primitives, motifs and depth of every checkpoint, with intervals, and write them to a folder")
    .argument("<inputs...>", "runs, files or folders of traces; name=path gives the checkpoint a name")
    .addHelpText(
      "after",
      `
Labels: runs of models that write the miniature's terse language are parsed exactly by its grammar; labels that the narrating teacher
recorded are trusted; everything else is labeled by the classifier. Every table says where its labels come from.

Examples:
  repertoire traces analyze sft=runs/sft gspo=runs/gspo novelty=runs/novelty --out analysis
  repertoire traces analyze runs/mini --out analysis --set "held-out puzzles"
  repertoire traces analyze verl_rollouts/ --format verl --out analysis
  repertoire traces analyze runs/verl-rollouts --follow --out runs/verl     # and beside it: repertoire dashboard
  repertoire traces analyze data.parquet --columns response=text,problem=meta.id,correct=score --out analysis
  repertoire traces query analysis "SELECT checkpoint, avg(chain_depth) FROM traces GROUP BY 1"`,
    )
    .action(runAnalyze);
}

async function runAnalyze(given: string[], flags: FlagValues<typeof analyzeFlags>): Promise<void> {
  const found = await analyzedInputs(given, flags);
  if (found === undefined) return;
  const place = join(found.folder, analysisFolder);
  if (flags.query !== undefined) await printQuery(place, flags.query);
  else await show(place, found.analysis, flags);
}

type Asked = ReadingFlags &
  FlagValues<typeof comparingFlags> &
  FlagValues<typeof pairFlags> & {
    readonly out?: string;
    readonly follow?: boolean;
    readonly notify?: string;
    readonly motifs?: number;
    readonly json?: boolean;
  };

/** A run analyzed, or anything else read into one first; undefined where somebody stopped following before there was anything. */
export async function analyzedInputs(
  given: readonly string[],
  flags: Asked,
): Promise<{ readonly folder: string; readonly analysis: Analysis } | undefined> {
  const { workers, replicates, motifs = defaultAnalysis.motifsPerLength, json, classifier } = flags;
  const inputs = await givenInputs(given);
  const imports = { inputs, reading: readingOf(flags), workers };
  const request = {
    analysis: { replicates, motifsPerLength: motifs },
    labeler: await labelerOf(flags),
    classifierName: classifierName(classifier),
    pairs: pairsOf(flags),
    workers,
  };
  const [{ path: run }] = inputs;
  // A run is one already: its analysis goes into it.
  const own = flags.out === undefined && inputs.length === 1 && isRun(run);
  const folder = own ? run : (flags.out ?? usualImportFolder(inputs));
  const watcher = analysisBar();
  let analysis: Analysis | undefined;
  try {
    if (flags.follow) analysis = await followAnalysis(folder, imports, request, flags.notify);
    else if (own) analysis = await analyzeRun(folder, request, watcher.watch);
    else {
      const watch: Parameters<typeof importAndAnalyze>[3] = (event) =>
        event.type === "imported" ? tellImport(folder, event.report, json === true) : watcher.watch(event);
      analysis = (await importAndAnalyze(folder, imports, request, watch)).analysis;
    }
  } finally {
    watcher.stop();
  }
  return analysis && { folder, analysis };
}

/** What was found, and whose grades they are: said before any number that is made from it. */
function tellImport(folder: string, { traces, formats, graded, byPrompt, apart }: ImportReport, quiet: boolean): void {
  if (quiet) return;
  const { byRecord, byGold, byScore, both, disagree, disagreeing, ungraded } = graded;
  const names = Object.entries(formats).map(([format, count]) => (count === traces ? format : `${format} ${count}`));
  console.error(`${traces} rollouts (${names.join(", ")}), kept in ${folder}`);
  if (byPrompt)
    console.error("ids are of single rollouts and prompts repeat: rollouts of one prompt are attempts at one problem");
  if (apart.length > 0)
    console.error(
      `${apart.slice(0, 3).join(", ")}${apart.length > 3 ? " …" : ""}: asked other questions by the same names, which are problems of their own`,
    );
  const grades = [
    ...(byGold > 0 ? [`${byGold} graded here by their gold answers`] : []),
    ...(byScore > 0 ? [`${byScore} by their scores, which all say right or wrong (0 or 1, -1 or 1)`] : []),
    ...(byRecord > 0 ? [`${byRecord} by their own program`] : []),
    ...(ungraded > 0 ? [`${ungraded} ungraded`] : []),
  ];
  console.error(`grades: ${grades.join(", ")}`);
  if (both > 0)
    console.error(
      disagree === 0
        ? `where both graded, both agree (${both})`
        : `where both graded, ${disagree} of ${both} disagree: ${disagreeing.slice(0, 3).join("; ")}${disagree > 3 ? " …" : ""}`,
    );
}

/** Progress of an analysis by megabytes; `outdated` says why one is made again. */
export function analysisBar(): {
  readonly watch: (event: AnalyzeEvent | ImportEvent) => void;
  readonly stop: () => void;
} {
  let bar: ReturnType<typeof progressBar> | undefined;
  return {
    watch: (event) => {
      if (event.type === "outdated") warn(`analyzing again: ${event.because}`);
      if (event.type === "import-again") warn(`reading again: ${event.because}`);
      if (event.type === "expected") console.error(expectedWords(event.expected));
      // The bar begins with the work, behind what is said of it; what was labeled before is no measure of the time that is left.
      if (event.type === "labeling") bar = progressBar("MB", Math.ceil(event.bytes / 1e6), event.kept / 1e6);
      if (event.type === "slice" && !event.kept) bar?.advance(event.bytes / 1e6);
    },
    stop: () => bar?.stop(),
  };
}

async function show(folder: string, analysis: Analysis, flags: FlagValues<typeof queryFlags>): Promise<void> {
  const limits = limitsOf(flags);
  const scope = await shownScope(folder, analysis, limits);
  if (!flags.json) printAnalysis(analysis, scope, folder);
  else process.stdout.write(`${JSON.stringify(scope === analysis.scopes[0] ? analysis : scope)}\n`);
}

async function printQuery(folder: string, sql: string): Promise<void> {
  for (const row of await queryAnalysis(folder, sql)) process.stdout.write(`${JSON.stringify(row)}\n`);
}

const queryFlags = [...limitFlags, flag("--json", "print JSON")];

export function queryCommand(): Command {
  return withFlags(new Command("query"), queryFlags)
    .description("query a finished analysis without reading the traces again")
    .argument("<folder>", "an analysis, or a run that has one")
    .argument("[sql]", "SQL over the tables traces, motifs and measures (default: print the main tables)")
    .addHelpText(
      "after",
      `
Examples:
  repertoire traces query runs/mini/analysis --set "held-out puzzles" --checkpoint sft --checkpoint vanilla
  repertoire traces query analysis "SELECT checkpoint, avg(chain_depth) FROM traces GROUP BY 1"`,
    )
    .action(async (folder: string, sql: string | undefined, flags: FlagValues<typeof queryFlags>) => {
      const found = analysisIn(folder);
      await checkAnalysis(found);
      if (sql !== undefined) await printQuery(found, sql);
      else await show(found, await readAnalysis(found), flags);
    });
}

export function taxonomyCommand(): Command {
  return new Command("taxonomy")
    .description("print the paper's nine primitives as a file to start your own taxonomy from")
    .addHelpText(
      "after",
      `
Example:
  repertoire traces taxonomy > mine.json        # edit it, then:
  repertoire traces judge rollouts.jsonl --taxonomy mine.json --judge a@http://localhost:8000/v1 --out jury
  repertoire traces train-classifier --taxonomy mine.json --data jury/consensus.jsonl --out mine
  repertoire traces analyze rollouts.jsonl --classifier mine --out analysis`,
    )
    .action(() => {
      process.stdout.write(`${JSON.stringify(paperTaxonomy, null, 2)}\n`);
    });
}
