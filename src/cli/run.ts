// `repertoire run`: whole recipes. `mini` is the paper in miniature, on this machine, in a quarter of an hour; `paper` is
// the paper itself, on a server.
import { join, resolve } from "node:path";
import { Command } from "commander";
import pc from "picocolors";
import { ConfigurationError } from "../base/errors.ts";
import { capabilities } from "../engine/tinker/capabilities.ts";
import { embeddedHost, tinkerHost } from "../recipes/engine-host.ts";
import { miniSchema, policies } from "../recipes/mini/config.ts";
import { type MiniResult, runMini } from "../recipes/mini/mini.ts";
import { miniContextLength } from "../recipes/mini/new-model.ts";
import { writeReport } from "../report/index.ts";
import { accuracyTable } from "./accuracy-table.ts";
import { printCheckpoints, printClaims } from "./analysis-tables.ts";
import { collected, wholeNumber } from "./arguments.ts";
import { miniBaseCommand } from "./run-mini-base.ts";
import { paperCommand } from "./run-paper.ts";
import { keyFrom, type ServerOptions, withServerOptions } from "./server-options.ts";
import { readSettings } from "./settings.ts";
import { watched } from "./stage-bars.ts";

const shippedBase = resolve(import.meta.dirname, "../../models/mini-base");

export function runCommand(): Command {
  return new Command("run")
    .description("run a whole recipe")
    .addCommand(miniCommand())
    .addCommand(paperCommand())
    .addCommand(miniBaseCommand());
}

type MiniOptions = ServerOptions & {
  folder: string;
  seed: number;
  loraRank: number;
  set: string[];
  threads?: number;
  probe: boolean;
};

function miniCommand(): Command {
  return withServerOptions(
    new Command("mini"),
    "a server that speaks the Tinker protocol, started on models/mini-base (default: this machine's processor)",
  )
    .description("the paper in miniature: teacher, SFT, GSPO with and without the novelty bonus, evaluation")
    .option("--folder <path>", "where the run is kept; the same folder again goes on or shows the result", "runs/mini")
    .option("--seed <n>", "another seed is another run", wholeNumber, 1)
    .option("--lora-rank <n>", "rank of the adapters on a server; 0 trains all weights", wholeNumber, 0)
    .option("--no-probe", "do not measure first whether the server is what --server says")
    .option("--threads <n>", "cores to use", wholeNumber)
    .option("--set <key=value>", "change a setting, for example rl.steps=30", collected, [])
    .addHelpText(
      "after",
      "\nExamples:\n  repertoire run mini\n  repertoire run mini --seed 2 --folder runs/mini-2 --set rl.kl=0.1",
    )
    .action(async (options: MiniOptions) => {
      const { folder, seed, threads } = options;
      const config = readSettings(miniSchema, { seed }, options.set);
      if (options.engine !== undefined && !capabilities[options.server].extendedScoring && config.rl.temperature !== 1)
        throw new ConfigurationError(
          `a ${options.server} server scores at temperature 1 only; add --set rl.temperature=1 (the miniature scores where it samples)`,
        );
      const host =
        options.engine === undefined
          ? embeddedHost({ run: folder, base: shippedBase, seed, threads })
          : tinkerHost({
              ...{ run: `mini-${seed}`, folder, base: shippedBase, url: options.engine, server: options.server, seed },
              probed: options.probe ? join(folder, "server-probe.json") : undefined,
              tell: (message) => console.error(message),
              key: keyFrom(options.keyVariable),
              loraRank: options.loraRank,
              contextLength: miniContextLength,
            });
      const result = await watched((tell, signal) =>
        runMini({ folder, config, host, tell, now: () => new Date(), signal }),
      );
      if (result === undefined) return;
      printResult(folder, result);
      const { page } = await writeReport({ runs: [folder] });
      console.log(`Every figure and table: ${pc.bold(page)}`);
    });
}

// ---- What a run says at its end --------------------------------------------------------------------------------------

function printResult(folder: string, { summaries, analysis }: MiniResult): void {
  console.log(`\n${pc.bold("Accuracy")} (95% intervals over problems)\n`);
  console.log(accuracyTable(policies, summaries));
  console.log(`\n${pc.bold("What traces are made of, on held-out puzzles")}\n`);
  const heldOut = analysis.scopes.find(({ scope }) => scope.name === "held-out puzzles") ?? analysis.scopes[0];
  printCheckpoints(analysis, heldOut);
  console.log(`\n${pc.bold("What this run shows of the paper")}\n`);
  printClaims(analysis.claims);
  console.log(
    `\nThis is a miniature: a model of 0.8 million parameters and boards of a few cells. Its base already solves small puzzles by plain\n` +
      `deduction (a base that cannot would need hours of SFT here); what SFT adds is the style of the teacher, guesses and returns included.\n\n` +
      `Everything is in ${pc.bold(folder)}: corpus.jsonl, sft/, vanilla/ and novelty/ (events, rollouts, checkpoints), evaluations/.`,
  );
}
