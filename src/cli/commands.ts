// Every command by its name, loaded only when it is asked for, so that `--help` is instant.
import { readFileSync } from "node:fs";
import { Command } from "commander";
import { unknownName } from "../base/errors.ts";
import { tryFile, tryFolder } from "../base/files.ts";

type Noun = { readonly about: string; readonly load: () => Promise<Command> };

/** A noun with commands of its own. */
async function group(name: string, example: string, ...commands: Promise<Command>[]): Promise<Command> {
  const noun = new Command(name).addHelpText("after", `\nExample:\n  repertoire ${name} ${example}`);
  for (const command of commands) noun.addCommand(await command);
  return noun;
}

const nouns: Readonly<Record<string, Noun>> = {
  look: {
    about: "say in three sentences what a run or anybody's rollouts show",
    load: async () => (await import("./look.ts")).lookCommand(),
  },
  tour: {
    about: "generate, solve and verify one puzzle of each kind",
    load: async () => (await import("./tour.ts")).tourCommand(),
  },
  puzzles: {
    about: "generate, solve, verify, draw and import puzzles",
    load: () =>
      group(
        "puzzles",
        "generate bridges --size 7x7 --difficulty medium --count 3",
        import("./puzzle-generate.ts").then((one) => one.puzzleGenerateCommand()),
        import("./puzzle-solve.ts").then((one) => one.puzzleSolveCommand()),
        import("./puzzle-verify.ts").then((one) => one.puzzleVerifyCommand()),
        import("./puzzle-show.ts").then((one) => one.puzzleShowCommand()),
        import("./puzzle-import.ts").then((one) => one.puzzleImportCommand()),
      ),
  },
  teach: {
    about: "collect verified teacher traces for SFT",
    load: () =>
      group(
        "teach",
        "narrate --count 500 --out corpus.jsonl",
        import("./teach-narrate.ts").then((one) => one.narrateCommand()),
        import("./teach-ask.ts").then((one) => one.askCommand()),
      ),
  },
  train: {
    about: "train a model: SFT on teacher traces, RL on puzzles or your own questions",
    load: () =>
      group(
        "train",
        "sft --model models/mini-base --corpus corpus.jsonl --out runs/sft",
        import("./train-sft.ts").then((one) => one.sftCommand()),
        import("./train-rl.ts").then((one) => one.rlCommand()),
      ),
  },
  run: {
    about: "run a whole recipe: the paper, or the paper in miniature",
    load: async () => {
      const { recipeCommand } = await import("./run-recipe.ts");
      const recipes = (["mini", "paper", "pilots"] as const).map(async (name) => recipeCommand(name));
      const base = import("./run-mini-base.ts").then((one) => one.miniBaseCommand());
      return group("run", "mini", ...recipes, base);
    },
  },
  evaluate: {
    about: "sample rollouts, grade them, and estimate pass@k with confidence intervals",
    load: async () => (await import("./evaluate.ts")).evaluateCommand(),
  },
  grade: {
    about: "grade an evaluation or a single answer",
    load: async () => (await import("./grade.ts")).gradeCommand(),
  },
  report: {
    about: "write every figure and table a run has data for, on one page",
    load: async () => (await import("./report.ts")).reportCommand(),
  },
  dashboard: {
    about: "watch runs, read traces and compare checkpoints in a browser",
    load: async () => (await import("./dashboard.ts")).dashboardCommand(),
  },
  page: {
    about: "write a page that needs no install: drop rollouts on it, or read a run",
    load: async () => (await import("./page.ts")).pageCommand(),
  },
  traces: {
    about: "analyze traces: labels, primitives, motifs, comparisons",
    load: () =>
      group(
        "traces",
        "analyze verl_rollouts/ --out analysis",
        import("./traces-labels.ts").then((one) => one.labelCommand()),
        import("./traces-judge.ts").then((one) => one.judgeCommand()),
        import("./traces-classifier.ts").then((one) => one.trainClassifierCommand()),
        import("./traces-analysis.ts").then((one) => one.analyzeCommand()),
        import("./traces-analysis.ts").then((one) => one.queryCommand()),
        import("./traces-comparison.ts").then((one) => one.compareTracesCommand()),
        import("./traces-fork.ts").then((one) => one.forkCommand()),
        import("./traces-analysis.ts").then((one) => one.taxonomyCommand()),
        import("./traces-signal.ts").then((one) => one.signalCommand()),
      ),
  },
  engine: {
    about: "serve a model on this machine's GPUs, or probe a server",
    load: () =>
      group(
        "engine",
        "serve --model Qwen/Qwen3-0.6B",
        import("./engine.ts").then((one) => one.serveCommand()),
        import("./engine.ts").then((one) => one.probeCommand()),
      ),
  },
  serve: {
    about: "serve rewards to other trainers",
    load: () =>
      group(
        "serve",
        "rewards --port 8123",
        import("./serve.ts").then((one) => one.rewardsCommand()),
      ),
  },
  export: {
    about: "export the paper's RL stage, or your own, to verl, TRL and other trainers",
    load: async () => (await import("./export.ts")).exportCommand(),
  },
};

const names = Object.keys(nouns);
export const commandNamed = (name: string): Promise<Command> => nouns[name].load();

/** The program for these words, with the noun loaded that they ask for, and the words as it is to be given them. */
export async function programFor(words: readonly string[]) {
  const args = withoutHelpWord(words);
  const program = new Command("repertoire")
    .description("A lab for studying what reinforcement learning does to the way a language model reasons.")
    .version(JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version)
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
  for (const [name, { about, load }] of Object.entries(nouns))
    program.addCommand((name === asked ? await load() : new Command(name)).description(about));
  return { program, args: withoutHelpOfNobody(args, program) };
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
  if (!names.includes(words[0])) throw unknownName("command", words[0], names);
  return [...words, "--help"];
}

/** Where a command is to write, tried before it works. */
const places = ["--out", "--folder"];

async function tryOutputs(command: Command): Promise<void> {
  const given = command.opts();
  // What is only said needs no place.
  if (given.dryRun) return;
  for (const option of command.options) {
    const place: unknown = given[option.attributeName()];
    if (!places.includes(option.long ?? "") || typeof place !== "string" || place === "-") continue;
    await (option.flags.includes("<file>") ? tryFile(place) : tryFolder(place));
  }
}
