// `repertoire look`: anything that holds rollouts, in one word: found out what it is, read, graded, labeled, and said in
// three sentences. What it does is what `traces analyze` does; what it prints fits a screen.
import { Command } from "commander";
import pc from "picocolors";
import { conclusion } from "../results/conclusion.ts";
import { isExact, type LabelerDescription } from "../traces/labeler.ts";
import { alphabetOf } from "../traces/sequence.ts";
import { type FlagValues, flag, withFlags } from "./flags.ts";
import { analyzedInputs } from "./traces-analysis.ts";
import { comparingFlags, readingFlags } from "./traces-options.ts";

const lookFlags = [
  ...readingFlags,
  ...comparingFlags,
  flag("--out <folder>", "run folder for what is read (default: the run itself, or runs/<name>)"),
  flag("--follow", "keep up with a trainer that is still writing, until Ctrl-C"),
];

export function lookCommand(): Command {
  return withFlags(new Command("look"), lookFlags)
    .argument("<rollouts...>", "a run, a file or a folder of any trainer or harness; name=path names its checkpoint")
    .addHelpText(
      "after",
      `
Examples:
  repertoire look runs/mini
  repertoire look verl_rollouts/
  repertoire look before=a.jsonl after=b.jsonl
  repertoire look verl_rollouts/ --follow`,
    )
    .action(async (given: string[], flags: FlagValues<typeof lookFlags>) => {
      const found = await analyzedInputs(given, { ...flags, motifs: undefined });
      if (found === undefined) return;
      const { folder, analysis } = found;
      const [everything] = analysis.scopes;
      console.log("");
      for (const sentence of conclusion(everything, alphabetOf(analysis.taxonomy))) console.log(`  ${sentence}`);
      console.log(pc.dim(`\n  ${analysis.labelers.map(labeledBy).join("; ")}`));
      console.log(
        `\n  read it: repertoire dashboard ${folder} --open     all tables: repertoire traces query ${folder}     figures: repertoire report ${folder}`,
      );
    });
}

/** In one breath; tables say all of it. */
function labeledBy(labeler: LabelerDescription): string {
  const { name, quality } = labeler;
  if (isExact(labeler)) return `labels by ${name}, exact by construction`;
  if (quality === undefined) return `labels by ${name}, whose quality nobody has measured`;
  return `labels by ${name}: about ${Math.round(10 * quality.accuracy)} of 10 are right on questions it has not seen`;
}
