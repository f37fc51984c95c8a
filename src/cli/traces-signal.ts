// `repertoire traces signal`: the paper's within-prompt signal table, from any evaluation and any reference.

import { join } from "node:path";
import { Command } from "commander";
import pc from "picocolors";
import { ConfigurationError } from "../base/errors.ts";
import { writeFileAtomically } from "../base/files.ts";
import { defaultPolicyCard, readPolicyCard } from "../engine/policy-card.ts";
import { checkEvaluation } from "../evaluation/evaluation-folder.ts";
import { chatFormOf } from "../recipes/policy-asking.ts";
import { referenceSignals, type SignalTable } from "../recipes/reference-signals.ts";
import { savedPolicy } from "../recipes/saved-checkpoint.ts";
import { type RecordedSignals, signalsFile } from "../training/signal-spread.ts";
import { count } from "./arguments.ts";
import { acceptDamageOption, sayDamage } from "./damage.ts";
import { stopOnInterrupt } from "./interruption.ts";
import { type Progress, progressBar } from "./progress.ts";
import { keyFrom, type ServerOptions, withServerOptions } from "./server-options.ts";
import { textTable } from "./text-table.ts";

type SignalOptions = ServerOptions & {
  model?: string;
  checkpoint?: string;
  serverModel?: string;
  context?: number;
  problems?: number;
  attempts?: number;
  json?: true;
  acceptDamage?: true;
};

export function signalCommand(): Command {
  return withServerOptions(
    new Command("signal"),
    "the Tinker server that has the reference (default: where it was saved)",
  )
    .description("how much mean and top-k surprisal under a reference differ between attempts at the same problem")
    .argument("<run>", "folder of an evaluation")
    .option("--model <folder>", "Hugging Face folder of the reference, or of its tokenizer for a server")
    .option(
      "--checkpoint <name>",
      "a checkpoint as training printed it, here or on a server (default: the model itself)",
    )
    .option("--server-model <name>", "what the server calls the model (default: as it was trained)")
    .option("--context <tokens>", "longest sequence on a server", count)
    .option("--problems <n>", "problems of each set, the paper took 100", count)
    .option("--attempts <n>", "attempts at each, the paper took 32", count)
    .option("--json", "print the tables as JSON")
    .addOption(acceptDamageOption())
    .addHelpText(
      "after",
      `
The texts are encoded again with the reference's tokenizer and chat template, and scored at temperature 1.

Examples:
  repertoire traces signal runs/mini/evaluations/sft --model models/mini-base --checkpoint runs/mini/sft/checkpoints/epoch-1
  repertoire traces signal runs/hard --checkpoint runs/sft/checkpoints/epoch-4 --problems 100`,
    )
    .action(showSignals);
}

async function showSignals(run: string, options: SignalOptions): Promise<void> {
  const { model, checkpoint, problems, attempts } = options;
  if (model === undefined && checkpoint === undefined)
    throw new ConfigurationError("--model or --checkpoint is missing: whose surprisal is measured");
  const { engine: url, server, serverModel, context: contextLength } = options;
  const emit = (message: string) => console.error(message);
  const key = keyFrom(options.keyVariable);
  const acceptDamage = options.acceptDamage && sayDamage;
  const saved = savedPolicy({
    acceptDamage,
    checkpoint,
    model,
    engine: url,
    server,
    serverModel,
    key,
    contextLength,
    emit,
  });
  await checkEvaluation(run, { accept: options.acceptDamage && sayDamage });
  const card = (await readPolicyCard(saved.card)) ?? defaultPolicyCard;
  const chat = await chatFormOf(saved.tokenizer, card.chat);
  const { signal, release } = stopOnInterrupt(() => console.error("\nstopping"));
  let bar: Progress | undefined;
  let shown = 0;
  try {
    const engine = await saved.open(signal);
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
      const recorded: RecordedSignals = {
        reference: checkpoint ?? model ?? "",
        temperature: 1,
        tables: tables.map(({ set, rollouts, rows }) => ({ set, rollouts, rows: [...rows] })),
      };
      await writeFileAtomically(join(run, signalsFile), `${JSON.stringify(recorded)}\n`);
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
