#!/usr/bin/env node
// The command `repertoire`. Each noun is a file of its own, loaded only when it is asked for, so that `--help` is instant.
import { Command } from "commander";
import { unknownName } from "../base/errors.ts";
import { reportFailure } from "./failure.ts";
import { packageVersion } from "./package-version.ts";
import { guardConsole } from "./safe-output.ts";

type Noun = { readonly summary: string; readonly load: () => Promise<Command> };

const nouns: Readonly<Record<string, Noun>> = {
  tour: {
    summary: "generate, solve and verify one puzzle of each kind",
    load: async () => (await import("./tour.ts")).tourCommand(),
  },
  puzzles: {
    summary: "generate, solve, verify and show puzzles",
    load: async () => (await import("./puzzles.ts")).puzzlesCommand(),
  },
  teach: {
    summary: "make verified teacher traces for SFT",
    load: async () => (await import("./teach.ts")).teachCommand(),
  },
  train: {
    summary: "train a model: SFT on traces, RL on puzzles",
    load: async () => (await import("./train.ts")).trainCommand(),
  },
  run: {
    summary: "run a whole recipe: the paper in miniature",
    load: async () => (await import("./run.ts")).runCommand(),
  },
  evaluate: {
    summary: "sample rollouts and report pass@k",
    load: async () => (await import("./evaluate.ts")).evaluateCommand(),
  },
  grade: {
    summary: "grade an evaluation, or single answers",
    load: async () => (await import("./grade.ts")).gradeCommand(),
  },
  report: {
    summary: "every figure and table that runs allow, on one page",
    load: async () => (await import("./report.ts")).reportCommand(),
  },
  dashboard: {
    summary: "watch runs, read traces and compare checkpoints in a browser",
    load: async () => (await import("./dashboard.ts")).dashboardCommand(),
  },
  traces: {
    summary: "read traces: spans, primitives, motifs, comparisons",
    load: async () => (await import("./traces.ts")).tracesCommand(),
  },
  engine: {
    summary: "serve a model on this machine's GPU, or probe a server",
    load: async () => (await import("./engine.ts")).engineCommand(),
  },
  serve: {
    summary: "serve rewards to other trainers",
    load: async () => (await import("./serve.ts")).serveCommand(),
  },
  export: {
    summary: "the paper's RL stage for verl, TRL, OpenRLHF or slime",
    load: async () => (await import("./export.ts")).exportCommand(),
  },
};

// Taken out before commander looks, so that it may stand anywhere.
const given = process.argv.slice(2);
const verbose = given.includes("--verbose");

async function main(words: readonly string[]): Promise<void> {
  const args = withoutHelpWord(words);
  const program = new Command("repertoire")
    .description("A laboratory for what reinforcement learning does to the way a language model reasons.")
    .version(packageVersion)
    .option("--verbose", "with an error, show where in the program it came up")
    .enablePositionalOptions()
    .showHelpAfterError("(add --help for the options and an example)")
    .addHelpText("after", "\nExample:\n  repertoire puzzles generate bridges --params 7x7d1 --count 3 --seed 1");
  const asked = args.find((argument) => !argument.startsWith("-"));
  for (const [name, noun] of Object.entries(nouns)) {
    program.addCommand(name === asked ? await noun.load() : new Command(name).description(noun.summary));
  }
  await program.parseAsync([...args], { from: "user" });
}

/** `help run mini` is `run mini --help`: only so is the noun loaded, and a command within it found. */
function withoutHelpWord(args: readonly string[]): readonly string[] {
  const [first, ...words] = args;
  if (first !== "help" || words.length === 0) return args;
  if (!(words[0] in nouns)) throw unknownName("command", words[0], Object.keys(nouns));
  return [...words, "--help"];
}

guardConsole();

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // `repertoire … | head` closes our output early; that is how it is used, not a failure.
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

// What no promise carries: an error event that nobody listens to, a promise that nobody awaits.
process.on("uncaughtException", (error) => process.exit(reportFailure(error, { verbose })));

main(given.filter((argument) => argument !== "--verbose")).catch((error: unknown) => {
  process.exitCode = reportFailure(error, { verbose });
});
