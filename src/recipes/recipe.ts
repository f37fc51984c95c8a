// The experiment, top to bottom: traces of a teacher, SFT, RL once for each variant (GSPO without and with the novelty bonus),
// evaluation on puzzles and on mathematics. The paper, its miniature and its pilots are settings of it. Every stage is a run
// folder of its own inside the recipe's; what is finished is not done again.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { ConfigurationError, RunFolderError } from "../base/errors.ts";
import type { ChatForm } from "../engine/chat-template/chat-form.ts";
import type { Tokenizer, TokenSequence } from "../engine/engine.ts";
import type { PolicyCard } from "../engine/policy-card.ts";
import type { EvaluationSummary } from "../evaluation/summary.ts";
import { puzzlesToDraw } from "../problems/paper-sets.ts";
import type { Problem } from "../problems/problem.ts";
import type { QuestionSet } from "../problems/question-sets.ts";
import type { PromptedProblem } from "../rollouts/collect.ts";
import { ProblemGraders } from "../rollouts/problem-grading.ts";
import { promptedProblem } from "../rollouts/prompted-problem.ts";
import { type ChosenStep, choosingFolder } from "../runs/chosen-steps.ts";
import { openRunFolder, readRunDescription } from "../runs/run-folder.ts";
import { writeVariantLooks } from "../runs/variant-looks.ts";
import type { TeacherTrace } from "../teaching/corpus.ts";
import type { Analysis } from "../traces/analysis/analysis.ts";
import type { LabelerSpec } from "../traces/labeler-spec.ts";
import { sftLoop } from "../training/sft-loop.ts";
import { runAnalysisStage } from "./analysis-stage.ts";
import { chosenStep, keptSteps } from "./best-step.ts";
import { corpusSequences } from "./corpus-sequences.ts";
import { type EngineHost, hostStoppingAt } from "./engine-host.ts";
import type { AskedPart } from "./evaluation-stage.ts";
import { askedInStyle } from "./policy-asking.ts";
import { type JudgedSet, type RecipeProblems, recipeProblems, withoutTeaching } from "./recipe-problems.ts";
import { type Judged, judge, type RecipeStages, trainVariant } from "./recipe-stages.ts";
import { type RecipeSettings, recipeSchema, rlOptions, sftOptions } from "./settings.ts";
import { runTeachingStage, type Teacher, type TeachingEvent } from "./teaching-stage.ts";
import { runSftStage } from "./training-stage.ts";
import { stageTitle, type Variant } from "./variants.ts";

export type RecipeRun = {
  readonly folder: string;
  /** The preset that the settings began with. */
  readonly recipe: string;
  readonly settings: RecipeSettings;
  /** What else makes this run the one it is: model, kind of engine, teacher. */
  readonly identity: Readonly<Record<string, unknown>>;
  readonly command?: string;
  readonly teacher: Teacher;
  readonly tokenizer: Tokenizer;
  readonly chat: ChatForm;
  /** How the model is asked and what it speaks. */
  readonly card: PolicyCard;
  readonly benchmarks: readonly JudgedSet[];
  /** What RL trains on besides or instead of puzzles. */
  readonly questions?: readonly QuestionSet[];
  /** A saved SFT checkpoint to begin RL from, instead of teaching and SFT. */
  readonly from?: string;
  /** Made when the folder is open: names of checkpoints on a server carry when the run began. */
  readonly host: (created: string) => EngineHost;
  /** Who labels rollouts and evaluations; the shipped classifier unless given. */
  readonly labeler?: LabelerSpec;
  readonly classifierName?: string;
  readonly emit: (event: TeachingEvent) => void;
  readonly now: () => Date;
  readonly signal?: AbortSignal;
  readonly acceptDamage?: boolean;
};

/** A run that is under way: what the stages share. */
type Stages = Omit<RecipeRun, "host"> &
  RecipeStages & { readonly sets: RecipeProblems; readonly graders: ProblemGraders };

export type RecipeResult = {
  /** Of each policy at its last checkpoint, in the order in which they were made. */
  readonly summaries: Readonly<Record<string, EvaluationSummary>>;
  /** Steps that were chosen as the best of their run. */
  readonly chosen: readonly ChosenStep[];
  readonly analysis: Analysis;
};

