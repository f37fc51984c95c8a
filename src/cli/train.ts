// `repertoire train`: SFT on a corpus and RL on puzzles, on this machine's processor or on a server that speaks the Tinker
// protocol. Defaults are the paper's; a configuration file changes them, and an unknown key is an error.
import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { Command, Option } from "commander";
import { z } from "zod";
import { ConfigurationError, DataError, messageOf } from "../base/errors.ts";
import { readJsonLinesFile } from "../base/json-lines.ts";
import { Random } from "../base/random.ts";
import { type ChatForm, loadChatForm, plainForm } from "../engine/chat-template/chat-form.ts";
import type { Engine, TokenSequence } from "../engine/engine.ts";
import { readPolicyCard } from "../engine/policy-card.ts";
import { type ServerKind, serverKinds } from "../engine/tinker/capabilities.ts";
import { loadTokenizer } from "../engine/tokenizer.ts";
import type { PuzzleProblem } from "../problems/problem.ts";
import { type EngineHost, embeddedHost, stoppingAt, tinkerHost } from "../recipes/engine-host.ts";
import { balancedPuzzles, drawnPuzzles, inTurn } from "../recipes/puzzle-draw.ts";
import { runRlStage, runSftStage } from "../recipes/training-stage.ts";
import type { PromptedProblem } from "../rollouts/collect.ts";
import { puzzleGrader } from "../rollouts/puzzle-grading.ts";
import { readTeacherTrace } from "../teaching/corpus.ts";
import { defaultLabeller, rolloutLabellerFor } from "../traces/labeller-spec.ts";
import { rlLoop } from "../training/rl-loop.ts";
import { rlOptionsSchema } from "../training/rl-options.ts";
import { sftLoop } from "../training/sft-loop.ts";
import { sftOptionsSchema } from "../training/sft-options.ts";
import { collected, wholeNumber } from "./arguments.ts";
import { paperSets, puzzleSets } from "./puzzle-sets.ts";
import { watched } from "./stage-bars.ts";
import { classifierOf } from "./traces-options.ts";

export function trainCommand(): Command {
  return new Command("train")
    .description("train a model: sft on teacher traces, rl on puzzles")
    .addCommand(sftCommand())
    .addCommand(rlCommand());
}

// ---- What both share -------------------------------------------------------------------------------------------------

type SharedOptions = {
  model: string;
  out: string;
  config?: string;
  puzzle?: string[];
  chat: "model" | "plain" | "chatml";
  engine?: string;
  server: ServerKind;
  loraRank: number;
  loraAlpha?: number;
  context: number;
  keyVariable?: string;
  serverModel?: string;
  referenceEngine?: string;
  probe: boolean;
};

function withSharedOptions(command: Command): Command {
  return command
    .requiredOption("--model <folder>", "Hugging Face folder to start from; a server needs it for the tokenizer")
    .requiredOption("--out <folder>", "run folder; the same command again goes on")
    .option("--config <file>", "JSON with what differs from the paper's values")
    .addOption(
      new Option(
        "--puzzle <name=params>",
        `puzzles, repeatable; a name alone means its usual size (default: ${paperSets.join(" ")})`,
      ).argParser(collected),
    )
    .addOption(
      new Option("--chat <form>", "how a prompt is put to the model: by its own chat template where it has one, or")
        .choices(["model", "plain", "chatml"])
        .default("model"),
    )
    .option("--engine <url>", "a Tinker server (default: this machine's processor)")
    .addOption(
      new Option("--server <kind>", "what kind of server it is").choices([...serverKinds]).default("repertoire"),
    )
    .option("--server-model <name>", "what the server calls the model (default: the folder)")
    .option("--lora-rank <n>", "rank of the adapters; 0 trains all weights", wholeNumber, 64)
    .option("--lora-alpha <n>", "scale of the adapters", Number)
    .option("--context <tokens>", "longest sequence on a server", wholeNumber, 32_000)
    .option("--key-variable <name>", "environment variable with the server's key")
    .option(
      "--reference-engine <url>",
      "a second server of the same kind that serves the reference itself, where the first holds one model at a time",
    )
    .option("--no-probe", "do not measure first whether the server is what --server says");
}

