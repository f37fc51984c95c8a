// `repertoire run mini`, `run paper`, `run pilots`: one recipe under three presets. The miniature runs on this machine, the
// others on a server that trains a real model.
import { basename, resolve } from "node:path";
import { Command } from "commander";
import pc from "picocolors";
import { ConfigurationError } from "../base/errors.ts";
import { defaultPolicyCard, type PolicyCard, readPolicyCard } from "../engine/policy-card.ts";
import { capabilities, ignoredSettings, type ServerKind } from "../engine/tinker/capabilities.ts";
import { loadTokenizer } from "../engine/tokenizer.ts";
import { seriousWarnings } from "../evaluation/summary.ts";
import { type EngineHost, embeddedHost, tinkerHost } from "../recipes/engine-host.ts";
import { guessingRoutes } from "../recipes/mini/world.ts";
import { type ModelFiles, modelFiles } from "../recipes/model-files.ts";
import { chatFormOf } from "../recipes/policy-asking.ts";
import type { Preset } from "../recipes/presets.ts";
import { type RecipeResult, runRecipe } from "../recipes/recipe.ts";
import { recipeBenchmarks, recipeQuestions, sharedQuestions } from "../recipes/recipe-problems.ts";
import { policiesOf, type RecipeSettings } from "../recipes/settings.ts";
import type { Teacher } from "../recipes/teaching-stage.ts";
import { writeReport } from "../report/index.ts";
import { forksTable } from "../results/sections/forks.ts";
import type { ChosenStep } from "../runs/chosen-steps.ts";
import { verdictCounts } from "../traces/analysis/verdicts.ts";
import { readForkResults } from "../traces/forks/fork-folder.ts";
import { defaultLabeler, type LabelerSpec, readerOf } from "../traces/labeler-spec.ts";
import type { Motif } from "../traces/motifs.ts";
import { glanceTable } from "./analysis-tables.ts";
import { commandName } from "./command-name.ts";
import { commandText } from "./command-text.ts";
import { acceptedFor } from "./damage.ts";
import { dryRun } from "./dry-run.ts";
import { withFlags } from "./flags.ts";
import { hubCache, probePlaces } from "./hub-cache.ts";
import { printSentences } from "./printed-conclusion.ts";
import { warn } from "./progress.ts";
import { printQuestions, questionIdentity, questionReading } from "./question-flags.ts";
import { modelOf, presets, type RecipeOptions, recipeFlags, settingsOf, shippedBase } from "./recipe-options.ts";
import { endpointClient, keyFrom } from "./server-options.ts";
import { watched } from "./stage-bars.ts";
import { terminalItem } from "./terminal-item.ts";
import { checkClassifier, classifierName, classifierOf } from "./traces-options.ts";

const descriptions: Readonly<Record<Preset["name"], string>> = {
  mini: "the paper in miniature: teacher, SFT, GSPO with and without the novelty bonus, evaluation",
  paper: "the paper's experiment with the paper's values: teacher, SFT, GSPO twice, evaluation, report",
  pilots: "the paper's pilots: ways to keep diversity on two puzzles with short responses, each at its best step",
};

const examples: Readonly<Record<Preset["name"], readonly string[]>> = {
  mini: [
    "repertoire run mini",
    "repertoire run mini --dry-run",
    "repertoire run mini --fork",
    "repertoire run mini --seed 2 --folder runs/mini-2 --set rl.kl=0.3",
    "repertoire run mini --seeds 41..45",
    "repertoire run mini --set 'evaluation.steps={\"novelty\":[6,10]}' --set 'evaluation.greedy=[\"held-out\"]'",
  ],
  paper: [
    "repertoire run paper --dry-run --gpus 8",
    "repertoire run paper --engine http://localhost:8421 --teacher https://api.deepseek.com/v1 --teacher-model deepseek-reasoner --teacher-key-variable DEEPSEEK_KEY",
    "repertoire run paper --engine http://localhost:8421 --teacher narrated --set rl.steps=2 --set 'evaluation.benchmarks=[\"aime-2025\"]' --folder runs/try",
    "repertoire run paper --engine http://localhost:8421 --from runs/paper/sft/checkpoints/epoch-5 --set 'rl.problems=[\"questions.jsonl\"]' --folder runs/on-mathematics",
    'repertoire run paper … --set \'variants=[{"name":"vanilla"},{"name":"dapo","title":"DAPO","objective":{"algorithm":"dapo"}}]\'',
    'repertoire run paper … --set \'evaluation.steps={"vanilla":"best","novelty":[10,15]}\'',
  ],
  pilots: [
    "repertoire run pilots --dry-run",
    "repertoire run pilots --engine http://localhost:8421 --teacher narrated",
    "repertoire run pilots --engine http://localhost:8421 --from runs/paper/sft/checkpoints/epoch-5",
  ],
};

