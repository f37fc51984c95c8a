// `run … --dry-run`: what will be asked and trained, what it costs, and nothing is started. What is known is printed before
// what takes a minute.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ConfigurationError, messageOf } from "../base/errors.ts";
import { readJsonLinesFile } from "../base/json-lines.ts";
import { defaultPolicyCard, readPolicyCard } from "../engine/policy-card.ts";
import { puzzlesToDraw } from "../problems/paper-sets.ts";
import type { Problem } from "../problems/problem.ts";
import type { QuestionSet } from "../problems/question-sets.ts";
import { isModelFolder, modelFiles } from "../recipes/model-files.ts";
import { engineAdvice, oneGpu, onGpus, recipePlan, type Speed } from "../recipes/plan.ts";
import { chatFormOf, inPromptStyle } from "../recipes/policy-asking.ts";
import type { Preset } from "../recipes/presets.ts";
import { recipeBenchmarks, recipeProblems, recipeQuestions, withoutTeaching } from "../recipes/recipe-problems.ts";
import { problemCount, type RecipeSettings } from "../recipes/settings.ts";
import { trainingFiles } from "../runs/training-log.ts";
import { hubCache } from "./hub-cache.ts";
import { printPlan, printSettings } from "./printed-plan.ts";
import { progressBar } from "./progress.ts";
import { printQuestions, questionReading } from "./question-flags.ts";
import { modelOf, type RecipeOptions, settingsOf } from "./recipe-options.ts";

/** How many problems the paper reports, for benchmarks that cannot be read now. */
const reportedSizes: Readonly<Record<string, number>> = {
  ...{ "olymmath-en-hard": 100, "olymmath-en-easy": 100, "aime-2025": 30, hmmt: 123 },
};

export async function dryRun(options: RecipeOptions, preset: Preset): Promise<void> {
  const given = options.from !== undefined;
  const chosen = settingsOf(options, preset);
  // A hub that does not answer is a note; a model that cannot be one ends a dry run as it would end a run.
  isModelFolder(modelOf(options, preset));
  const settings = given ? withoutTeaching(chosen) : chosen;
  // What is known is printed before what takes a minute.
  printSettings(chosen, preset);
  const notes: string[] = [];
  const reading = questionReading(options);
  const questions = await recipeQuestions(settings, reading);
  questions.forEach(printQuestions);
  const benchmarks: { set: string; problems: number }[] = [];
  const unread: string[] = [];
  let why: string | undefined;
  for (const set of settings.evaluation.benchmarks) {
    const evaluation = { ...settings.evaluation, benchmarks: [set] };
    try {
      const found = await recipeBenchmarks({ ...settings, evaluation }, reading);
      benchmarks.push(...found.map((one) => ({ set: one.set, problems: one.problems.length })));
    } catch (error) {
      const problems = reportedSizes[set] ?? problemCount(set, settings.evaluation) ?? 100;
      unread.push(`${set} ${problems}`);
      why ??= messageOf(error);
      benchmarks.push({ set, problems });
    }
  }
  if (why !== undefined)
    notes.push(`These benchmarks could not be read and are counted as: ${unread.join(", ")}. The first: ${why}`);
  for (const { set, heldOut } of questions)
    benchmarks.push({ set, problems: Math.min(heldOut.length, settings.evaluation.heldOutPerPuzzle) });
  const sets = drawn(settings, questions);
  const { gpus, responseTokens = preset.estimate.responseTokens } = options;
  if (gpus < 1) throw new ConfigurationError("--gpus is 0; give 1 or more");
  const { speed: ofOne, from } = await speedOf(options, settings, preset);
  const speed = onGpus(ofOne, gpus);
  const stages = recipePlan({
    ...{ settings, sets, benchmarks, speed, given },
    teacher: options.teacher === undefined || options.teacher === "narrated" ? "narrated" : "endpoint",
    responseTokens,
    promptTokens: await promptCounter(modelOf(options, preset), notes),
  });
  const advice = engineAdvice(
    stages.reduce((sum, { hours = 0 }) => sum + hours, 0),
    gpus,
  );
  if (advice !== undefined) notes.push(advice);
  printPlan({
    ...{ gpus, gpuPrice: options.gpuPrice },
    sets,
    benchmarks,
    stages,
    speed,
    speedFrom: gpus === 1 ? from : `${gpus} GPUs, each ${from}`,
    notes,
    responseTokens,
  });
}

/** Large boards take a minute to draw. */
function drawn(settings: RecipeSettings, questions: readonly QuestionSet[]) {
  const bar = progressBar("Drawing puzzles", puzzlesToDraw(settings));
  const sets = recipeProblems(settings, questions, () => bar.advance());
  bar.stop();
  return sets;
}

/** What the run itself has measured so far, unless somebody says otherwise. */
async function speedOf(
  { folder, speed }: RecipeOptions,
  { variants }: RecipeSettings,
  { estimate }: Preset,
): Promise<{ speed: Speed; from: string }> {
  if (speed !== undefined) return { speed: { ...(estimate.speed ?? oneGpu), ...speed }, from: "as --speed says" };
  const measured: number[] = [];
  for (const { name } of variants) {
    const pace = join(folder, name, trainingFiles.pace);
    if (!existsSync(pace)) continue;
    for await (const line of readJsonLinesFile(pace)) {
      const sampled = "value" in line && (line.value as { sampledTokensPerSecond?: unknown }).sampledTokensPerSecond;
      if (typeof sampled === "number") measured.push(sampled);
    }
  }
  if (measured.length === 0)
    return {
      speed: estimate.speed ?? oneGpu,
      from: estimate.speedFrom ?? "one H200, docs/engine-servers.md; give --speed for yours",
    };
  const sampled = measured.reduce((sum, value) => sum + value, 0) / measured.length;
  return { speed: { ...oneGpu, sampled }, from: `sampling as ${folder} measured, the rest one H200` };
}

async function promptCounter(model: string, notes: string[]): Promise<(problem: Problem) => number> {
  try {
    const { folder } = await modelFiles(model, hubCache());
    const { promptStyle, chat } = (await readPolicyCard(folder)) ?? defaultPolicyCard;
    const form = await chatFormOf(folder, chat);
    return (problem) => form.prompt(inPromptStyle(problem, promptStyle).prompt).length;
  } catch (error) {
    notes.push(`prompts are counted as four characters a token: ${messageOf(error)}`);
    return (problem) => Math.ceil(problem.prompt.length / 4);
  }
}