export async function runRecipe(run: RecipeRun): Promise<RecipeResult> {
  // How it is judged, and which variants it has, is not what it is: each has a folder of its own, and more of them never ask
  // for another run.
  const { evaluation, variants, ...training } = run.settings;
  const config = { recipe: run.recipe, ...run.identity, from: run.from, ...training };
  const recipe = await openRunFolder(run.folder, {
    kind: "recipe",
    config: await recordedConfig(run.folder, config),
    command: run.command,
    now: run.now(),
  });
  const graders = new ProblemGraders({ weights: run.settings.reward });
  try {
    await writeVariantLooks(
      run.folder,
      Object.fromEntries(variants.map(({ name, title, color }) => [name, { title, color }])),
    );
    const host = hostStoppingAt(run.chat.stopTokens, run.host(recipe.description.created));
    const sets = drawProblems(run);
    await graders.prepare(sets.training);
    const { language, promptStyle } = run.card;
    const benchmarks = run.benchmarks.map(({ problems, ...named }) => ({
      ...named,
      problems: problems.map((problem) => askedInStyle(problem, promptStyle)),
    }));
    const stages: Stages = { ...run, benchmarks, sets, host, graders, language };
    const sft = await host.mergeAdapter(
      run.from ?? host.checkpointPath("sft", await teachAndTrain(stages)),
      run.signal,
    );
    const judged: Judged[] = [{ policy: "base" }, { policy: "sft", from: sft }];
    for (const variant of variants) {
      const last = await trainRl(stages, variant, sft);
      const step = Number(/^step-(\d+)$/.exec(last)?.[1]);
      judged.push({ policy: variant.name, from: host.checkpointPath(variant.name, last), step });
    }
    const summaries: Record<string, EvaluationSummary> = {};
    for (const one of judged) summaries[one.policy] = await evaluate(stages, one);
    const { steps, chosen } = await furtherSteps(stages, judged);
    for (const one of steps) await evaluate(stages, one);
    if (evaluation.greedy.length > 0)
      for (const one of [...judged, ...steps]) await evaluate(stages, one, evaluation.greedy);
    const { folder, labeler, classifierName, emit } = run;
    const analysis = await runAnalysisStage({ folder, labeler, classifierName, emit, now: run.now() });
    return { summaries, chosen, analysis };
  } finally {
    await graders.close();
    await recipe.release();
  }
}

/**
 * What a folder holds, if it differs from what is wanted only in settings that are newer than the run: these have the value
 * that they always had.
 */
async function recordedConfig(folder: string, config: Record<string, unknown>): Promise<Record<string, unknown>> {
  if (!existsSync(join(folder, "run.json"))) return config;
  const { config: kept } = await readRunDescription(folder);
  if ("size" in kept && kept.recipe === "mini")
    throw new RunFolderError(
      `${folder} is a miniature of an earlier version, which cannot be resumed: its result stays readable (repertoire report ${folder}); choose another folder`,
    );
  const known = Object.fromEntries(Object.entries(kept).filter(([key]) => key in recipeSchema.shape));
  const filled = recipeSchema.safeParse(known);
  if (!filled.success) return config;
  const { evaluation, variants, ...training } = filled.data;
  // Pilots once went by the paper's name.
  const whole = JSON.stringify({ ...kept, ...training, recipe: config.recipe });
  return isDeepStrictEqual(JSON.parse(whole), JSON.parse(JSON.stringify(config))) ? kept : config;
}

/** Large boards take a minute, and whoever waits is told. */
function drawProblems({ settings, questions = [], from, card, emit }: RecipeRun): RecipeProblems {
  const drawn = from === undefined ? settings : withoutTeaching(settings);
  const stage = "draw";
  let done = 0;
  emit({ type: "stage", stage, title: "Drawing puzzles", total: puzzlesToDraw(drawn), done });
  const sets = recipeProblems(drawn, questions, () => {
    if (++done % 100 === 0) emit({ type: "progress", stage, done });
  });
  emit({ type: "finished", stage, already: false });
  const inStyle = <P extends Problem>(problems: readonly P[]) =>
    problems.map((problem) => askedInStyle(problem, card.promptStyle));
  return {
    teaching: inStyle(sets.teaching),
    training: inStyle(sets.training),
    validation: inStyle(sets.validation),
    heldOut: inStyle(sets.heldOut),
    search: inStyle(sets.search),
    larger: inStyle(sets.larger),
  };
}

async function teachAndTrain(stages: Stages): Promise<string> {
  const corpus = await runTeachingStage({
    ...stages,
    problems: stages.sets.teaching,
    countTokens: (text) => stages.tokenizer.encode(text).length,
    now: stages.now(),
  });
  return trainSft(stages, corpus);
}

// ---- Training ----------------------------------------------------------------------------------------------------

