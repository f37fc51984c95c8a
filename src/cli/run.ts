// `repertoire run`: whole recipes. `mini` is the paper in miniature, on this machine, in a quarter of an hour; `paper` is
// the paper itself, on a server.
import { join, resolve } from "node:path";
import { Command } from "commander";
import pc from "picocolors";
import type { EvaluationSummary } from "../evaluation/summary.ts";
import { embeddedHost, tinkerHost } from "../recipes/engine-host.ts";
import { miniSchema, type PolicyName, policies } from "../recipes/mini/config.ts";
import { type Finding, findings, primitiveTable, tracesOf } from "../recipes/mini/findings.ts";
import { runMini } from "../recipes/mini/mini.ts";
import { worlds } from "../recipes/mini/world.ts";
import { writeReport } from "../report/index.ts";
import { accuracyTable } from "./accuracy-table.ts";
import { collected, wholeNumber } from "./arguments.ts";
import { miniBaseCommand } from "./run-mini-base.ts";
import { paperCommand } from "./run-paper.ts";
import { readSettings } from "./settings.ts";
import { watched } from "./stage-bars.ts";
import { textTable } from "./text-table.ts";

const shippedBase = resolve(import.meta.dirname, "../../models/mini-base");

export function runCommand(): Command {
  return new Command("run")
    .description("run a whole recipe")
    .addCommand(miniCommand())
    .addCommand(paperCommand())
    .addCommand(miniBaseCommand());
}

type MiniOptions = { folder: string; base: string; seed: number; engine?: string; set: string[]; threads?: number };

function miniCommand(): Command {
  return new Command("mini")
    .description("the paper in miniature: teacher, SFT, GSPO with and without the novelty bonus, evaluation")
    .option("--folder <path>", "where the run is kept; the same folder again goes on or shows the result", "runs/mini")
    .option("--base <folder>", "the model to begin with, as run mini-base makes it", shippedBase)
    .option("--seed <n>", "another seed is another run", wholeNumber, 1)
    .option(
      "--engine <url>",
      "a server that speaks the Tinker protocol, started on the base model; this machine's processor unless said",
    )
    .option("--threads <n>", "cores to use", wholeNumber)
    .option("--set <key=value>", "change a setting, for example rl.steps=30", collected, [])
    .addHelpText(
      "after",
      "\nExamples:\n  repertoire run mini\n  repertoire run mini --seed 2 --folder runs/mini-2 --set rl.kl=0.1",
    )
    .action(async (options: MiniOptions) => {
      const { folder, base, seed, threads } = options;
      const config = readSettings(miniSchema, { seed }, options.set);
      const host =
        options.engine === undefined
          ? embeddedHost({ run: folder, base, seed, threads })
          : tinkerHost({
              run: `mini-${seed}`,
              base,
              paths: join(folder, "server-checkpoints.json"),
              probed: join(folder, "server-probe.json"),
              tell: (message) => console.error(message),
              url: options.engine,
              server: "repertoire",
              loraRank: 0,
              contextLength: worlds[config.size].contextLength,
              seed,
            });
      const result = await watched((tell, signal) =>
        runMini({ folder, config, ...(base !== shippedBase && { base }), host, tell, now: () => new Date(), signal }),
      );
      if (result === undefined) return;
      await printResult(folder, result.summaries);
      const { page } = await writeReport({ runs: [folder] });
      console.log(`Every figure and table: ${pc.bold(page)}`);
    });
}

// ---- What a run says at its end --------------------------------------------------------------------------------------

async function printResult(folder: string, summaries: Record<PolicyName, EvaluationSummary>): Promise<void> {
  const evaluations = (policy: PolicyName) => join(folder, "evaluations", policy);
  const traces = Object.fromEntries(
    await Promise.all(
      policies.map(async (policy) => [policy, await tracesOf(evaluations(policy), "held-out puzzles")]),
    ),
  ) as Record<PolicyName, Awaited<ReturnType<typeof tracesOf>>>;
  console.log(`\n${pc.bold("Accuracy")} (95% intervals over problems)\n`);
  console.log(accuracyTable(policies, summaries));
  console.log(`\n${pc.bold("Primitives per trace on held-out puzzles")}\n`);
  const { header, rows } = primitiveTable(traces);
  console.log(
    textTable(
      header.map((title, c) => ({ title, align: c === 0 ? "left" : "right" })),
      rows,
    ),
  );
  console.log(`\n${pc.bold("What this run shows of the paper")}\n`);
  for (const finding of findings(summaries, traces)) console.log(findingLine(finding));
  console.log(
    `\nThis is a miniature: a model of under a million parameters and boards of a few cells. Its base has read puzzles and mathematics reasoned in\n` +
      `one language, but only behind a tag; asked without it, as here, it answers bare. What SFT on puzzles switches is that default, for both.\n\n` +
      `Everything is in ${pc.bold(folder)}: corpus.jsonl, sft/, vanilla/ and novelty/ (events, rollouts, checkpoints), evaluations/.`,
  );
}

function findingLine({ claim, verdict, evidence }: Finding): string {
  const mark = { shown: pc.green("shown    "), "not shown": pc.yellow("not shown"), reversed: pc.red("reversed ") }[
    verdict
  ];
  return `  ${mark}  ${claim}\n             ${pc.dim(evidence)}`;
}
