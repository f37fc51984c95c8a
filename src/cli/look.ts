// `repertoire look`: anything that holds rollouts, in one word: found out what it is, read, graded, labeled, and said in
// three sentences. What it does is what `traces analyze` does; what it prints fits a screen.
import { Command } from "commander";
import { serve } from "./dashboard.ts";
import { type FlagValues, flag, withFlags } from "./flags.ts";
import { printConclusion } from "./printed-conclusion.ts";
import { analyzedInputs } from "./traces-analysis.ts";
import { comparingFlags, followFlags, pairFlags, readingFlags } from "./traces-options.ts";
import { warnUnread } from "./unread.ts";

const lookFlags = [
  ...readingFlags,
  ...comparingFlags,
  ...pairFlags,
  flag("--out <folder>", "run folder for what is read (default: the run itself, or runs/<name>)"),
  ...followFlags,
  flag("--open", "then open its pages in the browser, until Ctrl-C"),
];

export function lookCommand(): Command {
  return withFlags(new Command("look"), lookFlags)
    .argument(
      "<rollouts...>",
      "a run, a file, a folder or a quoted pattern of any trainer's or harness's rollouts, hf://datasets/owner/name; name=path names its checkpoint",
    )
    .addHelpText(
      "after",
      `
Examples:
  repertoire look runs/mini
  repertoire look verl_rollouts/ --open
  repertoire look before=a.jsonl after=b.jsonl
  repertoire look 'outputs/**/rollouts_*.jsonl'
  repertoire look verl_rollouts/ --follow --notify https://hooks.example.com/T0/B0     # all night`,
    )
    .action(async (given: string[], flags: FlagValues<typeof lookFlags>) => {
      const found = await analyzedInputs(given, { ...flags, motifs: undefined });
      if (found === undefined) return;
      const { folder, analysis } = found;
      warnUnread(analysis.input.skipped);
      printConclusion(analysis, folder);
      // Another dashboard may well be running.
      if (flags.open) await serve(folder, { host: "127.0.0.1", port: 0, open: true, classifier: flags.classifier });
    });
}
