// `repertoire run paper`: the paper's experiment with the paper's values, on a server that trains a real model. `run pilots`
// is the same recipe with the settings of the paper's pilots.
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import pc from "picocolors";
import { ConfigurationError, messageOf, unknownName } from "../base/errors.ts";
import { readJsonLinesFile } from "../base/json-lines.ts";
import { EndpointClient } from "../endpoints/client.ts";
import { endpointSchema, type Price } from "../endpoints/endpoint.ts";
import { type ChatForm, loadChatForm } from "../engine/chat-template/chat-form.ts";
import { defaultPolicyCard } from "../engine/policy-card.ts";
import { capabilities, type ServerKind, unheededSettings } from "../engine/tinker/capabilities.ts";
import { loadTokenizer } from "../engine/tokenizer.ts";
import { paperModel } from "../problems/paper.ts";
import { puzzlesToDraw } from "../problems/paper-sets.ts";
import type { Problem } from "../problems/problem.ts";
import type { QuestionSet } from "../problems/question-sets.ts";
import { type EngineHost, embeddedHost, tinkerHost } from "../recipes/engine-host.ts";
import { type ModelFiles, modelFiles } from "../recipes/model-files.ts";
import { runPaper } from "../recipes/paper/paper.ts";
import { pilotSettings, pilotSources } from "../recipes/paper/pilots.ts";
import { engineAdvice, oneGpu, onGpus, paperPlan, type Speed } from "../recipes/paper/plan.ts";
import {
  paperBenchmarks,
  paperProblems,
  paperQuestions,
  sharedQuestions,
  withoutTeaching,
} from "../recipes/paper/problems.ts";
import { askedOf, type PaperSettings, paperSchema, policiesOf, rlOptions } from "../recipes/paper/settings.ts";
import type { Teacher } from "../recipes/paper/teacher.ts";
import { writeReport } from "../report/index.ts";
import type { ChosenStep } from "../runs/chosen-steps.ts";
import { trainingFiles } from "../runs/training-log.ts";
import { labellerWords } from "../traces/labeller.ts";
import { defaultLabeller } from "../traces/labeller-spec.ts";
import { accuracyTable } from "./accuracy-table.ts";
import { printClaims } from "./analysis-tables.ts";
import { collected, count, readPrice, wholeNumber } from "./arguments.ts";
import { commandText } from "./command-text.ts";
import { acceptDamageOption, acceptedFor } from "./damage.ts";
import { hubCache } from "./hub-cache.ts";
import { printPaperPlan, printPaperSettings } from "./paper-plan.ts";
import { progressBar, sayTrouble } from "./progress.ts";
import {
  type QuestionFlags,
  questionIdentity,
  questionReading,
  sayQuestions,
  withQuestionOptions,
} from "./question-flags.ts";
import { keyFrom, type ServerOptions, withServerOptions } from "./server-options.ts";
import { readSettings } from "./settings.ts";
import { watched } from "./stage-bars.ts";
import { classifierOf } from "./traces-options.ts";

type PaperOptions = ServerOptions &
  QuestionFlags & {
    acceptDamage?: true;
    classifier?: string;
    folder: string;
    referenceEngine?: string;
    serverModel?: string;
    probe: boolean;
    from?: string;
    model: string;
    teacher?: string;
    teacherModel?: string;
    teacherKeyVariable?: string;
    teacherPrice?: Price;
    data?: string;
    seed: number;
    threads?: number;
    set: string[];
    dryRun?: true;
    speed?: Partial<Speed>;
    responseTokens: number;
    gpus: number;
  };

/** Settings of the one recipe, under a name. */
type Preset = {
  readonly name: "paper" | "pilots";
  readonly description: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Where its own values come from. */
  readonly sources: Readonly<Record<string, string>>;
  readonly help: string;
};