async function trainSft(run: Stages, corpus: string): Promise<string> {
  const { settings, tokenizer, chat, sets } = run;
  const options = sftOptions(settings);
  const taught = new Set<string>();
  const encode = ({ problem, prompt, response }: TeacherTrace): TokenSequence => {
    taught.add(problem);
    const start = chat.prompt(prompt);
    return { tokens: [...start, ...tokenizer.encode(response), ...chat.ending], promptLength: start.length };
  };
  const room = settings.contextLength - settings.rl.maxPromptTokens;
  // The teaching stage has told of damage already.
  const accept = run.acceptDamage ? () => {} : undefined;
  const { sequences } = await corpusSequences(corpus, encode, ({ tokens }) => tokens <= room, { accept });
  const seen = sets.training.filter(({ id }) => taught.has(id)).length;
  run.emit({ type: "seen-in-sft", problems: seen, of: sets.training.length });
  return runSftStage({
    name: "sft",
    title: "SFT on verified traces",
    folder: join(run.folder, "sft"),
    config: { ...options, traces: sequences.length },
    total: options.epochs * Math.ceil(sequences.length / options.sequencesPerStep),
    open: () => run.host.open("sft", undefined, run.signal),
    loop: (engine, state) => sftLoop(engine, sequences, sets.validation.map(prompted(run)), options, state, run.signal),
    emit: run.emit,
    now: run.now(),
    acceptDamage: run.acceptDamage,
  });
}

function trainRl(run: Stages, variant: Variant, reference: string): Promise<string> {
  const { name } = variant;
  const rl = { name, stageTitle: stageTitle(variant), options: rlOptions(run.settings, name) };
  return trainVariant(run, rl, reference, () => run.sets.training.map(prompted(run)));
}

function prompted({ chat, settings, graders }: Stages): (problem: Problem) => PromptedProblem {
  const { maxPromptTokens } = settings.rl;
  return (problem) => {
    const prompt = chat.prompt(problem.prompt);
    if (prompt.length > maxPromptTokens) {
      throw new ConfigurationError(
        `the prompt of ${problem.id} has ${prompt.length} tokens and rl.maxPromptTokens is ${maxPromptTokens}; raise it or take smaller problems`,
      );
    }
    return promptedProblem(problem, prompt, graders);
  };
}

// ---- Evaluation --------------------------------------------------------------------------------------------------

/** Kept steps that are judged besides the last: those that are named, and the best. */
async function furtherSteps(
  run: Stages,
  last: readonly Judged[],
): Promise<{ readonly steps: Judged[]; readonly chosen: ChosenStep[] }> {
  const { settings, host } = run;
  const steps: Judged[] = [];
  const chosen: ChosenStep[] = [];
  for (const [policy, wanted] of Object.entries(settings.evaluation.steps)) {
    const at = (step: number): Judged => {
      const checkpoint = policy === "sft" ? `epoch-${step}` : `step-${step}`;
      return { policy, step, checkpoint, from: host.checkpointPath(policy, checkpoint) };
    };
    if (wanted !== "best") {
      steps.push(...wanted.map(at));
      continue;
    }
    const { best } = settings.evaluation;
    const found = await chosenStep(run.folder, policy, best.by, keptSteps(settings.rl), (step) =>
      judge(run, at(step), {
        ...judging(run, best.temperature),
        asked: [{ problems: run.sets.validation, rollouts: best.rollouts }],
        within: choosingFolder,
      }),
    );
    chosen.push(found);
    // The last one is judged in any case.
    if (!last.some((one) => one.policy === policy && one.step === found.step)) steps.push(at(found.step));
  }
  return { steps, chosen };
}

function evaluate(run: Stages, judged: Judged, greedy?: readonly string[]): Promise<EvaluationSummary> {
  const { temperature } = run.settings.evaluation;
  const asked = askedParts(run, greedy);
  return judge(run, judged, {
    ...judging(run, greedy === undefined ? temperature : 0),
    asked,
    greedy: greedy !== undefined,
  });
}

function judging({ settings, chat }: Stages, temperature: number) {
  const { seed, evaluation } = settings;
  const { maxTokens } = evaluation;
  return {
    sampling: { temperature, maxTokens },
    seed,
    identity: { temperature, maxTokens, seed },
    encode: (problem: Problem) => chat.prompt(problem.prompt),
  };
}

function askedParts({ settings, sets, benchmarks }: Stages, greedy?: readonly string[]): AskedPart[] {
  const { rollouts, rolloutsOf } = settings.evaluation;
  return [
    { called: "held-out", problems: sets.heldOut },
    { called: "search", problems: sets.search },
    { called: "larger", problems: sets.larger },
    // Settings call a file by its path.
    ...benchmarks.map(({ set, source, problems }) => ({ called: source ?? set, problems })),
  ]
    .filter(({ called, problems }) => problems.length > 0 && (greedy?.includes(called) ?? true))
    .map(({ called, problems }) => ({
      problems,
      rollouts: greedy === undefined ? (rolloutsOf[called] ?? rollouts) : 1,
    }));
}
