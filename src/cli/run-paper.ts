// `repertoire run paper`: the paper's experiment with the paper's values, on a server that trains a real model. `run pilots`
// is the same recipe with the settings of the paper's pilots.
import { basename, join, resolve } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import pc from "picocolors";
import { ConfigurationError } from "../base/errors.ts";
import { EndpointClient } from "../endpoints/client.ts";
import { endpointSchema } from "../endpoints/endpoint.ts";
import { loadChatForm } from "../engine/chat-template/chat-form.ts";
import { defaultPolicyCard } from "../engine/policy-card.ts";
import { capabilities, type ServerKind, unheededSettings } from "../engine/tinker/capabilities.ts";
import { loadTokenizer } from "../engine/tokenizer.ts";
import { paperModel } from "../problems/paper.ts";
import { type EngineHost, embeddedHost, tinkerHost } from "../recipes/engine-host.ts";
import { type ModelFiles, modelFiles } from "../recipes/model-files.ts";
import { runPaper } from "../recipes/paper/paper.ts";
import type { Speed } from "../recipes/paper/plan.ts";
import { paperBenchmarks, paperQuestions, sharedQuestions } from "../recipes/paper/problems.ts";
import { type PaperSettings, policiesOf } from "../recipes/paper/settings.ts";
import type { Teacher } from "../recipes/paper/teacher.ts";
import { writeReport } from "../report/index.ts";
import type { ChosenStep } from "../runs/chosen-steps.ts";
import { labelerWords } from "../traces/labeler.ts";
import { defaultLabeler } from "../traces/labeler-spec.ts";
import { accuracyTable } from "./accuracy-table.ts";
import { printClaims } from "./analysis-tables.ts";
import { collected, count, readPrice, wholeNumber } from "./arguments.ts";
import { commandText } from "./command-text.ts";
import { acceptDamageOption, acceptedFor } from "./damage.ts";
import { hubCache } from "./hub-cache.ts";
import { dryRun } from "./paper-dry-run.ts";
import { type PaperOptions, type Preset, paper, pilots, settingsOf } from "./paper-options.ts";
import { sayTrouble } from "./progress.ts";
import { questionIdentity, questionReading, sayQuestions, withQuestionOptions } from "./question-flags.ts";
import { keyFrom, withServerOptions } from "./server-options.ts";
import { watched } from "./stage-bars.ts";
import { classifierOf } from "./traces-options.ts";

export const paperCommand = (): Command => recipeCommand(paper);
export const pilotsCommand = (): Command => recipeCommand(pilots);

function recipeCommand(preset: Preset): Command {
  const { name, description, help } = preset;
  const command = withServerOptions(
    new Command(name),
    "a server that speaks the Tinker protocol, or `embedded` for this machine's processor",
  )
    .description(description)
    .option("--folder <path>", "where the run is kept; the same command again resumes", `runs/${name}`)
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
    const result = await watched(async (emit, signal) =>
      runPaper({
        ...{ folder: options.folder, settings, teacher, tokenizer, chat, benchmarks, questions, host, signal, emit },
        from: options.from,
        identity: {
          model: options.model,
          engine: options.engine === "embedded" ? "embedded" : options.server,
          teacher: teacher.kind === "endpoint" ? teacher.client.endpoint.model : teacher.kind,
          ...questionIdentity(options),
        },
        command: commandText(),
        acceptDamage: options.acceptDamage,
        labeler: { ...defaultLabeler, classifier: await classifierOf(options) },
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
      `${pc.bold("What this run shows of the paper")} ${pc.dim(result.analysis.labelers.map(labelerWords).join("; "))}\n`,
    );
    printClaims(result.analysis.claims);
    const { page } = await writeReport({
      runs: [options.folder],
      acceptDamage: options.acceptDamage,
      labeler: { ...defaultLabeler, classifier: await classifierOf(options) },
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
      emit: (message) => console.error(message),
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