export function recipeCommand(name: Preset["name"]): Command {
  return withFlags(new Command(name), recipeFlags(name))
    .description(descriptions[name])
    .addHelpText("after", `\nExamples:\n${examples[name].map((example) => `  ${example}`).join("\n")}`)
    .action(async (options: RecipeOptions) => {
      const preset = presets[name];
      checkClassifier(options.classifier);
      if (options.dryRun) await dryRun(options, preset);
      else if (options.seeds === undefined) await run(options, preset);
      else await runSeeds(options, options.seeds, preset);
    });
}

// ---- Running -----------------------------------------------------------------------------------------------------

/** Repetitions that differ in the seed alone, and what they say together: a seed is what is drawn again. */
async function runSeeds(options: RecipeOptions, seeds: readonly number[], preset: Preset): Promise<void> {
  const runs = seeds.map((seed) => ({ seed, folder: `${options.folder}-${seed}` }));
  for (const one of runs) {
    console.log(pc.bold(`Seed ${one.seed}, ${one.folder}`));
    if (!(await run({ ...options, ...one }, preset))) return;
  }
  const labeler = { ...defaultLabeler, classifier: await classifierOf(options) };
  const { page, items } = await writeReport({
    runs: runs.map(({ folder }) => folder),
    out: `${options.folder}-seeds`,
    acceptDamage: options.acceptDamage,
    labeler,
    classifierName: classifierName(options.classifier),
  });
  for (const item of items) {
    if (!item.id.startsWith("seeds-")) continue;
    const table = terminalItem(item, process.stdout.columns);
    if (table !== undefined) console.log(`${table}\n`);
  }
  console.log(`Every figure and table of all seeds: ${pc.bold(page)}`);
}

/** Whether it came to its end; Ctrl-C stops it where the same command resumes. */
async function run(given: RecipeOptions, preset: Preset): Promise<boolean> {
  const { usual } = preset;
  const options = { ...given, engine: given.engine ?? usual.engine, teacher: given.teacher ?? usual.teacher };
  const model = modelOf(options, preset);
  const settings = settingsOf(options, preset);
  if (options.engine === undefined)
    throw new ConfigurationError("--engine is missing: the URL of a server, or `embedded`; --dry-run needs none");
  const teacher = teacherOf(options);
  const files = await modelFiles(model, hubCache());
  const card = (await readPolicyCard(files.folder)) ?? defaultPolicyCard;
  const host = hostOf({ ...options, engine: options.engine }, settings, files, card);
  const tokenizer = await loadTokenizer(files.folder);
  const chat = await chatFormOf(files.folder, card.chat);
  if (chat.from === "plain" && card.chat === "model")
    warn(`${model} has no chat template; prompts are sent as they are`);
  // Before anything is trained: a benchmark that cannot be had would end the run days later.
  const reading = questionReading(options);
  const questions = await recipeQuestions(settings, reading);
  questions.forEach(printQuestions);
  const benchmarks = await recipeBenchmarks(settings, reading, questions);
  for (const note of sharedQuestions(
    questions.flatMap(({ training }) => training),
    benchmarks,
  ))
    warn(note);
  const labeler = { ...defaultLabeler, classifier: await classifierOf(options) };
  try {
    const result = await watched(async (emit, signal) =>
      runRecipe({
        ...{
          folder: options.folder,
          settings,
          teacher,
          tokenizer,
          chat,
          card,
          benchmarks,
          questions,
          host,
          signal,
          emit,
        },
        recipe: preset.name,
        from: options.from,
        identity: {
          // The shipped base by its name, wherever the package lies.
          model: model === shippedBase ? "mini-base" : model,
          engine: options.engine === "embedded" ? "embedded" : options.server,
          teacher: teacher.kind === "endpoint" ? teacher.client.endpoint.model : teacher.kind,
          ...questionIdentity(options),
        },
        command: commandText(),
        acceptDamage: options.acceptDamage,
        labeler,
        ...(options.fork && { forkedMoves: await forkedMoves(labeler, preset) }),
        classifierName: classifierName(options.classifier),
        now: () => new Date(),
      }),
    );
    if (result === undefined) return false;
    printResult(options.folder, result, settings);
    if (options.fork)
      console.log(
        `\n${terminalItem(forksTable(await readForkResults(options.folder))) ?? "No rollout makes a move to fork."}\n`,
      );
    const { page } = await writeReport({
      runs: [options.folder],
      acceptDamage: options.acceptDamage,
      labeler,
      classifierName: classifierName(options.classifier),
    });
    console.log(`  every figure and table: ${pc.bold(page)}`);
    return true;
  } finally {
    if (teacher.kind === "endpoint") await teacher.client.close();
  }
}