function readConfig<T>(schema: z.ZodType<T>, file: string | undefined): T {
  let given: unknown = {};
  try {
    if (file !== undefined) given = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new ConfigurationError(`--config ${file}: ${messageOf(error)}`);
  }
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new ConfigurationError(`--config ${file}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

function hostOf(options: SharedOptions, seed: number) {
  const { out, model, engine, server, loraRank, loraAlpha, context, keyVariable, probe } = options;
  if (engine === undefined)
    return embeddedHost({
      run: out,
      base: model,
      seed,
      checkpoints: "checkpoints",
      lora: loraRank > 0 ? { rank: loraRank, alpha: loraAlpha ?? loraRank } : undefined,
    });
  const key = keyVariable === undefined ? undefined : process.env[keyVariable];
  if (keyVariable !== undefined && key === undefined)
    throw new ConfigurationError(`the environment variable ${keyVariable} is not set`);
  return tinkerHost({
    run: basename(resolve(out)),
    base: model,
    paths: join(out, "server-checkpoints.json"),
    probed: probe ? join(out, "server-probe.json") : undefined,
    tell: (message) => console.error(message),
    model: options.serverModel,
    url: engine,
    key,
    server,
    reference: options.referenceEngine === undefined ? undefined : { url: options.referenceEngine, key, kind: server },
    loraRank,
    loraAlpha,
    contextLength: context,
    seed,
  });
}

async function chatFormOf({ model, chat }: SharedOptions): Promise<ChatForm> {
  const tokenizer = await loadTokenizer(model);
  if (chat === "model") return loadChatForm(model, tokenizer);
  const plain = plainForm(tokenizer);
  if (chat === "plain") return plain;
  return {
    ...plain,
    prompt: (text) => tokenizer.encode(`<|im_start|>user\n${text}<|im_end|>\n<|im_start|>assistant\n`),
  };
}

function promptedFor(chat: ChatForm) {
  return (problem: PuzzleProblem): PromptedProblem => ({
    id: problem.id,
    family: problem.puzzle,
    prompt: chat.prompt(problem.prompt),
    grade: puzzleGrader(problem),
  });
}

function problemsOf(options: SharedOptions, split: "train" | "test", count: number, seed: number): PuzzleProblem[] {
  const worlds = puzzleSets(options.puzzle).map(({ text }) => text);
  const random = Random.from(seed).child(split);
  return split === "train"
    ? balancedPuzzles(worlds, count, random)
    : inTurn(worlds.map((world) => drawnPuzzles(world, split, Math.ceil(count / worlds.length), random.child(world))));
}

const command = () => process.argv.slice(2).join(" ");

// ---- sft -------------------------------------------------------------------------------------------------------------

function sftCommand(): Command {
  return withSharedOptions(new Command("sft"))
    .description("supervised fine-tuning on verified traces; the best epoch by held-out pass@1 is the endpoint")
    .requiredOption("--corpus <file>", "teacher traces, JSON lines")
    .option("--held-out <n>", "held-out puzzles of each kind, asked after every epoch", wholeNumber, 50)
    .addHelpText(
      "after",
      "\nExample:\n  repertoire train sft --model models/olmo --corpus corpus.jsonl --out runs/sft --engine http://localhost:8421",
    )
    .action(async (options: SharedOptions & { corpus: string; heldOut: number }) => {
      const config = readConfig(sftOptionsSchema, options.config);
      const chat = await chatFormOf(options);
      const host = stoppingAt(chat.stopTokens, hostOf(options, config.seed));
      const heldOut = problemsOf(options, "test", options.heldOut * puzzleSets(options.puzzle).length, config.seed);
      const traces = await readCorpus(options.corpus);
      const checkpoint = await watched((tell, signal) =>
        runSftStage({
          name: "sft",
          title: "SFT",
          folder: options.out,
          config: { model: options.model, corpus: options.corpus, ...config },
          command: command(),
          total: config.epochs * Math.ceil(traces.length / config.sequencesPerStep),
          open: () => host.open("sft"),
          loop: (engine, state) =>
            sftLoop(engine, sequencesOf(engine, traces, chat), heldOut.map(promptedFor(chat)), config, state, signal),
          tell,
          now: new Date(),
        }),
      );
      if (checkpoint !== undefined) console.log(`the best epoch is ${host.reference("sft", checkpoint)}`);
    });
}

async function readCorpus(file: string) {
  const traces = [];
  for await (const read of readJsonLinesFile(file)) {
    const where = `${file} line ${read.line}`;
    if ("error" in read) throw new DataError(`${where}: ${read.error}`);
    traces.push(readTeacherTrace(read.value, where));
  }
  if (traces.length === 0) throw new DataError(`${file} holds no traces`);
  return traces;
}

function sequencesOf(engine: Engine, traces: Awaited<ReturnType<typeof readCorpus>>, chat: ChatForm): TokenSequence[] {
  const { tokenizer, contextLength } = engine;
  const sequences = traces.map(({ prompt, response }) => {
    const start = chat.prompt(prompt);
    return { tokens: [...start, ...tokenizer.encode(response), ...chat.ending], promptLength: start.length };
  });
  const fitting = sequences.filter(({ tokens }) => tokens.length <= contextLength);
  if (fitting.length < sequences.length) {
    console.error(
      `${sequences.length - fitting.length} of ${sequences.length} traces are longer than ${contextLength} tokens and left out`,
    );
  }
  return fitting;
}

// ---- rl --------------------------------------------------------------------------------------------------------------

function rlCommand(): Command {
  return withSharedOptions(new Command("rl"))
    .description("reinforcement learning on puzzles: GSPO by default, with the novelty bonus if asked")
    .option(
      "--from <checkpoint>",
      "checkpoint to start from and to measure KL and novelty against (default: the model itself)",
    )
    .option("--novelty", "add the frozen-reference novelty bonus with the paper's values")
    .option(
      "--classifier <folder or judge>",
      "who labels the rollouts, as for traces analyze; the shipped classifier, or the grammar for a model that speaks the miniature's language",
    )
    .addHelpText(
      "after",
      "\nExample:\n  repertoire train rl --model models/olmo --from sft-epoch-5 --novelty --out runs/novelty --engine http://localhost:8421",
    )
    .action(async (options: SharedOptions & { from?: string; novelty?: true; classifier?: string }) => {
      const language = (await readPolicyCard(options.model))?.language;
      const classifier = await classifierOf(options);
      const config = readConfig(rlOptionsSchema, options.config);
      const chat = await chatFormOf(options);
      const objective = options.novelty ? withNovelty(config.objective) : config.objective;
      const settings = { ...config, objective };
      const host = stoppingAt(chat.stopTokens, hostOf(options, settings.seed));
      const start = options.from === undefined ? undefined : await startOf(host, options.from, options.engine);
      const problems = problemsOf(options, "train", settings.steps * settings.problemsPerStep, settings.seed);
      const checkpoint = await watched((tell, signal) =>
        runRlStage({
          name: "rl",
          title: options.novelty ? "GSPO with the novelty bonus" : settings.objective.algorithm.toUpperCase(),
          folder: options.out,
          config: { model: options.model, from: options.from, ...settings },
          command: command(),
          total: settings.steps,
          open: () => host.open("rl", start),
          loop: async function* (engine, from) {
            // Without an SFT checkpoint the model itself is the reference; it is written down under a name before it changes.
            const reference = start ?? host.reference("rl", "start");
            if (start === undefined && from === undefined) await engine.save("start");
            yield* rlLoop({
              engine,
              problems: problems.map(promptedFor(chat)),
              reference,
              options: settings,
              labeller: await rolloutLabellerFor(language, { ...defaultLabeller, classifier }),
              from,
              signal,
              clock: () => performance.now(),
            });
          },
          tell,
          now: new Date(),
        }),
      );
      if (checkpoint !== undefined) console.log(`the last checkpoint is ${host.reference("rl", checkpoint)}`);
    });
}

/** On this machine a checkpoint is a folder, and adapters in it are folded in; on a server it is a name. */
const startOf = (host: EngineHost, from: string, engine: string | undefined): Promise<string> =>
  host.foldedIn(engine === undefined ? resolve(from) : from);

function withNovelty(objective: z.output<typeof rlOptionsSchema>["objective"]) {
  if (objective.advantage.estimator !== "group") {
    throw new ConfigurationError(
      `--novelty adds to rewards, but the advantage "${objective.advantage.estimator}" reads verdicts only`,
    );
  }
  const bonus = { kind: "novelty" as const };
  return rlOptionsSchema.shape.objective.parse({ ...objective, advantage: { ...objective.advantage, bonus } });
}
