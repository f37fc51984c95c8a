// `repertoire evaluate`: what can be asked for. Running is in evaluation-run.ts, showing and comparing in
// evaluation-report.ts.
import { Command } from "commander";
import { chatForms, promptStyles } from "../engine/policy-card.ts";
import { benchmarks } from "../problems/benchmarks/catalog.ts";
import { topoBenchSets } from "../problems/topobench.ts";
import { atLeastZero, count, wholeNumber } from "./arguments.ts";
import { acceptDamageFlag } from "./damage.ts";
import { compareCommand, readKs, showCommand } from "./evaluation-report.ts";
import { runEvaluation } from "./evaluation-run.ts";
import { choice, type FlagValues, flag, repeatable, withFlags } from "./flags.ts";
import { heldOutShareFlag, questionFlags } from "./question-flags.ts";
import { endpointFlags, serverFlags } from "./server-options.ts";

const evaluateFlags = [
  repeatable("--problems <source>", "a benchmark, a file, hub:<owner>/<name>, puzzles:<name=params> or synthetic"),
  ...questionFlags,
  choice(
    "--split <side>",
    "only the questions of a file or dataset that `train rl --problems` trains on, or holds out (default: all)",
    ["train", "test"],
  ),
  heldOutShareFlag,
  choice(
    "--puzzle-prompt <style>",
    "puzzles with their rules, as the board alone, or in the miniature's terse language (default: as the checkpoint was trained, else full)",
    promptStyles,
  ),
  flag("--count <n>", "how many puzzles or synthetic problems to make", count, 100),
  flag("--subset <n>", "evaluate a fixed random subset of each set; omega-explorative=134 of one only", subsets),
  flag("--url <address>", "an OpenAI-compatible server, up to and including /v1: http://localhost:8000/v1"),
  flag("--model <name>", "the model's name on that server; with --engine the folder of its tokenizer"),
  flag("--checkpoint <folder>", "a model or checkpoint of our own, as training printed it, here or on a server"),
  ...serverFlags("the Tinker server that has the checkpoint (default: the one it was saved on, else none)"),
  choice("--chat <form>", "how prompts are formatted for a checkpoint (default: as in training)", chatForms),
  choice("--mode <protocol>", "which of the server's endpoints to use", ["chat", "completion"], "chat"),
  ...endpointFlags,
  flag("--rollouts <n>", "attempts at each problem; asking for more later only adds", count, 32),
  flag(
    "--turns <n>",
    "puzzles: answer a wrong board with every rule that it breaks, and let the model try again, up to n turns an attempt",
    count,
  ),
  flag("--temperature <t>", "sampling temperature", atLeastZero, 0.6),
  flag("--top-k <n>", "sample from the n most likely tokens", wholeNumber),
  flag("--max-tokens <n>", "longest response", count, 25_000),
  flag("--system <text>", "system prompt"),
  flag("--seed <seed>", "seed from which each rollout's seed is derived", "1"),
  flag("--no-probe", "skip the check that the server honors seed and temperature"),
  flag("--no-grade", "sample only; grade later with `repertoire grade <run>`"),
  flag("--k <list>", "which k to show: 1,8,32", readKs),
  flag("--out <folder>", "run folder; run the same command again to resume"),
  flag("--json", "print the summary as JSON"),
  acceptDamageFlag,
];

/** For all sources under no name, for one under its own, which may hold equals signs itself. */
function subsets(text: string, before: Readonly<Record<string, number>> = {}): Readonly<Record<string, number>> {
  const place = text.lastIndexOf("=");
  return { ...before, [text.slice(0, Math.max(0, place))]: count(text.slice(place + 1)) };
}

export type EvaluateFlags = FlagValues<typeof evaluateFlags>;

export function evaluateCommand(): Command {
  const command = withFlags(new Command("evaluate"), evaluateFlags)
    // What stands behind `show` or `compare` is theirs, also where an option of this command has the same name.
    .enablePositionalOptions()
    .addHelpText("after", helpText)
    .action(runEvaluation);
  return command.addCommand(showCommand()).addCommand(compareCommand());
}

const helpText = `
Examples:
  repertoire evaluate --problems olymmath-en-hard --url http://localhost:8000/v1 --model my-model --rollouts 32 --out runs/hard
  repertoire evaluate --problems puzzles:bridges=8x8d1 --count 200 --checkpoint runs/rl/checkpoints/step-70 --out runs/bridges
  repertoire evaluate --problems puzzles:bridges=8x8d1 --turns 8 --url http://localhost:8000/v1 --model my-model --out runs/turns
  repertoire evaluate --problems puzzles:pattern=4x4 --checkpoint runs/mini/vanilla/checkpoints/step-15 --max-tokens 400 --out runs/pattern
  repertoire evaluate --problems questions.jsonl --columns problem=question,answer=gold --url https://api.example.org/v1 --model m --key-variable API_KEY --out runs/mine
  repertoire evaluate --problems code.jsonl --grader ./grade.mjs --split test --checkpoint runs/rl/checkpoints/step-70 --out runs/held-out-code
  repertoire evaluate compare runs/vanilla runs/novelty --k 1,8,32

Benchmarks: ${[...benchmarks.map(({ name }) => name), ...Object.keys(topoBenchSets)].join(", ")}`;