const paper: Preset = {
  name: "paper",
  description: "the paper's experiment with the paper's values: teacher, SFT, GSPO twice, evaluation, report",
  settings: {},
  sources: {},
  help: `
Examples:
  repertoire run paper --dry-run --gpus 8
  repertoire run paper --engine http://localhost:8421 --teacher https://api.deepseek.com/v1 --teacher-model deepseek-reasoner --teacher-key-variable DEEPSEEK_KEY
  repertoire run paper --engine http://localhost:8421 --teacher narrated --set rl.steps=2 --set 'evaluation.benchmarks=["aime-2025"]' --folder runs/try
  repertoire run paper --engine http://localhost:8421 --from runs/paper/sft/checkpoints/epoch-5 --set 'rl.problems=["questions.jsonl"]' --folder runs/on-mathematics
  repertoire run paper … --set 'variants=[{"name":"vanilla"},{"name":"dapo","title":"DAPO","objective":{"algorithm":"dapo"}}]'
  repertoire run paper … --set 'evaluation.steps={"vanilla":"best","novelty":[10,15]}'`,
};

const pilots: Preset = {
  name: "pilots",
  description: "the paper's pilots: ways to keep diversity on two puzzles with short responses, each at its best step",
  settings: pilotSettings,
  sources: pilotSources,
  help: `
Examples:
  repertoire run pilots --dry-run
  repertoire run pilots --engine http://localhost:8421 --teacher narrated
  repertoire run pilots --engine http://localhost:8421 --from runs/paper/sft/checkpoints/epoch-5`,
};

export const paperCommand = (): Command => recipeCommand(paper);
export const pilotsCommand = (): Command => recipeCommand(pilots);

function recipeCommand(preset: Preset): Command {
  const { name, description, help } = preset;
  const command = withServerOptions(
    new Command(name),
    "a server that speaks the Tinker protocol, or `embedded` for this machine's processor",
  )
    .description(description)
    .option("--folder <path>", "where the run is kept; the same command again goes on", `runs/${name}`)
    .option("--server-model <name>", "what the server calls the model (default: as --model)")
    .option("--reference-engine <url>", "a second server of the same kind whose own model is the reference")
    .option("--no-probe", "do not measure first whether the server is what --server says")
    .option("--from <checkpoint>", "a saved SFT checkpoint, as it was printed, instead of teaching and SFT")
    .option("--model <name>", "Hugging Face folder, or a name on the hub (its tokenizer is fetched)", paperModel)
    .option("--teacher <url>", "an OpenAI-compatible server up to and with /v1, or `narrated` for our own solver")
    .option("--teacher-model <name>", "what that server calls its model, for example deepseek-reasoner")
    .option("--teacher-key-variable <name>", "environment variable with the teacher's key")
    .option("--teacher-price <prompt,completion>", "per million tokens, to add up the cost", readPrice)
    .option(
      "--classifier <folder or judge>",
      "who labels spans, as for traces analyze; the shipped classifier by default",
    )
    .option("--data <folder>", "take benchmarks from files in this folder instead of the hub")
    .option("--seed <n>", "another seed is another run", wholeNumber, 1)
    .option("--threads <n>", "cores for the embedded engine", count)
    .option("--set <key=value>", "change a setting, for example rl.steps=2; repeatable", collected, [])
    .addOption(acceptDamageOption())
    .option("--dry-run", "print stages, settings, token counts and hours, and do nothing")
    .option("--speed <list>", "tokens per second for --dry-run: sampled=9000,scored=90000,trained=30000", readSpeed)
    .option("--gpus <n>", "for --dry-run: GPUs with a replica each (engine serve --devices)", count, 1)
    .option("--response-tokens <n>", "mean length of a response for --dry-run", count, 25_000)
    .addHelpText("after", help);
  return withQuestionOptions(command).action((options: PaperOptions) =>
    options.dryRun ? dryRun(options, preset) : run(options, preset),
  );
}

// ---- Running -----------------------------------------------------------------------------------------------------

