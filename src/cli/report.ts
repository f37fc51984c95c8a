// `repertoire report`: figures, tables and one page from what runs left behind.
import { Command } from "commander";
import pc from "picocolors";
import { reportFolder, type WrittenReport, writeReport } from "../report/report.ts";
import { defaultLabeler } from "../traces/labeler-spec.ts";
import { acceptDamageFlag } from "./damage.ts";
import { type FlagValues, flag, withFlags } from "./flags.ts";
import { terminalItem } from "./terminal-item.ts";
import { analysisBar } from "./traces-analysis.ts";
import { classifierName, classifierOf } from "./traces-options.ts";

const reportFlags = [
  flag("--out <folder>", "report folder (default: <first run>/report)"),
  flag(
    "--classifier <folder or judge>",
    "what labels the spans, as for `traces analyze`; runs labeled by something else are analyzed again",
  ),
  flag("--only <ids>", "only these parts, for example pass-at-k,chain-depth", (text) => text.split(",")),
  flag("--print", "prints the tables as well"),
  acceptDamageFlag,
];

export function reportCommand(): Command {
  return withFlags(new Command("report"), reportFlags)
    .argument("<run...>", "run folders: a recipe, evaluations and training runs to show together, or an analysis")
    .addHelpText(
      "after",
      `
Writes index.html (self-contained, no scripts), figures/*.svg, *.pdf and *.png, and tables/*.csv, *.md and *.tex.
Several runs are shown side by side, with the settings in which they differ; runs that differ only in the seed become mean ± spread.
Missing data is named in the report and on the terminal; it is never drawn as zero.

Examples:
  repertoire report runs/mini
  repertoire report runs/hard-sft runs/hard-vanilla runs/hard-novelty --out reports/hard
  repertoire report runs/mini runs/mini-2 runs/mini-3 --out reports/seeds
  repertoire report runs/mini --only pass-at-k,suppression-over-training
  repertoire report runs/mini --only glance,accuracy --print
  repertoire traces analyze verl_rollouts/ --out analysis && repertoire report analysis`,
    )
    .action(async (runs: string[], { classifier, print, ...options }: FlagValues<typeof reportFlags>) => {
      const watcher = analysisBar();
      const own =
        classifier === undefined
          ? {}
          : { labeler: { ...defaultLabeler, classifier: await classifierOf({ classifier }) } };
      const request = { runs, ...options, ...own, classifierName: classifierName(classifier), onEvent: watcher.watch };
      const written = await writeReport(request).finally(watcher.stop);
      if (print)
        for (const item of written.items) {
          const table = terminalItem(item, process.stdout.columns);
          if (table !== undefined) console.log(`${table}\n`);
        }
      printWritten(written, reportFolder(request));
    });
}

function printWritten({ page, figures, tables, missing, gaps }: WrittenReport, folder: string): void {
  const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
  console.log(`${pc.bold(page)}: ${plural(figures, "figure")} and ${plural(tables, "table")} in ${folder}`);
  if (gaps.length > 0) console.log(`\n${pc.yellow("Missing data:")}`);
  for (const gap of gaps) console.log(`  ${gap.missing} in ${gap.where}\n    ${pc.dim(gap.remedy)}`);
  if (missing.length > 0) console.log(`\n${pc.yellow("Not made:")}`);
  for (const needs of new Set(missing.map((item) => item.needs))) {
    const titles = missing.filter((item) => item.needs === needs).map(({ title }) => title);
    console.log(`  ${titles.join("; ")}\n    ${pc.dim(`needs ${needs}`)}`);
  }
}
