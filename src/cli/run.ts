// `repertoire run`: whole recipes. `mini` is the paper in miniature, on this machine, in eleven minutes; `paper` is
// the paper itself, on a server.
import { join, resolve } from "node:path";
import { Command, Option } from "commander";
import pc from "picocolors";
import { ConfigurationError } from "../base/errors.ts";
import { capabilities } from "../engine/tinker/capabilities.ts";
import { embeddedHost, tinkerHost } from "../recipes/engine-host.ts";
import { miniSchema, rlOptions, variantsOf } from "../recipes/mini/config.ts";
import { type MiniResult, runMini } from "../recipes/mini/mini.ts";
import { worlds } from "../recipes/mini/world.ts";
import { writeReport } from "../report/index.ts";
import { accuracyTable } from "./accuracy-table.ts";
import { printCheckpoints, printClaims } from "./analysis-tables.ts";
import { collected, count, wholeNumber } from "./arguments.ts";
import { acceptDamageOption, acceptedFor } from "./damage.ts";
import { printMiniPlan } from "./mini-plan.ts";
import { miniBaseCommand } from "./run-mini-base.ts";
import { paperCommand, pilotsCommand } from "./run-paper.ts";
import { keyFrom, type ServerOptions, withServerOptions } from "./server-options.ts";
import { readSettings } from "./settings.ts";
import { watched } from "./stage-bars.ts";

const shippedBase = resolve(import.meta.dirname, "../../models/mini-base");

export function runCommand(): Command {
  return new Command("run")
    .description("run a whole recipe")
    .addCommand(miniCommand())
    .addCommand(paperCommand())
    .addCommand(pilotsCommand())
    .addCommand(miniBaseCommand());
}

type MiniOptions = ServerOptions & {
  folder: string;
  base: string;
  seed: number;
  loraRank: number;
  set: string[];
  threads?: number;
  dryRun?: true;
  probe: boolean;
  acceptDamage?: true;
};

function miniCommand(): Command {
  return withServerOptions(
    new Command("mini"),
    "a server that speaks the Tinker protocol, started on models/mini-base (default: this machine's processor)",
  )
    .description("the paper in miniature: teacher, SFT, GSPO with and without the novelty bonus, evaluation")
    .option("--folder <path>", "where the run is kept; the same folder again resumes or shows the result", "runs/mini")
    .addOption(
      new Option("--base <folder>", "the model to begin with, as run mini-base makes it").default(
        shippedBase,
        "models/mini-base of this package",
      ),
    )
    .option("--seed <n>", "another seed is another run", wholeNumber, 1)
    .option("--lora-rank <n>", "rank of the adapters on a server; 0 trains all weights", wholeNumber, 0)
    .option("--no-probe", "do not measure first whether the server is what --server says")
    .option("--threads <n>", "cores to use", count)
    .option("--set <key=value>", "change a setting, for example rl.steps=30", collected, [])
    .option("--dry-run", "print stages and settings, and do nothing")
    .addOption(acceptDamageOption())
    .addHelpText(
      "after",
      "\nExamples:\n  repertoire run mini\n  repertoire run mini --dry-run\n  repertoire run mini --seed 2 --folder runs/mini-2 --set rl.kl=0.1",
    )
    .action(async (options: MiniOptions) => {
      const { folder, base, seed, threads, acceptDamage } = options;
      const config = readSettings(miniSchema, { seed }, options.set);
      for (const variant of variantsOf(config)) rlOptions(config, variant);
      if (options.dryRun) return printMiniPlan(config);
      if (options.engine !== undefined && !capabilities[options.server].extendedScoring && config.rl.temperature !== 1)
        throw new ConfigurationError(
          `a ${options.server} server scores at temperature 1 only; add --set rl.temperature=1 (the miniature scores where it samples)`,
        );
      const host =
        options.engine === undefined
          ? embeddedHost({ run: folder, base, seed, threads, acceptDamage: acceptedFor(folder, options) })
          : tinkerHost({
              ...{ run: `mini-${seed}`, folder, base, url: options.engine, server: options.server, seed },
              probed: options.probe ? join(folder, "server-probe.json") : undefined,
              emit: (message) => console.error(message),
              key: keyFrom(options.keyVariable),
              loraRank: options.loraRank,
              contextLength: worlds[config.size].contextLength,
            });
      const result = await watched((emit, signal) =>
        runMini({
          ...{ folder, config, host, emit, signal, acceptDamage },
          ...(base !== shippedBase && { base }),
          now: () => new Date(),
        }),
      );
      if (result === undefined) return;
      printResult(folder, result);
      const { page } = await writeReport({ runs: [folder], acceptDamage });
      console.log(`Every figure and table: ${pc.bold(page)}`);
    });
}

// ---- What a run says at its end --------------------------------------------------------------------------------------

function printResult(folder: string, { summaries, analysis }: MiniResult): void {
  console.log(`\n${pc.bold("Accuracy")} (95% intervals over problems)\n`);
  console.log(accuracyTable(Object.keys(summaries), summaries));
  console.log(`\n${pc.bold("What traces are made of, on held-out puzzles")}\n`);
  const heldOut = analysis.scopes.find(({ scope }) => scope.name === "held-out puzzles") ?? analysis.scopes[0];
  printCheckpoints(analysis, heldOut);
  console.log(`\n${pc.bold("What this run shows of the paper")}\n`);
  printClaims(analysis.claims);
  console.log(
    `\nThis is a miniature: a model of under a million parameters and boards of a few cells. Its base has read puzzles and mathematics reasoned in\n` +
      `one language, but only behind a tag; asked without it, as here, it answers bare. What SFT on puzzles switches is that default, for both.\n\n` +
      `Everything is in ${pc.bold(folder)}: corpus.jsonl, sft/ and one folder for each RL run (events, rollouts, checkpoints), evaluations/.`,
  );
}