async function run(options: PaperOptions, preset: Preset): Promise<void> {
  const settings = settingsOf(options, preset);
  const files = await modelFiles(options.model, hubCache());
  const host = hostOf(options, settings, files);
  const teacher = teacherOf(options);
  const tokenizer = await loadTokenizer(files.folder);
  const chat = await loadChatForm(files.folder, tokenizer);
  if (chat.from === "plain")
    console.error(pc.yellow(`${options.model} has no chat template; prompts are put as they are`));
  // Before anything is trained: a benchmark that cannot be had would end the run days later.
  const reading = questionReading(options);
  const questions = await paperQuestions(settings, reading);
  questions.forEach(sayQuestions);
  const benchmarks = await paperBenchmarks(settings, reading, questions);
  for (const note of sharedQuestions(
    questions.flatMap(({ training }) => training),
    benchmarks,
  ))
    console.error(pc.yellow(note));
  try {
    const result = await watched(async (tell, signal) =>
      runPaper({
        ...{ folder: options.folder, settings, teacher, tokenizer, chat, benchmarks, questions, host, signal, tell },
        from: options.from,
        identity: {
          model: options.model,
          engine: options.engine === "embedded" ? "embedded" : options.server,
          teacher: teacher.kind === "endpoint" ? teacher.client.endpoint.model : teacher.kind,
          ...questionIdentity(options),
        },
        command: commandText(),
        acceptDamage: options.acceptDamage,
        labeller: { ...defaultLabeller, classifier: await classifierOf(options) },
        classifierName: options.classifier,
        now: () => new Date(),
      }),
    );
    if (result === undefined) return;
    console.log(
      `\n${pc.bold("Accuracy")} (95% intervals over problems)\n\n${accuracyTable(policiesOf(settings), result.summaries)}\n`,
    );
    for (const choice of result.chosen) console.log(chosenText(choice));
    console.log(
      `${pc.bold("What this run shows of the paper")} ${pc.dim(result.analysis.labellers.map(labellerWords).join("; "))}\n`,
    );
    printClaims(result.analysis.claims);
    const { page } = await writeReport({
      runs: [options.folder],
      acceptDamage: options.acceptDamage,
      labeller: { ...defaultLabeller, classifier: await classifierOf(options) },
      classifierName: options.classifier,
    });
    console.log(`Every figure and table: ${pc.bold(page)}`);
  } finally {
    if (teacher.kind === "endpoint") await teacher.client.close();
  }
}

function chosenText({ policy, step, by, scores }: ChosenStep): string {
  const where = by === "training" ? "the rollouts of training" : "held-out puzzles that do not judge";
  const each = scores.map((one) => `${one.step}: ${(100 * one.score).toFixed(1)}%`).join(", ");
  return `The best step of ${policy} is ${step}, by pass@1 on ${where} (${each})\n`;
}

function settingsOf({ seed, set, server, engine, from }: PaperOptions, preset: Preset): PaperSettings {
  const settings = readSettings(paperSchema, { ...preset.settings, seed }, set);
  const { rl, evaluation } = settings;
  // Read now what would otherwise fail when its turn comes.
  for (const { name } of settings.variants) rlOptions(settings, name);
  checkSteps(settings, from);
  const known = ["held-out", "larger", ...evaluation.benchmarks];
  for (const set of evaluation.greedy) if (!known.includes(set)) throw unknownName("set to ask greedily", set, known);
  if (engine !== "embedded" && !capabilities[server].extendedScoring && rl.scoringTemperature !== 1) {
    throw new ConfigurationError(
      `a ${server} server scores at temperature 1 only; add --set rl.scoringTemperature=1 (ratios and KL are then measured there)`,
    );
  }
  return settings;
}

function checkSteps(settings: PaperSettings, from: string | undefined): void {
  const { rl, sft, evaluation } = settings;
  // Epochs of an SFT that was done elsewhere are not here.
  const policies = policiesOf(settings).slice(from === undefined ? 1 : 2);
  for (const [policy, wanted] of Object.entries(evaluation.steps)) {
    if (!policies.includes(policy)) throw unknownName("policy in evaluation.steps", policy, policies);
    if (wanted === "best") {
      if (policy === "sft")
        throw new ConfigurationError(
          "evaluation.steps.sft: the best epoch is chosen by SFT itself; name epochs, as in [0,3]",
        );
      continue;
    }
    for (const step of wanted) {
      const kept =
        policy === "sft"
          ? step < sft.epochs
          : step > 0 && step <= rl.steps && (step === rl.steps || step % rl.stepsPerCheckpoint === 0);
      if (!kept)
        throw new ConfigurationError(
          policy === "sft"
            ? `epoch ${step} of SFT is to be evaluated, but there are ${sft.epochs}, counted from 0`
            : `step ${step} of ${policy} is to be evaluated, but checkpoints are kept every ${rl.stepsPerCheckpoint} steps up to ${rl.steps}`,
        );
    }
  }
}

