#!/usr/bin/env node
// The command `repertoire`. Each noun is a file of its own, loaded only when it is asked for, so that `--help` is instant.
import { Command } from "commander";
import { unknownName } from "../base/errors.ts";
import { reportFailure } from "./failure.ts";
import { tryOutputs } from "./output-places.ts";
import { packageVersion } from "./package-version.ts";
import { guardConsole, hideSecrets } from "./safe-output.ts";

const summaries = {
  look: "say in three sentences what a run or anybody's rollouts show",
  tour: "generate, solve and verify one puzzle of each kind",
  puzzles: "generate, solve, verify, draw and import puzzles",
  teach: "collect verified teacher traces for SFT",
  train: "train a model: SFT on teacher traces, RL on puzzles or your own questions",
  run: "run a whole recipe: the paper, or the paper in miniature",
  evaluate: "sample rollouts, grade them, and estimate pass@k with confidence intervals",
  grade: "grade an evaluation or a single answer",
  report: "write every figure and table a run has data for, on one page",
  dashboard: "watch runs, read traces and compare checkpoints in a browser",
  page: "write a page that needs no install: drop rollouts on it, or read a run",
  traces: "analyze traces: spans, primitives, motifs, comparisons",
  engine: "serve a model on this machine's GPUs, or probe a server",
  serve: "serve rewards to other trainers",
  export: "export the paper's training stages, or your own, to verl, TRL and other trainers",
} as const;

type Noun = keyof typeof summaries;

const load: Readonly<Record<Noun, () => Promise<Command>>> = {
  look: async () => (await import("./look.ts")).lookCommand(),
  tour: async () => (await import("./tour.ts")).tourCommand(),
  puzzles: async () => (await import("./puzzles.ts")).puzzlesCommand(),
  teach: async () => (await import("./teach.ts")).teachCommand(),
  train: async () => (await import("./train.ts")).trainCommand(),
  run: async () => (await import("./run.ts")).runCommand(),
  evaluate: async () => (await import("./evaluate.ts")).evaluateCommand(),
  grade: async () => (await import("./grade.ts")).gradeCommand(),
  report: async () => (await import("./report.ts")).reportCommand(),
  dashboard: async () => (await import("./dashboard.ts")).dashboardCommand(),
  page: async () => (await import("./page.ts")).pageCommand(),
  traces: async () => (await import("./traces.ts")).tracesCommand(),
  engine: async () => (await import("./engine.ts")).engineCommand(),
  serve: async () => (await import("./serve.ts")).serveCommand(),
  export: async () => (await import("./export.ts")).exportCommand(),
};

const nouns = Object.keys(summaries) as Noun[];

// Taken out before commander looks, so that it may stand anywhere.
const given = process.argv.slice(2);
const verbose = given.includes("--verbose");

async function main(words: readonly string[]): Promise<void> {
  const args = withoutHelpWord(words);
  const program = new Command("repertoire")
    .description("A lab for studying what reinforcement learning does to the way a language model reasons.")
    .version(packageVersion)
    .option("--verbose", "show the stack trace of an error")
    .enablePositionalOptions()
    .showHelpAfterError("(add --help for the options and an example)")
    .addHelpText(
      "after",
      "\nExamples:\n  repertoire run mini                # the paper in miniature\n  repertoire look verl_rollouts/     # what your own rollouts show",
    );
  // Minutes of work must not end in a place that was never to be had.
  program.hook("preAction", (_, command) => tryOutputs(command));
  const asked = args.find((argument) => !argument.startsWith("-"));
  for (const name of nouns) {
    const command = name === asked ? await load[name]() : new Command(name);
    program.addCommand(command.description(summaries[name]));
  }
  await program.parseAsync([...withoutHelpOfNobody(args, program)], { from: "user" });
}

/** `traces anlyze --help` is a misspelled command, which commander says only where no help is asked for. */
function withoutHelpOfNobody(args: readonly string[], program: Command): readonly string[] {
  const [asked, word] = args.filter((argument) => !argument.startsWith("-"));
  const noun = program.commands.find((command) => command.name() === asked);
  const known = word === undefined || word === "help" || noun?.commands.some((command) => command.name() === word);
  if (known || !noun?.commands.length || noun.registeredArguments.length > 0) return args;
  return args.filter((argument) => argument !== "--help" && argument !== "-h");
}

/** `help run mini` is `run mini --help`: only so is the noun loaded, and a command within it found. */
function withoutHelpWord(args: readonly string[]): readonly string[] {
  const [first, ...words] = args;
  if (first !== "help" || words.length === 0) return args;
  if (!(words[0] in summaries)) throw unknownName("command", words[0], nouns);
  return [...words, "--help"];
}

guardConsole();
hideSecrets(given);

for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // `repertoire … | head` closes our output early; that is how it is used, not a failure.
    if (error.code === "EPIPE" && stream === process.stdout) process.exit(0);
    // A terminal that was closed hears nothing more, while what is under way is still saved.
    if (error.code === "EIO" && stream.isTTY) return;
    throw error;
  });

// What no promise carries: an error event that nobody listens to, a promise that nobody awaits.
process.on("uncaughtException", (error) => process.exit(reportFailure(error, { verbose })));

let done = false;

main(given.filter((argument) => argument !== "--verbose"))
  .catch((error: unknown) => {
    process.exitCode = reportFailure(error, { verbose });
  })
  .finally(() => {
    done = true;
  });

// A command that waits for what nothing can bring any more would end here as if it had succeeded.
process.once("beforeExit", () => {
  if (done) return;
  const lost = new Error("the command ended before its work was done: nothing was left that it could wait for");
  process.exitCode = reportFailure(lost, { verbose });
});
