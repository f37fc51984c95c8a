// `repertoire run paper`: the paper's experiment with the paper's values, on a server that trains a real model.
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
import type { HubOptions } from "../problems/benchmarks/hub.ts";
import { paperModel } from "../problems/paper.ts";
import { paperPuzzles } from "../problems/paper-sets.ts";
import type { Problem } from "../problems/problem.ts";
import { type EngineHost, embeddedHost, tinkerHost } from "../recipes/engine-host.ts";
import { type ModelFiles, modelFiles } from "../recipes/model-files.ts";
import { paperBenchmarks } from "../recipes/paper/benchmarks.ts";
import { runPaper } from "../recipes/paper/paper.ts";
import { engineAdvice, oneGpu, onGpus, paperPlan, type Speed } from "../recipes/paper/plan.ts";
import { askedOf, type PaperSettings, paperSchema, policies, rlOptions } from "../recipes/paper/settings.ts";
import type { Teacher } from "../recipes/paper/teacher.ts";
import { writeReport } from "../report/index.ts";
import { trainingFiles } from "../runs/training-log.ts";
import { labellerWords } from "../traces/labeller.ts";
import { defaultLabeller } from "../traces/labeller-spec.ts";
import { accuracyTable } from "./accuracy-table.ts";
import { printClaims } from "./analysis-tables.ts";
import { collected, count, readPrice, wholeNumber } from "./arguments.ts";
import { commandText } from "./command-text.ts";
import { acceptDamageOption, acceptedFor } from "./damage.ts";
import { printPaperPlan } from "./paper-plan.ts";
import { sayTrouble } from "./progress.ts";
import { keyFrom, type ServerOptions, withServerOptions } from "./server-options.ts";
import { readSettings } from "./settings.ts";
import { watched } from "./stage-bars.ts";
import { classifierOf } from "./traces-options.ts";