function hostOf(options: PaperOptions, settings: PaperSettings, { folder: base, name }: ModelFiles) {
  const { engine, server, seed, threads, folder } = options;
  const { lora, contextLength } = settings;
  const alpha = (stage: string) => (stage === "sft" ? lora.sftAlpha : lora.rlAlpha);
  if (engine === undefined) {
    throw new ConfigurationError("--engine is missing: the address of a server, or `embedded`; --dry-run needs none");
  }
  if (engine === "embedded") {
    const adapter = (stage: string) => ({ rank: lora.rank, alpha: alpha(stage) });
    return (): EngineHost =>
      embeddedHost({
        ...{ run: folder, base, seed, threads, lora: adapter, card: defaultPolicyCard },
        acceptDamage: acceptedFor(folder, options),
      });
  }
  const key = keyFrom(options.keyVariable);
  for (const note of unheeded(server, settings)) console.error(pc.yellow(note));
  return (created: string): EngineHost =>
    tinkerHost({
      // Two runs of one name on one server must not write over each other.
      run: `${basename(resolve(folder))}-${created.replaceAll(/\D/g, "").slice(0, 14)}`,
      ...{ folder, base, model: options.serverModel ?? name, url: engine, key, server, contextLength, seed },
      ...{ loraRank: lora.rank, loraAlpha: alpha, card: defaultPolicyCard },
      probed: options.probe ? join(folder, "server-probe.json") : undefined,
      reference:
        options.referenceEngine === undefined ? undefined : { url: options.referenceEngine, key, kind: server },
      tell: (message) => console.error(message),
    });
}

/** What the paper's values ask for and this kind of server does not do. */
function unheeded(server: ServerKind, settings: PaperSettings): string[] {
  const { lora } = settings;
  const { maxGradientNorm, weightDecay } = settings.rl;
  const notes = unheededSettings(server, { loraAlpha: lora.sftAlpha, maxGradientNorm, weightDecay });
  return capabilities[server].mergesAdapters
    ? notes
    : [
        ...notes,
        `a ${server} server cannot merge SFT's adapter into the weights: RL goes on with the same adapter, and lora.rlAlpha (${lora.rlAlpha}) has no effect`,
      ];
}

function teacherOf({ teacher, teacherModel, teacherKeyVariable, teacherPrice, from }: PaperOptions): Teacher {
  // Nobody is asked where RL begins from a checkpoint that was given.
  if (teacher === undefined && from !== undefined) return { kind: "none" };
  if (teacher === undefined)
    throw new ConfigurationError("--teacher is missing: an OpenAI-compatible server, or `narrated`");
  if (teacher === "narrated") return { kind: "narrated" };
  if (teacherModel === undefined)
    throw new ConfigurationError("--teacher-model is missing: what the teacher's server calls its model");
  const endpoint = endpointSchema.safeParse({
    url: teacher,
    model: teacherModel,
    keyVariable: teacherKeyVariable,
    price: teacherPrice,
  });
  if (!endpoint.success)
    throw new ConfigurationError(
      endpoint.error.issues.map((issue) => `--teacher: ${issue.path.join(".")}: ${issue.message}`).join("; "),
    );
  return { kind: "endpoint", client: new EndpointClient(endpoint.data, process.env, sayTrouble) };
}

// ---- Planning ----------------------------------------------------------------------------------------------------

/** How many problems the paper reports, for benchmarks that cannot be read now. */
const reportedSizes: Readonly<Record<string, number>> = {
  ...{ "olymmath-en-hard": 100, "olymmath-en-easy": 100, "aime-2025": 30, hmmt: 123 },
};