/** What recovers; in the miniature, whose language says the plan before the guess, all of the way to one. */
const forkedMoves = async (labeler: LabelerSpec, { name }: Preset): Promise<readonly Motif[]> =>
  name === "mini" ? guessingRoutes : (await readerOf(labeler)).labeler.taxonomy.recover.map((label) => [label]);

function printResult(folder: string, { summaries, chosen, analysis }: RecipeResult, settings: RecipeSettings): void {
  printSerious(summaries);
  for (const choice of chosen) console.log(chosenText(choice));
  const own = (checkpoint: string) => policiesOf(settings).includes(checkpoint);
  console.log(`\n${glanceTable(analysis, own)}`);
  printSentences(analysis);
  if (analysis.claims.length > 0)
    console.log(
      `\n  claims of the paper: ${verdictCounts(analysis.claims)}; ${commandName} traces query ${folder} lists them`,
    );
  console.log(`  the traces, side by side: ${pc.bold(`${commandName} dashboard ${folder} --open`)}`);
}

function chosenText({ policy, step, by, scores }: ChosenStep): string {
  const where = by === "training" ? "training rollouts" : "the validation puzzles";
  const each = scores.map((one) => `${one.step}: ${(100 * one.score).toFixed(1)}%`).join(", ");
  return `The best step of ${policy} is ${step}, by pass@1 on ${where} (${each})\n`;
}

function hostOf(
  options: RecipeOptions & { readonly engine: string },
  settings: RecipeSettings,
  { folder: base, name }: ModelFiles,
  card: PolicyCard,
) {
  const { engine, server, seed, threads, folder } = options;
  const { lora, contextLength } = settings;
  const alpha = (stage: string) => (stage === "sft" ? lora.sftAlpha : lora.rlAlpha);
  if (engine === "embedded") {
    const adapter = lora.rank === 0 ? undefined : (stage: string) => ({ rank: lora.rank, alpha: alpha(stage) });
    return (): EngineHost =>
      embeddedHost({
        ...{ run: folder, base, seed, threads, lora: adapter, card },
        acceptDamage: acceptedFor(folder, options),
      });
  }
  const key = keyFrom(options.keyVariable);
  for (const note of unheeded(server, settings)) warn(note);
  return (created: string): EngineHost =>
    tinkerHost({
      // Two runs of one name on one server must not write over each other.
      run: `${basename(resolve(folder))}-${created.replaceAll(/\D/g, "").slice(0, 14)}`,
      ...{ folder, base, model: options.serverModel ?? name, url: engine, key, server, contextLength, seed },
      ...{ loraRank: lora.rank, loraAlpha: alpha, card },
      probed: options.probe ? probePlaces(folder) : undefined,
      reference:
        options.referenceEngine === undefined ? undefined : { url: options.referenceEngine, key, kind: server },
      emit: (message) => console.error(message),
    });
}

/** What the paper's values ask for and this kind of server does not do. */
function unheeded(server: ServerKind, settings: RecipeSettings): string[] {
  const { lora } = settings;
  const { maxGradientNorm, weightDecay } = settings.rl;
  const notes = ignoredSettings(server, { loraAlpha: lora.sftAlpha, maxGradientNorm, weightDecay });
  return capabilities[server].mergesAdapters
    ? notes
    : [
        ...notes,
        `a ${server} server cannot merge SFT's adapter into the weights: RL continues with the same adapter, and lora.rlAlpha (${lora.rlAlpha}) has no effect`,
      ];
}

function teacherOf({ teacher, teacherModel, teacherKeyVariable, teacherPrice, from }: RecipeOptions): Teacher {
  // Nobody is asked where RL begins from a checkpoint that was given.
  if (teacher === undefined && from !== undefined) return { kind: "none" };
  if (teacher === undefined)
    throw new ConfigurationError("--teacher is missing: an OpenAI-compatible server, or `narrated`");
  if (teacher === "narrated") return { kind: "narrated" };
  if (teacherModel === undefined)
    throw new ConfigurationError("--teacher-model is missing: what the teacher's server calls its model");
  const endpoint = { url: teacher, model: teacherModel, keyVariable: teacherKeyVariable, price: teacherPrice };
  return { kind: "endpoint", client: endpointClient(endpoint, "--teacher: ") };
}

const mostWarnings = 12;

/** A table of zeros that measures nothing must not pass for a result. */
function printSerious(summaries: RecipeResult["summaries"]): void {
  const warnings = Object.entries(summaries).flatMap(([policy, summary]) =>
    seriousWarnings(summary).map((warning) => `${policy}, ${warning}`),
  );
  for (const warning of warnings.slice(0, mostWarnings)) console.log(pc.yellow(warning));
  const more = warnings.length - mostWarnings;
  if (more > 0) console.log(pc.yellow(`… and ${more} more in evaluations/*/summary.json`));
  if (warnings.length > 0) console.log();
}
