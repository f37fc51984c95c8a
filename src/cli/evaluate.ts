// `repertoire evaluate`: what can be asked for. Running is in evaluation-run.ts, showing and comparing in
// evaluation-report.ts.
import { Command, InvalidArgumentError, Option } from "commander";
import { chatForms, promptStyles } from "../engine/policy-card.ts";
import { serverKinds } from "../engine/tinker/capabilities.ts";
import { benchmarks } from "../problems/benchmarks/catalog.ts";
import { defaultHeldOutShare } from "../problems/question-sets.ts";
import { collected, count, readPrice, shareOf, wholeNumber } from "./arguments.ts";
import { acceptDamageOption } from "./damage.ts";
import { compareCommand, readKs, showCommand } from "./evaluation-report.ts";
import { runEvaluation } from "./evaluation-run.ts";
import { withQuestionOptions } from "./question-flags.ts";

export function evaluateCommand(): Command {
  const command = withQuestionOptions(new Command("evaluate"))
    .description("sample many rollouts of problems, grade them, and estimate pass@k with honest intervals")
    // What stands behind `show` or `compare` is theirs, also where an option of this command has the same name.
    .enablePositionalOptions()
    .option(
      "--problems <source>",
      "a benchmark, a file, hub:<owner>/<name>, puzzles:<puzzle>:<params> or synthetic; may be repeated",
      collected,
      [],
    )
    .option("--data <folder>", "take benchmarks from files in this folder instead of the hub")
    .addOption(
      new Option(
        "--split <side>",
        "of files and data sets only what `train rl --problems` trains on, or what it holds out (default: all)",
      ).choices(["train", "test"]),
    )
    .option("--held-out-share <share>", "how much is held out, as it was for training", shareOf, defaultHeldOutShare)
    .addOption(
      new Option(
        "--puzzle-prompt <style>",
        "puzzles with their rules, as the board alone, or in the miniature's terse language (default: as the checkpoint was trained, else full)",
      ).choices(promptStyles),
    )
    .option("--count <n>", "how many puzzles or synthetic problems to make", count, 100)
    .option("--subset <n>", "a fixed random part of each set", count)
    .option("--url <address>", "an OpenAI-compatible server, up to its version: http://localhost:8000/v1")
    .option("--model <name>", "the model's name on that server; with --engine the folder of its tokenizer")
    .option("--checkpoint <folder>", "a model or checkpoint of our own, as training printed it, here or on a server")
    .option("--engine <url>", "the Tinker server that has the checkpoint (default: the one it was saved on, else none)")
    .addOption(new Option("--server <kind>", "what kind of server that is").choices(serverKinds).default("repertoire"))
    .option("--server-model <name>", "what that server calls the model (default: as it was trained)")
    .addOption(
      new Option("--chat <form>", "how a prompt is put to a checkpoint (default: as it was trained)").choices(
        chatForms,
      ),
    )
    .addOption(
      new Option("--mode <protocol>", "how the server is asked").choices(["chat", "completion"]).default("chat"),
    )
    .option("--key-variable <name>", "environment variable that holds the server's key")
    .option("--rollouts <n>", "attempts at each problem; asking for more later only adds", count, 32)
    .option("--temperature <t>", "sampling temperature", number, 0.6)
    .option("--top-p <p>", "nucleus sampling", number)
    .option("--top-k <n>", "sample among the likeliest n", wholeNumber)
    .option("--max-tokens <n>", "longest response", count, 25_000)
    .option("--system <text>", "said before every problem")
    .option("--seed <seed>", "every rollout's seed is made from it", "1")
    .option("--deadline <seconds>", "longest single request", number, 4 * 3600)
    .option("--concurrency <n>", "most requests at once; fewer while the server asks for it", count, 256)
    .option("--price <prompt,completion>", "per million tokens, to add up the cost", readPrice)
    .option("--no-stream", "ask for whole replies instead of streams")
    .option("--no-probe", "do not test first whether the server honors seed and temperature")
    .option("--no-grade", "sample only; `repertoire grade <run>` does the rest")
    .option("--k <list>", "which k to show: 1,8,32", readKs)
    .option("--out <folder>", "the run folder; an unfinished one is gone on with")
    .option("--json", "print the summary as JSON")
    .addOption(acceptDamageOption())
    .addHelpText("after", helpText)
    .action(runEvaluation);
  return command.addCommand(showCommand()).addCommand(compareCommand());
}

const helpText = `
Examples:
  repertoire evaluate --problems olymmath-en-hard --url http://localhost:8000/v1 --model my-model --rollouts 32 --out runs/hard
  repertoire evaluate --problems puzzles:bridges:8x8d1 --count 200 --checkpoint runs/rl/checkpoints/step-70 --out runs/bridges
  repertoire evaluate --problems puzzles:pattern:4x4 --checkpoint runs/mini/vanilla/checkpoints/step-30 --max-tokens 400 --out runs/pattern
  repertoire evaluate --problems questions.jsonl --columns problem=question,answer=gold --url https://api.example.org/v1 --model m --key-variable API_KEY --out runs/mine
  repertoire evaluate --problems code.jsonl --grader ./grade.mjs --split test --checkpoint runs/rl/checkpoints/step-70 --out runs/held-out-code
  repertoire evaluate compare runs/vanilla runs/novelty --k 1,8,32

Benchmarks: ${benchmarks.map(({ name }) => name).join(", ")}`;

function number(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw new InvalidArgumentError("expected a number of at least 0");
  return value;
}
