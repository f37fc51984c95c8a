// `repertoire traces signal`: the paper's within-prompt signal table, from any evaluation and any reference.
import { basename, resolve } from "node:path";
import { Command, Option } from "commander";
import pc from "picocolors";
import { ConfigurationError } from "../base/errors.ts";
import { loadChatForm } from "../engine/chat-template/chat-form.ts";
import { type ServerKind, serverKinds } from "../engine/tinker/capabilities.ts";
import { loadTokenizer } from "../engine/tokenizer.ts";
import { checkEvaluation } from "../evaluation/evaluation-folder.ts";
import { embeddedHost, tinkerHost } from "../recipes/engine-host.ts";
import { referenceSignals, type SignalTable } from "../recipes/reference-signals.ts";
import { wholeNumber } from "./arguments.ts";
import { acceptDamageOption, sayDamage } from "./damage.ts";
import { stopOnInterrupt } from "./interruption.ts";
import { type Progress, progressBar } from "./progress.ts";
import { textTable } from "./text-table.ts";

type SignalOptions = {
  model: string;
  checkpoint?: string;
  engine?: string;
  server: ServerKind;
  keyVariable?: string;
  context: number;
  problems?: number;
  attempts?: number;
  json?: true;
  acceptDamage?: true;
};

export function signalCommand(): Command {
  return new Command("signal")
    .description("how much mean and top-k surprise under a reference differ between attempts at the same problem")
    .argument("<run>", "folder of an evaluation")
    .requiredOption("--model <folder>", "Hugging Face folder of the reference, or of its tokenizer for a server")
    .option("--checkpoint <name>", "a checkpoint of it: a folder here, a name on a server (default: the model itself)")
    .option("--engine <url>", "a Tinker server (default: this machine's processor)")
    .addOption(new Option("--server <kind>", "what kind of server it is").choices(serverKinds).default("repertoire"))
    .option("--key-variable <name>", "environment variable with the server's key")
    .option("--context <tokens>", "longest sequence on a server", wholeNumber, 32_000)
    .option("--problems <n>", "problems of each set, the paper took 100", wholeNumber)
    .option("--attempts <n>", "attempts at each, the paper took 32", wholeNumber)
    .option("--json", "print the tables as JSON")
    .addOption(acceptDamageOption())
    .addHelpText(
      "after",
      `
The texts are encoded again with the reference's tokenizer and chat template, and scored at temperature 1.

Examples:
  repertoire traces signal runs/mini/evaluations/sft --model models/mini-base --checkpoint runs/mini/sft/checkpoints/epoch-1
  repertoire traces signal runs/hard --model models/olmo --checkpoint paper-sft-epoch-4 --engine http://localhost:8421 --problems 100`,
    )
    .action(showSignals);
}

async function showSignals(run: string, options: SignalOptions): Promise<void> {
  const { model, checkpoint, problems, attempts } = options;
  await checkEvaluation(run, { accept: options.acceptDamage && sayDamage });
  const chat = await loadChatForm(model, await loadTokenizer(model));
  const { signal, release } = stopOnInterrupt(() => console.error("\nstopping"));
  let bar: Progress | undefined;
  let shown = 0;
  try {
    const engine = await hostOf(options).open("signal", checkpoint);
    try {
      const { tables, leftOut } = await referenceSignals({
        ...{ folder: run, engine, chat, problems, attempts, signal },
        onScored: (done, total) => {
          bar ??= progressBar("Scoring", total);
          bar.advance(done - shown);
          shown = done;
        },
      });
      bar?.stop();
      if (tables.length === 0)
        throw new ConfigurationError(`${run} has no problem with two attempts that can be scored`);
      if (options.json) console.log(JSON.stringify({ tables, leftOut }));
      else for (const table of tables) console.log(`${pc.bold(table.set)}\n\n${rows(table)}\n`);
      if (leftOut > 0)
        console.error(pc.yellow(`${leftOut} rollouts left out: failed, empty, too long, or thought apart by a server`));
    } finally {
      await engine.dispose();
    }
  } finally {
    bar?.stop();
    release();
  }
}

function hostOf({ model, engine, server, keyVariable, context, acceptDamage }: SignalOptions) {
  if (engine === undefined)
    return embeddedHost({ run: ".", base: model, seed: 1, acceptDamage: acceptDamage && sayDamage });
  const key = keyVariable === undefined ? undefined : process.env[keyVariable];
  if (keyVariable !== undefined && key === undefined)
    throw new ConfigurationError(`the environment variable ${keyVariable} is not set`);
  const run = `signal-${basename(resolve(model))}`;
  return tinkerHost({ run, base: model, url: engine, key, server, loraRank: 1, contextLength: context, seed: 1 });
}

function rows({ rollouts, rows }: SignalTable): string {
  const titles = ["signal", "within-problem sd (nats/token)", "times the mean's", "problems", "rollouts"];
  return textTable(
    titles.map((title, c) => ({ title, align: c === 0 ? "left" : "right" })),
    rows.map(({ signal, withinProblem, amplification, problems }) => [
      signal,
      withinProblem.toFixed(3),
      amplification.toFixed(1),
      String(problems),
      String(rollouts),
    ]),
  );
}
