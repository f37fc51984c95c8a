// `run paper --dry-run`: what will be asked and trained, what it costs, and nothing is started. What is known is printed before
// what takes a minute.
import { existsSync } from "node:fs";
import { join } from "node:path";
import pc from "picocolors";
import { ConfigurationError, messageOf } from "../base/errors.ts";
import { readJsonLinesFile } from "../base/json-lines.ts";
import { type ChatForm, loadChatForm } from "../engine/chat-template/chat-form.ts";
import { loadTokenizer } from "../engine/tokenizer.ts";
import { puzzlesToDraw } from "../problems/paper-sets.ts";
import type { Problem } from "../problems/problem.ts";
import type { QuestionSet } from "../problems/question-sets.ts";
import { modelFiles } from "../recipes/model-files.ts";
import { engineAdvice, oneGpu, onGpus, paperPlan, type Speed } from "../recipes/paper/plan.ts";
import { paperBenchmarks, paperProblems, paperQuestions, withoutTeaching } from "../recipes/paper/problems.ts";
import { askedOf, type PaperSettings } from "../recipes/paper/settings.ts";
import { trainingFiles } from "../runs/training-log.ts";
import { hubCache } from "./hub-cache.ts";
import { type PaperOptions, type Preset, settingsOf } from "./paper-options.ts";
import { printPaperPlan, printPaperSettings } from "./paper-plan.ts";
import { progressBar } from "./progress.ts";
import { questionReading, sayQuestions } from "./question-flags.ts";

/** How many problems the paper reports, for benchmarks that cannot be read now. */
const reportedSizes: Readonly<Record<string, number>> = {
  ...{ "olymmath-en-hard": 100, "olymmath-en-easy": 100, "aime-2025": 30, hmmt: 123 },
};

export async function dryRun(options: PaperOptions, preset: Preset): Promise<void> {
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