type PaperOptions = ServerOptions & {
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

export function paperCommand(): Command {
  return withServerOptions(
    new Command("paper"),
    "a server that speaks the Tinker protocol, or `embedded` for this machine's processor",
  )
    .description("the paper's experiment with the paper's values: teacher, SFT, GSPO twice, evaluation, report")
    .option("--folder <path>", "where the run is kept; the same command again goes on", "runs/paper")
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
    .addHelpText("after", helpText)
    .action((options: PaperOptions) => (options.dryRun ? dryRun(options) : run(options)));
}

const helpText = `
Examples:
  repertoire run paper --dry-run --gpus 8
  repertoire run paper --engine http://localhost:8421 --teacher https://api.deepseek.com/v1 --teacher-model deepseek-reasoner --teacher-key-variable DEEPSEEK_KEY
  repertoire run paper --engine http://localhost:8421 --teacher narrated --set rl.steps=2 --set 'evaluation.benchmarks=["aime-2025"]' --folder runs/try`;

// ---- Running -----------------------------------------------------------------------------------------------------

async function run(options: PaperOptions): Promise<void> {
  const settings = settingsOf(options);
  const files = await modelFiles(options.model, hubOptions());
  const host = hostOf(options, settings, files);
  const teacher = teacherOf(options);
  const tokenizer = await loadTokenizer(files.folder);
  const chat = await loadChatForm(files.folder, tokenizer);
  if (chat.from === "plain")
    console.error(pc.yellow(`${options.model} has no chat template; prompts are put as they are`));
  // Before anything is trained: a benchmark that cannot be had would end the run days later.
  const benchmarks = await paperBenchmarks(settings, { hub: hubOptions(), folder: options.data });
  try {
    const result = await watched(async (tell, signal) =>
      runPaper({
        ...{ folder: options.folder, settings, teacher, tokenizer, chat, benchmarks, host, signal, tell },
        from: options.from,
        identity: {
          model: options.model,
          engine: options.engine === "embedded" ? "embedded" : options.server,
          teacher: teacher.kind === "narrated" ? "narrated" : teacher.client.endpoint.model,
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
      `\n${pc.bold("Accuracy")} (95% intervals over problems)\n\n${accuracyTable(policies, result.summaries)}\n`,
    );
    console.log(
      `${pc.bold("What this run shows of the paper")} ${pc.dim(result.analysis.labellers.map((labeller) => labellerWords(labeller)).join("; "))}\n`,
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

function settingsOf({ seed, set, server, engine }: PaperOptions): PaperSettings {
  const settings = readSettings(paperSchema, { seed }, set);
  const { rl, evaluation } = settings;
  for (const step of [...evaluation.vanillaSteps, ...evaluation.noveltySteps]) {
    if (step !== rl.steps && (step > rl.steps || step % rl.stepsPerCheckpoint !== 0)) {
      throw new ConfigurationError(
        `step ${step} is to be evaluated, but checkpoints are kept every ${rl.stepsPerCheckpoint} steps up to ${rl.steps}`,
      );
    }
  }
  const known = ["held-out", "larger", ...evaluation.benchmarks];
  for (const set of evaluation.greedy) if (!known.includes(set)) throw unknownName("set to ask greedily", set, known);
  if (engine !== "embedded" && !capabilities[server].extendedScoring && rl.scoringTemperature !== 1) {
    throw new ConfigurationError(
      `a ${server} server scores at temperature 1 only; add --set rl.scoringTemperature=1 (ratios and KL are then measured there)`,
    );
  }
  return settings;
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
  const { maxGradientNorm, weightDecay } = rlOptions(settings, "vanilla");
  const notes = unheededSettings(server, { loraAlpha: lora.sftAlpha, maxGradientNorm, weightDecay });
  return capabilities[server].mergesAdapters
    ? notes
    : [
        ...notes,
        `a ${server} server cannot merge SFT's adapter into the weights: RL goes on with the same adapter, and lora.rlAlpha (${lora.rlAlpha}) has no effect`,
      ];
}

function teacherOf({ teacher, teacherModel, teacherKeyVariable, teacherPrice }: PaperOptions): Teacher {
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

function hubOptions(): HubOptions {
  const cache =
    process.env.REPERTOIRE_CACHE ??
    join(process.env.XDG_CACHE_HOME ?? join(process.env.HOME ?? ".", ".cache"), "repertoire");
  return { cache: join(cache, "hub"), hubUrl: process.env.HF_ENDPOINT, token: process.env.HF_TOKEN };
}

// ---- Planning ----------------------------------------------------------------------------------------------------

/** How many problems the paper reports, for benchmarks that cannot be read now. */
const reportedSizes: Readonly<Record<string, number>> = {
  ...{ "olymmath-en-hard": 100, "olymmath-en-easy": 100, "aime-2025": 30, hmmt: 123 },
};

async function dryRun(options: PaperOptions): Promise<void> {
  const settings = settingsOf(options);
  const sets = paperPuzzles(settings);
  const notes: string[] = [];
  const benchmarks: { set: string; problems: number }[] = [];
  for (const set of settings.evaluation.benchmarks) {
    const evaluation = { ...settings.evaluation, benchmarks: [set] };
    try {
      const [{ problems }] = await paperBenchmarks(
        { ...settings, evaluation },
        { hub: hubOptions(), folder: options.data },
      );
      benchmarks.push({ set, problems: problems.length });
    } catch (error) {
      const problems = reportedSizes[set] ?? askedOf(set, settings.evaluation) ?? 100;
      notes.push(`${set} could not be read and is counted as ${problems} problems: ${messageOf(error)}`);
      benchmarks.push({ set, problems });
    }
  }
  const { gpus } = options;
  if (gpus < 1) throw new ConfigurationError("--gpus is 0; give 1 or more");
  const { speed: ofOne, from } = await speedOf(options);
  const speed = onGpus(ofOne, gpus);
  const stages = paperPlan({
    ...{ settings, sets, benchmarks, speed },
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
    settings,
    sets,
    benchmarks,
    stages,
    speed,
    speedFrom: gpus === 1 ? from : `${gpus} GPUs, each ${from}`,
    notes,
    responseTokens: options.responseTokens,
  });
}

/** What the run itself has measured so far, unless somebody says otherwise. */
async function speedOf({ folder, speed }: PaperOptions): Promise<{ speed: Speed; from: string }> {
  if (speed !== undefined) return { speed: { ...oneGpu, ...speed }, from: "as --speed says" };
  const measured: number[] = [];
  for (const variant of ["vanilla", "novelty"]) {
    const pace = join(folder, variant, trainingFiles.pace);
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
    const { folder } = await modelFiles(model, hubOptions());
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