async function dryRun(options: PaperOptions, preset: Preset): Promise<void> {
  const given = options.from !== undefined;
  const chosen = settingsOf(options, preset);
  const settings = given ? withoutTeaching(chosen) : chosen;
  // What is known is printed before what takes a minute.
  printPaperSettings(chosen, preset.settings, preset.sources);
  const notes: string[] = [];
  const reading = questionReading(options);
  const questions = await paperQuestions(settings, reading);
  questions.forEach(sayQuestions);
  const benchmarks: { set: string; problems: number }[] = [];
  for (const set of settings.evaluation.benchmarks) {
    const evaluation = { ...settings.evaluation, benchmarks: [set] };
    try {
      const found = await paperBenchmarks({ ...settings, evaluation }, reading);
      benchmarks.push(...found.map((one) => ({ set: one.set, problems: one.problems.length })));
    } catch (error) {
      const problems = reportedSizes[set] ?? askedOf(set, settings.evaluation) ?? 100;
      notes.push(`${set} could not be read and is counted as ${problems} problems: ${messageOf(error)}`);
      benchmarks.push({ set, problems });
    }
  }
  for (const { set, heldOut } of questions)
    benchmarks.push({ set, problems: Math.min(heldOut.length, settings.evaluation.heldOutPerPuzzle) });
  const sets = drawn(settings, questions);
  const { gpus } = options;
  if (gpus < 1) throw new ConfigurationError("--gpus is 0; give 1 or more");
  const { speed: ofOne, from } = await speedOf(options, settings);
  const speed = onGpus(ofOne, gpus);
  const stages = paperPlan({
    ...{ settings, sets, benchmarks, speed, given },
    teacher: options.teacher === undefined || options.teacher === "narrated" ? "narrated" : "endpoint",
    responseTokens: options.responseTokens,
    promptTokens: await promptCounter(options.model, notes),
  });
  const advice = engineAdvice(
    stages.reduce((sum, { hours = 0 }) => sum + hours, 0),
    gpus,
  );
  if (advice !== undefined) notes.push(advice);
  printPaperPlan({
    sets,
    benchmarks,
    stages,
    speed,
    speedFrom: gpus === 1 ? from : `${gpus} GPUs, each ${from}`,
    notes,
    responseTokens: options.responseTokens,
  });
}

/** Large boards take a minute to draw. */
function drawn(settings: PaperSettings, questions: readonly QuestionSet[]) {
  const bar = progressBar("Drawing puzzles", puzzlesToDraw(settings));
  console.error(pc.dim("drawing the puzzles …"));
  try {
    return paperProblems(settings, questions, () => bar.advance());
  } finally {
    bar.stop();
  }
}

/** What the run itself has measured so far, unless somebody says otherwise. */
async function speedOf(
  { folder, speed }: PaperOptions,
  { variants }: PaperSettings,
): Promise<{ speed: Speed; from: string }> {
  if (speed !== undefined) return { speed: { ...oneGpu, ...speed }, from: "as --speed says" };
  const measured: number[] = [];
  for (const { name } of variants) {
    const pace = join(folder, name, trainingFiles.pace);
    if (!existsSync(pace)) continue;
    for await (const line of readJsonLinesFile(pace)) {
      const sampled = "value" in line && (line.value as { sampledTokensPerSecond?: unknown }).sampledTokensPerSecond;
      if (typeof sampled === "number") measured.push(sampled);
    }
  }
  if (measured.length === 0) return { speed: oneGpu, from: "one H200, docs/engine-servers.md; give --speed for yours" };
  const sampled = measured.reduce((sum, value) => sum + value, 0) / measured.length;
  return { speed: { ...oneGpu, sampled }, from: `sampling as ${folder} measured, the rest one H200` };
}

async function promptCounter(model: string, notes: string[]): Promise<(problem: Problem) => number> {
  try {
    const { folder } = await modelFiles(model, hubCache());
    const tokenizer = await loadTokenizer(folder);
    const chat: ChatForm = await loadChatForm(folder, tokenizer);
    return (problem) => chat.prompt(problem.prompt).length;
  } catch (error) {
    notes.push(`prompts are counted as four characters a token: ${messageOf(error)}`);
    return (problem) => Math.ceil(problem.prompt.length / 4);
  }
}

// ---- Flags -------------------------------------------------------------------------------------------------------

function readSpeed(text: string): Partial<Speed> {
  const speed: Record<string, number> = {};
  for (const part of text.split(",")) {
    const [, name, value] = /^(sampled|scored|trained)=(\d+(?:\.\d+)?)$/.exec(part.trim()) ?? [];
    if (name === undefined || Number(value) === 0)
      throw new InvalidArgumentError("expected tokens per second: sampled=9000,scored=90000,trained=30000");
    speed[name] = Number(value);
  }
  return speed;
}
