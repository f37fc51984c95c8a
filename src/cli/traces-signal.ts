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
import { type RecordedSignals, signalsFile } from "../training/signal-spread.ts";
import { count } from "./arguments.ts";
import { acceptDamageFlag, warnDamage } from "./damage.ts";
import { type FlagValues, flag, withFlags } from "./flags.ts";
import { interruptible } from "./interruption.ts";
import { type Progress, progressBar, warn } from "./progress.ts";
import { checkpointOf, serverFlags } from "./server-options.ts";
import { textTable } from "./text-table.ts";

const signalFlags = [
  ...serverFlags("the Tinker server that has the reference (default: where it was saved)"),
  flag("--model <folder>", "Hugging Face folder of the reference, or of its tokenizer for a server"),
  flag("--checkpoint <name>", "a checkpoint as training printed it, here or on a server (default: the model itself)"),
  flag("--context <tokens>", "longest sequence on a server", count),
  flag("--problems <n>", "problems per set; the paper uses 100", count),
  flag("--attempts <n>", "attempts per problem; the paper uses 32", count),
  flag("--json", "print the tables as JSON"),
  acceptDamageFlag,
];

export function signalCommand(): Command {
  return withFlags(new Command("signal"), signalFlags)
    .description(
      "measure how much mean and top-k surprisal under a reference differ between attempts at the same problem",
    )
    .argument("<run>", "folder of an evaluation")
    .addHelpText(
      "after",
      `
The texts are tokenized with the reference's tokenizer and chat template, and scored at temperature 1.

Examples:
  repertoire traces signal runs/mini/evaluations/sft --model models/mini-base --checkpoint runs/mini/sft/checkpoints/epoch-0
  repertoire traces signal runs/hard --checkpoint runs/sft/checkpoints/epoch-4 --problems 100`,
    )
    .action(showSignals);
}

async function showSignals(run: string, options: FlagValues<typeof signalFlags>): Promise<void> {
  const { model, checkpoint, problems, attempts } = options;
  if (model === undefined && checkpoint === undefined)
    throw new ConfigurationError("--model or --checkpoint is missing: the reference");
  const saved = checkpointOf(options);
  await checkEvaluation(run, { accept: options.acceptDamage && warnDamage });
  const card = (await readPolicyCard(saved.card)) ?? defaultPolicyCard;
  const chat = await chatFormOf(saved.tokenizer, card.chat);
  await interruptible("\nstopping", async (signal) => {
    const engine = await saved.open(signal);
    let bar: Progress | undefined;
    let shown = 0;
    const onScored = (done: number, total: number) => {
      bar ??= progressBar("Scoring", total);
      bar.advance(done - shown);
      shown = done;
    };
    const asked = { folder: run, engine, chat, problems, attempts, signal, onScored };
    const { tables, leftOut } = await referenceSignals(asked).finally(() => engine.dispose());
    bar?.stop();
    if (tables.length === 0) throw new ConfigurationError(`${run} has no problem with two attempts that can be scored`);
    const recorded: RecordedSignals = {
      reference: checkpoint ?? model ?? "",
      temperature: 1,
      tables: tables.map(({ set, rollouts, rows }) => ({ set, rollouts, rows: [...rows] })),
    };
    await writeFileAtomically(join(run, signalsFile), `${JSON.stringify(recorded)}\n`);
    if (options.json) console.log(JSON.stringify({ tables, leftOut }));
    else for (const table of tables) console.log(`${pc.bold(table.set)}\n\n${rows(table)}\n`);
    if (leftOut > 0)
      warn(`${leftOut} rollouts skipped: failed, empty, too long, or with reasoning returned separately by the server`);
  });
}

function rows({ rollouts, rows }: SignalTable): string {
  const titles = ["signal", "within-problem sd (nats/token)", "times the mean's", "problems", "rollouts"];
  return textTable(
    titles,
    rows.map(({ signal, withinProblem, amplification, problems }) => [
      signal,
      withinProblem.toFixed(3),
      amplification.toFixed(1),
      String(problems),
      String(rollouts),
    ]),
  );
}
