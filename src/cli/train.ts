// `repertoire train`: SFT on a corpus and RL on puzzles or anybody's questions, on this machine's processor or on a server that speaks the Tinker
// protocol. Defaults are the paper's; a configuration file changes them, and an unknown key is an error.
import { readFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { Command, Option } from "commander";
import pc from "picocolors";
import { z } from "zod";
import { withCurrentNames } from "../base/current-names.ts";
import { ConfigurationError, DataError, messageOf } from "../base/errors.ts";
import { tryFolder } from "../base/files.ts";
import type { DamageOptions } from "../base/integrity.ts";
import { readJsonLinesFile } from "../base/json-lines.ts";
import { Random } from "../base/random.ts";
import type { ChatForm } from "../engine/chat-template/chat-form.ts";
import type { Engine, TokenSequence } from "../engine/engine.ts";
import { chatForms, defaultPolicyCard, type PolicyCard, readPolicyCard } from "../engine/policy-card.ts";
import { unheededSettings } from "../engine/tinker/capabilities.ts";
import { readServerCheckpoint } from "../engine/tinker/checkpoint-paths.ts";
import { rewardNames } from "../grading/reward.ts";
import { paperValue } from "../problems/paper.ts";
import type { Problem, PuzzleProblem } from "../problems/problem.ts";
import { defaultHeldOutShare } from "../problems/question-sets.ts";
import { type EngineHost, embeddedHost, hostStoppingAt, tinkerHost } from "../recipes/engine-host.ts";
import { askedInStyle, cardOfCorpus, chatFormOf } from "../recipes/policy-asking.ts";
import { runRlStage, runSftStage } from "../recipes/training-stage.ts";
import type { PromptedProblem } from "../rollouts/collect.ts";
import { ProblemGraders } from "../rollouts/problem-grading.ts";
import { promptedProblem } from "../rollouts/prompted-problem.ts";
import { readTeacherTrace } from "../teaching/corpus.ts";
import { checkCorpusFile } from "../teaching/corpus-folder.ts";
import { defaultLabeler, rolloutLabelerFor } from "../traces/labeler-spec.ts";
import { rlLoop } from "../training/rl-loop.ts";
import { rlOptionsSchema } from "../training/rl-options.ts";
import { sftLoop } from "../training/sft-loop.ts";
import { sftOptionsSchema } from "../training/sft-options.ts";
import { collected, count, shareOf, wholeNumber } from "./arguments.ts";
import { commandText } from "./command-text.ts";
import { lessonsOf, readCurriculum } from "./curriculum.ts";
import { acceptDamageOption, acceptedFor, sayDamage } from "./damage.ts";
import { paperSets, puzzleSets } from "./puzzle-sets.ts";
import { questionIdentity, withQuestionOptions } from "./question-flags.ts";
import { keyFrom, type ServerOptions, withServerOptions } from "./server-options.ts";
import { watched } from "./stage-bars.ts";
import { classifierOf } from "./traces-options.ts";
import {
  problemsAmongLessons,
  readReward,
  type TrainedOn,
  trainingProblems,
  validationProblems,
} from "./train-problems.ts";

export function trainCommand(): Command {
  return new Command("train")
    .description("train a model: sft on teacher traces, rl on puzzles or on questions of your own")
    .addCommand(sftCommand())
    .addCommand(rlCommand());
}

// ---- What both share -------------------------------------------------------------------------------------------------

type SharedOptions = ServerOptions & {
  acceptDamage?: true;
  model: string;
  out: string;
  config?: string;
  puzzle?: string[];
  chat?: PolicyCard["chat"];
  loraRank: number;
  loraAlpha?: number;
  context: number;
  serverModel?: string;
  referenceEngine?: string;
  probe: boolean;
};

function withSharedOptions(command: Command): Command {
  return withServerOptions(command, "a Tinker server (default: this machine's processor)")
    .requiredOption("--model <folder>", "Hugging Face folder to start from; a server needs it for the tokenizer")
    .requiredOption("--out <folder>", "run folder; the same command again resumes")
    .option("--config <file>", "JSON with what differs from the paper's values")
    .addOption(
      new Option(
        "--puzzle <name=params>",
        `puzzles, repeatable; a name alone means its usual size (default: ${paperSets.join(" ")})`,
      ).argParser(collected),
    )
    .addOption(
      new Option(
        "--chat <form>",
        "how a prompt is put to the model (default: as its card says, else by its own chat template)",
      ).choices(chatForms),
    )
    .option("--server-model <name>", "what the server calls the model (default: the folder)")
    .option("--lora-rank <n>", "rank of the adapters; 0 trains all weights", wholeNumber, paperValue("lora.rank"))
    .option("--lora-alpha <n>", "scale of the adapters", Number)
    .option("--context <tokens>", "longest sequence on a server", count, paperValue("contextLength"))
    .option(
      "--reference-engine <url>",
      "a second server of the same kind that serves the reference itself, where the first holds one model at a time",
    )
    .option("--no-probe", "do not measure first whether the server is what --server says")
    .addOption(acceptDamageOption());
}

function readConfig<T>(schema: z.ZodType<T>, file: string | undefined): T {
  let given: unknown = {};
  try {
    if (file !== undefined) given = withCurrentNames(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    throw new ConfigurationError(`--config ${file}: ${messageOf(error)}`);
  }
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new ConfigurationError(`--config ${file}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

function hostOf(options: SharedOptions, card: PolicyCard, seed: number) {
  const { out, model, engine, server, loraRank, loraAlpha, context, probe } = options;
  if (engine === undefined)
    return embeddedHost({
      ...{ run: out, base: model, seed, card },
      checkpoints: "checkpoints",
      acceptDamage: acceptedFor(out, options),
      lora: loraRank > 0 ? { rank: loraRank, alpha: loraAlpha ?? loraRank } : undefined,
    });
  const key = keyFrom(options.keyVariable);
  return tinkerHost({
    ...{ run: basename(resolve(out)), folder: out, checkpoints: "checkpoints", base: model, card },
    probed: probe ? join(out, "server-probe.json") : undefined,
    emit: (message) => console.error(message),
    model: options.serverModel,
    ...{ url: engine, key, server, loraRank, loraAlpha, contextLength: context, seed },
    reference: options.referenceEngine === undefined ? undefined : { url: options.referenceEngine, key, kind: server },
  });
}

/** What makes two runs the same besides their settings: not how fast they are, nor at which address. */
function identityOf(options: SharedOptions, card: PolicyCard) {
  const { model, puzzle, engine, server, loraRank, loraAlpha } = options;
  return {
    model,
    puzzles: puzzleSets(puzzle).map(({ text }) => text),
    asked: card,
    lora: loraRank === 0 ? null : { rank: loraRank, alpha: loraAlpha ?? null },
    engine: engine === undefined ? "embedded" : server,
  };
}

/** What the settings ask for and this server does not do is said before the first step. */
function sayUnheeded(
  { engine, server, loraAlpha }: SharedOptions,
  { maxGradientNorm, weightDecay }: { readonly maxGradientNorm: number; readonly weightDecay: number },
): void {
  if (engine === undefined) return;
  for (const note of unheededSettings(server, { loraAlpha, maxGradientNorm, weightDecay }))
    console.error(pc.yellow(note));
}

const shown = (path: string): string => {
  const near = relative(process.cwd(), path);
  return near.startsWith("..") ? path : near;
};

const promptedFor =
  (chat: ChatForm, graders: ProblemGraders) =>
  (problem: Problem): PromptedProblem =>
    promptedProblem(problem, chat.prompt(problem.prompt), graders);

const problemIdentity = (options: TrainedOn) =>
  options.problems && {
    problems: options.problems,
    heldOutShare: options.heldOutShare,
    ...questionIdentity(options),
  };

// ---- sft -------------------------------------------------------------------------------------------------------------

/** Sources of problems besides puzzles, the same for both stages. */
const withProblemOptions = (command: Command, use: string): Command =>
  withQuestionOptions(command)
    .addOption(new Option("--problems <source>", use).argParser(collected))
    .option(
      "--held-out-share <share>",
      "of the questions, decided by their text; evaluate --split test asks them",
      shareOf,
      defaultHeldOutShare,
    )
    .option("--data <folder>", "take benchmarks from files in this folder instead of the hub");

function sftCommand(): Command {
  return withProblemOptions(
    withSharedOptions(new Command("sft")),
    "choose the epoch by held-out questions of these instead of puzzles, repeatable: questions.jsonl, hub:owner/name; `puzzles` stands for --puzzle",
  )
    .description("supervised fine-tuning on verified traces; the best epoch by held-out pass@1 is the endpoint")
    .requiredOption("--corpus <file>", "teacher traces, JSON lines")
    .option(
      "--held-out, --validation <n>",
      "validation puzzles of each kind, or questions of each source, asked after every epoch",
      wholeNumber,
      paperValue("sft.validationPerPuzzle"),
    )
    .addHelpText(
      "after",
      "\nExamples:\n  repertoire train sft --model models/olmo --corpus corpus.jsonl --out runs/sft --engine http://localhost:8421" +
        "\n  repertoire train sft --model models/olmo --corpus corpus.jsonl --problems questions.jsonl --out runs/sft",
    )
    .action(async (options: SharedOptions & TrainedOn & { corpus: string; validation: number }) => {
      await tryFolder(options.out);
      const config = readConfig(sftOptionsSchema, options.config);
      const traces = await readCorpus(options.corpus, { accept: options.acceptDamage && sayDamage });
      const base = (await readPolicyCard(options.model)) ?? defaultPolicyCard;
      const card = cardOfCorpus(traces, options.chat ?? base.chat);
      const chat = await chatFormOf(options.model, card.chat);
      const host = hostStoppingAt(chat.stopTokens, hostOf(options, card, config.seed));
      const validation = await validationProblems(options, card, config.seed);
      const graders = new ProblemGraders();
      await graders.prepare(validation);
      sayUnheeded(options, config);
      const checkpoint = await watched((emit, signal) =>
        runSftStage({
          name: "sft",
          title: "SFT",
          folder: options.out,
          config: {
            ...identityOf(options, card),
            corpus: options.corpus,
            validationPerPuzzle: options.validation,
            ...problemIdentity(options),
            ...config,
          },
          command: commandText(),
          total: config.epochs * Math.ceil(traces.length / config.sequencesPerStep),
          open: () => host.open("sft", undefined, signal),
          loop: (engine, state) =>
            sftLoop(
              engine,
              sequencesOf(engine, traces, chat),
              validation.map(promptedFor(chat, graders)),
              config,
              state,
              signal,
            ),
          emit,
          now: new Date(),
          acceptDamage: options.acceptDamage,
        }),
      );
      await graders.close();
      if (checkpoint !== undefined) console.log(`the best epoch is ${shown(host.checkpointPath("sft", checkpoint))}`);
    });
}

async function readCorpus(file: string, damage: DamageOptions) {
  await checkCorpusFile(file, damage);
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
  if (fitting.length === 0)
    throw new DataError(
      `all ${sequences.length} traces are longer than ${contextLength} tokens; raise --context, or take shorter traces`,
    );
  if (fitting.length < sequences.length) {
    console.error(
      `${sequences.length - fitting.length} of ${sequences.length} traces are longer than ${contextLength} tokens and left out`,
    );
  }
  return fitting;
}

// ---- rl --------------------------------------------------------------------------------------------------------------

type RlCommandOptions = SharedOptions & {
  from?: string;
  novelty?: true;
  classifier?: string;
  curriculum?: string;
  reward: string;
} & TrainedOn;

function rlCommand(): Command {
  return withProblemOptions(
    withSharedOptions(new Command("rl")),
    "train on these instead of puzzles, repeatable, with a weight if wanted: questions.jsonl*2, hub:owner/name, a benchmark; `puzzles` stands for --puzzle, or for the curriculum",
  )
    .description("reinforcement learning with verifiable rewards: GSPO by default, with the novelty bonus if asked")
    .option(
      "--from <checkpoint>",
      "checkpoint to start from and to measure KL and novelty against, as it was printed (default: the model itself)",
    )
    .option("--curriculum <file>", "levels of puzzles that follow the success rate, as JSON, instead of --puzzle")
    .option(
      "--reward <name or JSON>",
      `what answers are worth: ${rewardNames.join(" or ")} (completion by cells, or over their classes), or weights: {"exact":1,"completion":0,"format":0.1}`,
      "paper",
    )
    .option("--novelty", "add the frozen-reference novelty bonus with the paper's values")
    .option(
      "--classifier <folder or judge>",
      "who labels the rollouts, as for traces analyze; the shipped classifier, or the grammar for a model that speaks the miniature's language",
    )
    .addHelpText(
      "after",
      `
Examples:
  repertoire train rl --model models/olmo --from runs/sft/checkpoints/epoch-5 --novelty --out runs/novelty --engine http://localhost:8421
  repertoire train rl --model models/olmo --curriculum levels.json --out runs/levels
  repertoire train rl --model models/olmo --curriculum levels.json --problems questions.jsonl --problems puzzles*3 --out runs/levels-and-questions
  repertoire train rl --model models/olmo --problems questions.jsonl --columns problem=question,answer=gold --out runs/on-mathematics
  repertoire train rl --model models/olmo --problems code.jsonl --grader ./grade.mjs --problems puzzles*3 --out runs/mixed

A grader is a module that exports \`grade({ id, prompt, response, answer, data })\`, or an address that answers the same record sent as
JSON; it says true or false, a number, or {"correct", "reward", "because"}.

A curriculum: {"levels": [["pattern=4x4,easy"], ["pattern=5x5,easy*2", "bridges=7x7,easy"]], "promoteAt": 0.7, "demoteAt": 0.2, "window": 64, "review": 0.2}`,
    )
    .action(async (options: RlCommandOptions) => {
      await tryFolder(options.out);
      const classifier = await classifierOf(options);
      const config = readConfig(rlOptionsSchema, options.config);
      const known = await readPolicyCard(options.from ?? options.model);
      const card = { ...(known ?? (await readPolicyCard(options.model)) ?? defaultPolicyCard) };
      if (options.chat !== undefined) card.chat = options.chat;
      const chat = await chatFormOf(options.model, card.chat);
      const objective = options.novelty ? withNovelty(config.objective) : config.objective;
      const settings = { ...config, objective };
      const host = hostStoppingAt(chat.stopTokens, hostOf(options, card, settings.seed));
      const start = options.from === undefined ? undefined : await startOf(host, options.from, options.engine);
      const graders = new ProblemGraders({ weights: readReward(options.reward) });
      const prompted = promptedFor(chat, graders);
      const inStyle = (problem: PuzzleProblem) => prompted(askedInStyle(problem, card.promptStyle));
      const random = Random.from(settings.seed).child("lessons");
      const levels =
        options.curriculum === undefined ? undefined : lessonsOf(readCurriculum(options.curriculum), random, inStyle);
      const problems = levels === undefined ? await trainingProblems(options, card, settings) : [];
      const others =
        levels === undefined || options.problems === undefined
          ? []
          : await problemsAmongLessons(options, card, settings);
      await graders.prepare([...problems, ...others.flatMap((problem) => problem ?? [])]);
      const placed = others.map((problem) => problem && prompted(problem));
      const lessons = levels && {
        ...levels,
        ...(placed.length > 0 && { among: (place: number) => placed[place % placed.length] }),
      };
      sayUnheeded(options, settings);
      const checkpoint = await watched((emit, signal) =>
        runRlStage({
          name: "rl",
          title: options.novelty ? "GSPO with the novelty bonus" : settings.objective.algorithm.toUpperCase(),
          folder: options.out,
          config: {
            ...identityOf(options, card),
            from: options.from,
            ...(options.reward !== "paper" && { reward: options.reward }),
            ...(lessons && { curriculum: lessons.curriculum }),
            ...problemIdentity(options),
            ...settings,
          },
          command: commandText(),
          total: settings.steps,
          open: () => host.open("rl", start, signal),
          loop: async function* (engine, from) {
            // Without an SFT checkpoint the model itself is the reference; it is written down under a name before it changes.
            const reference = start ?? host.checkpointPath("rl", "start");
            if (start === undefined && from === undefined) await engine.save("start");
            yield* rlLoop({
              engine,
              problems: problems.map(prompted),
              lessons,
              reference,
              options: settings,
              labeler: await rolloutLabelerFor(card.language, { ...defaultLabeler, classifier }),
              from,
              signal,
              clock: () => performance.now(),
              onRollout: (done, total) => emit({ type: "rollouts", stage: "rl", done, total }),
            });
          },
          emit,
          now: new Date(),
          acceptDamage: options.acceptDamage,
        }),
      );
      await graders.close();
      if (checkpoint !== undefined)
        console.log(`the last checkpoint is ${shown(host.checkpointPath("rl", checkpoint))}`);
    });
}

/** A checkpoint as RL begins from it: its adapter merged into the weights, where the engine can. */
function startOf(host: EngineHost, from: string, engine: string | undefined): Promise<string> {
  const elsewhere = engine === undefined ? readServerCheckpoint(from) : undefined;
  if (elsewhere !== undefined)
    throw new ConfigurationError(
      `${from} lies on a server; add --engine ${elsewhere.url} --server ${elsewhere.server}, and --model as before`,
    );
  return host.mergeAdapter(engine === undefined ? resolve(from) : from);
}

function withNovelty(objective: z.output<typeof rlOptionsSchema>["objective"]) {
  if (objective.advantage.estimator !== "group") {
    throw new ConfigurationError(
      `--novelty adds to rewards, but the advantage "${objective.advantage.estimator}" reads verdicts only`,
    );
  }
  const bonus = { kind: "novelty" as const };
  return rlOptionsSchema.shape.objective.parse({ ...objective, advantage: { ...objective.advantage, bonus } });
}
