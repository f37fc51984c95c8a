// `repertoire evaluate show` and `compare`: what an evaluation said, and how two of them differ.
import { existsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { Command } from "commander";
import pc from "picocolors";
import { ConfigurationError, RunFolderError } from "../base/errors.ts";
import { writeFileAtomically } from "../base/files.ts";
import { type DamageOptions, visibleDamage } from "../base/integrity.ts";
import { readJsonFile } from "../base/json-file.ts";
import { compareCheckpoints } from "../evaluation/comparison.ts";
import { checkEvaluation, evaluationFiles, readProblems } from "../evaluation/evaluation-folder.ts";
import { RolloutStore } from "../evaluation/rollout-store.ts";
import { summaryOf, tallyFolder, writtenNotes } from "../evaluation/summarize.ts";
import { type EvaluationSummary, evaluationSummarySchema } from "../evaluation/summary.ts";
import { solveCount } from "../evaluation/tally.ts";
import { besidePublished } from "../problems/topobench.ts";
import { readRunDescription } from "../runs/run-folder.ts";
import { count } from "./arguments.ts";
import { acceptDamageFlag, warnDamage } from "./damage.ts";
import { comparisonTable, summaryTable } from "./evaluation-tables.ts";
import { type FlagValues, flag, withFlags } from "./flags.ts";
import { warn } from "./progress.ts";
import { textTable } from "./text-table.ts";

export function readKs(text: string): number[] {
  return text.split(",").map(count);
}

export function printSummary(
  summary: EvaluationSummary,
  options: { readonly k?: readonly number[]; readonly json?: true },
): void {
  if (options.json) {
    console.log(JSON.stringify(summary));
    return;
  }
  console.log(
    `\n${pc.bold(summary.policy)}${summary.servedBy.length > 0 ? pc.dim(`  served as ${summary.servedBy.join(", ")}`) : ""}\n`,
  );
  console.log(summaryTable(summary, options.k));
  const beside = besidePublished(
    summary.sets.flatMap(({ set, passAtK }) =>
      passAtK.filter(({ k }) => k === 1).map(({ value }) => ({ set, passAt1: value })),
    ),
  );
  if (beside !== undefined)
    console.log(
      `\nTopoBench, mean accuracy over families in %, beside what was published\n${textTable(["", "easy", "medium", "hard"], beside)}`,
    );
  for (const warning of summary.warnings) console.log(pc.yellow(`\n${warning}`));
}

export async function readSummary(folder: string, damage: DamageOptions = {}): Promise<EvaluationSummary> {
  const path = join(folder, evaluationFiles.summary);
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new ConfigurationError(
      `${folder} ${existsSync(folder) ? "is a file" : "does not exist"}; give the folder that an evaluation wrote with --out`,
    );
  await readRunDescription(folder);
  if (!existsSync(path))
    throw new ConfigurationError(`${folder} has no summary yet; \`repertoire grade ${folder}\` makes it`);
  await checkEvaluation(folder, { ...damage, only: [evaluationFiles.summary] });
  return readJsonFile(path, evaluationSummarySchema, { error: RunFolderError });
}

const accepting = ({ acceptDamage }: { acceptDamage?: true }): DamageOptions =>
  acceptDamage ? { accept: warnDamage } : {};

// ---- show ----------------------------------------------------------------------------------------------------------

const showFlags = [
  flag("--k <list>", "which k to show: 1,8,32", readKs),
  flag("--json", "print the summary as JSON"),
  acceptDamageFlag,
];

export function showCommand(): Command {
  return withFlags(new Command("show"), showFlags)
    .description("print the table of an evaluation again")
    .argument("<run>", "its folder")
    .addHelpText("after", "\nExample:\n  repertoire evaluate show runs/hard --k 1,32")
    .action(async (folder: string, options: FlagValues<typeof showFlags>) => {
      const summary = await readSummary(folder, accepting(options));
      for (const { file, problem } of await visibleDamage(folder))
        if (basename(file) !== evaluationFiles.summary)
          warn(
            `${file} is damaged: ${problem}; this table was made before that, and nothing else can be made from it until it is restored`,
          );
      printSummary(summary, options);
    });
}

// ---- compare -------------------------------------------------------------------------------------------------------

const compareFlags = [
  flag("--k <list>", "which k to compare (default: those of the tables)", readKs),
  flag("--set <name>", "only the problems of one set"),
  flag("--out <file>", "write everything as JSON"),
  flag("--json", "print everything as JSON"),
  acceptDamageFlag,
];

export function compareCommand(): Command {
  return withFlags(new Command("compare"), compareFlags)
    .description(
      "compare two evaluations of the same problems: differences, problems gained and lost, the solve-set split",
    )
    .argument("<first>", "folder of the first, usually the baseline")
    .argument("<second>", "folder of the second")
    .addHelpText(
      "after",
      "\nExample:\n  repertoire evaluate compare runs/vanilla runs/novelty --k 1,8,32 --out novelty-gain.json",
    )
    .action(async (first: string, second: string, options: FlagValues<typeof compareFlags>) => {
      const [a, b] = await Promise.all([solveCounts(first, options), solveCounts(second, options)]);
      const usual = (fewest: number) => [1, 2, 4, 8, 16, 32, 64, 128].filter((k) => k <= fewest);
      const comparison = compareCheckpoints(a, b, options.k === undefined ? usual : () => options.k!);
      const record = { first, second, ...comparison };
      if (options.out !== undefined) await writeFileAtomically(options.out, `${JSON.stringify(record, null, 2)}\n`);
      if (options.json) console.log(JSON.stringify(record));
      else console.log(comparisonTable(comparison, [basename(first), basename(second)]));
    });
}

async function solveCounts(
  folder: string,
  { set, acceptDamage }: Pick<FlagValues<typeof compareFlags>, "set" | "acceptDamage">,
) {
  await readRunDescription(folder);
  await checkEvaluation(folder, accepting({ acceptDamage }));
  const reading = acceptDamage ? { onBroken: (message: string) => warn(message) } : {};
  const store = await RolloutStore.read(folder, reading);
  try {
    const tally = await tallyFolder({ folder, problems: await readProblems(folder), store }, reading);
    const noted = await writtenNotes(folder, (message) => warn(message));
    const { warnings } = summaryOf(tally.problems(), {
      policy: "",
      servedBy: [],
      warnings: [...noted, ...tally.warnings],
    });
    for (const warning of new Set(warnings)) warn(`${basename(folder)}: ${warning}`);
    const chosen = tally.problems().filter((problem) => set === undefined || problem.set === set);
    if (chosen.length === 0)
      throw new ConfigurationError(`${folder} has no problems${set === undefined ? "" : ` of ${set}`}`);
    return chosen.map(solveCount);
  } finally {
    await store.close();
  }
}
