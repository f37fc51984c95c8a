// The experiment, top to bottom: traces of a teacher, SFT, RL once for each variant (GSPO without and with the novelty bonus),
// evaluation on puzzles and on mathematics. The paper, its miniature and its pilots are settings of it. Every stage is a run
// folder of its own inside the recipe's; what is finished is not done again.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ConfigurationError } from "../base/errors.ts";
import type { ChatForm } from "../engine/chat-template/chat-form.ts";
import type { Tokenizer, TokenSequence } from "../engine/engine.ts";
import type { PolicyCard } from "../engine/policy-card.ts";
import { engineSampler } from "../evaluation/engine-sampler.ts";
import type { EvaluationSummary } from "../evaluation/summary.ts";
import { puzzlesToDraw } from "../problems/paper-sets.ts";
import type { Problem } from "../problems/problem.ts";
import { boardOf } from "../problems/puzzle-problems.ts";
import type { QuestionSet } from "../problems/question-sets.ts";
import type { PromptedProblem } from "../rollouts/collect.ts";
import { ProblemGraders, promptedProblem } from "../rollouts/problem-grading.ts";
import { type ChosenStep, choosingFolder } from "../runs/chosen-steps.ts";
import { evaluationName } from "../runs/recipe-names.ts";
import { openRunFolder, readRunDescription } from "../runs/run-folder.ts";
import { writeVariantLooks } from "../runs/variant-looks.ts";
import type { TeacherTrace } from "../teaching/corpus.ts";
import type { Analysis } from "../traces/analysis/analysis.ts";
import { type LabelerSpec, rolloutLabelerFor } from "../traces/labeler-spec.ts";
import type { Motif } from "../traces/motifs.ts";
import { rlLoop } from "../training/rl-loop.ts";
import { sftLoop } from "../training/sft-loop.ts";
import { runAnalysisStage } from "./analysis-stage.ts";
import { chosenStep, keptSteps } from "./best-step.ts";
import { corpusSequences } from "./corpus-sequences.ts";
import { type EngineHost, hostWithStopTokens } from "./engine-host.ts";
import { type EvaluationPart, runEvaluationStage } from "./evaluation-stage.ts";
import { forkName, NothingToFork, runForkStage } from "./fork-stage.ts";
import { inPromptStyle } from "./policy-asking.ts";
import { type EvaluationSet, type RecipeProblems, recipeProblems, withoutTeaching } from "./recipe-problems.ts";
import { type RecipeSettings, rlOptions, sftOptions } from "./settings.ts";
import { runTeachingStage, type Teacher, type TeachingEvent } from "./teaching-stage.ts";
import { runRlStage, runSftStage } from "./training-stage.ts";
import { givenTitle, stageTitle, type Variant } from "./variants.ts";

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
  readonly benchmarks: readonly EvaluationSet[];
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
  /** It ends with forks of these moves. */
  readonly forkedMoves?: readonly Motif[];
};

/** A run that is under way: what the stages share. */
type Stages = Omit<RecipeRun, "host"> & {
  readonly host: EngineHost;
  readonly sets: RecipeProblems;
  readonly graders: ProblemGraders;
};

/** A policy as it was at a checkpoint; the base has none. */
type EvaluatedPolicy = {
  readonly policy: string;
  readonly from?: string;
  readonly step?: number;
  /** `step-10`, where it is not the policy's main checkpoint. */
  readonly checkpoint?: string;
};

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
    config: config,
    command: run.command,
    now: run.now(),
  });
  const graders = new ProblemGraders({ weights: run.settings.reward, mode: "reward" });
  try {
    await writeVariantLooks(
      run.folder,
      Object.fromEntries(
        variants.map((variant) => [variant.name, { title: givenTitle(variant), color: variant.color }]),
      ),
    );
    const host = hostWithStopTokens(run.chat.stopTokens, run.host(recipe.description.created));
    const sets = drawProblems(run);
    await graders.prepare(sets.training);
    const benchmarks = run.benchmarks.map(({ problems, ...named }) => ({
      ...named,
      problems: problems.map((problem) => inPromptStyle(problem, run.card.promptStyle)),
    }));
    const stages: Stages = { ...run, benchmarks, sets, host, graders };
    const sft = await host.mergeAdapter(
      run.from ?? host.checkpointPath("sft", await teachAndTrain(stages)),
      run.signal,
    );
    const evaluated: EvaluatedPolicy[] = [{ policy: "base" }, { policy: "sft", from: sft }];
    for (const variant of variants) {
      const last = await trainRl(stages, variant, sft);
      const step = Number(/^step-(\d+)$/.exec(last)?.[1]);
      evaluated.push({ policy: variant.name, from: host.checkpointPath(variant.name, last), step });
    }
    const summaries: Record<string, EvaluationSummary> = {};
    for (const one of evaluated) summaries[one.policy] = await evaluate(stages, one);
    const { steps, chosen } = await furtherSteps(stages, evaluated);
    for (const one of steps) await evaluate(stages, one);
    if (evaluation.greedy.length > 0)
      for (const one of [...evaluated, ...steps]) await evaluate(stages, one, evaluation.greedy);
    for (const one of run.forkedMoves ? evaluated : []) if (one.from !== undefined) await fork(stages, one);
    const { folder, labeler, classifierName, emit } = run;
    const analysis = await runAnalysisStage({ folder, labeler, classifierName, emit, now: run.now() });
    return { summaries, chosen, analysis };
  } finally {
    await graders.close();
    await recipe.release();
  }
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
    problems.map((problem) => inPromptStyle(problem, card.promptStyle));
  return {
    teaching: inStyle(sets.teaching),
    training: inStyle(sets.training),
    validation: inStyle(sets.validation),
    heldOut: inStyle(sets.heldOut),
    search: inStyle(sets.search),
    larger: inStyle(sets.larger),
  };
}

// ---- Training ----------------------------------------------------------------------------------------------------

async function teachAndTrain(run: Stages): Promise<string> {
  const { settings, tokenizer, chat, sets } = run;
  const corpus = await runTeachingStage({
    ...run,
    problems: sets.teaching,
    countTokens: (text) => tokenizer.encode(text).length,
    now: run.now(),
  });
  const options = sftOptions(settings);
  const encode = ({ prompt, response }: TeacherTrace): TokenSequence => {
    const start = chat.prompt(prompt);
    return { tokens: [...start, ...tokenizer.encode(response), ...chat.ending], promptLength: start.length };
  };
  const room = settings.contextLength - settings.rl.maxPromptTokens;
  // The teaching stage has told of damage already.
  const accept = run.acceptDamage ? () => {} : undefined;
  const taught = new Set<string>();
  const fits = (trace: TeacherTrace) => {
    if (trace.tokens <= room) taught.add(boardOf(trace));
    return trace.tokens <= room;
  };
  const { sequences } = await corpusSequences(corpus, encode, fits, { accept });
  const seen = sets.training.filter((problem) => problem.kind === "puzzle" && taught.has(boardOf(problem))).length;
  run.emit({ type: "seen-in-sft", problems: seen, of: sets.training.length });
  return runSftStage({
    name: "sft",
    title: "SFT on verified traces",
    folder: join(run.folder, "sft"),
    config: { ...options, traces: sequences.length },
    total: options.epochs * Math.ceil(sequences.length / options.sequencesPerStep),
    open: () => run.host.open("sft", undefined, run.signal),
    loop: (engine, state) => sftLoop(engine, sequences, sets.validation.map(prompted(run)), options, state, run.signal),
    ...{ emit: run.emit, now: run.now(), acceptDamage: run.acceptDamage },
  });
}

/** Returns the last checkpoint. */
async function trainRl(run: Stages, variant: Variant, reference: string): Promise<string> {
  const { name } = variant;
  const { card, emit, signal, acceptDamage } = run;
  const folder = join(run.folder, name);
  const options = rlOptions(run.settings, name);
  return runRlStage({
    ...{ name, title: stageTitle(variant), folder },
    config: { ...options },
    total: options.steps,
    open: () => run.host.open(name, reference, signal),
    loop: async function* (engine, from) {
      yield* rlLoop({
        ...{ engine, problems: run.sets.training.map(prompted(run)), reference, options, from, signal },
        base: run.host.baseModel,
        labeler: await rolloutLabelerFor(card.language, run.labeler),
        clock: () => performance.now(),
        onRollout: (done, total) => emit({ type: "rollouts", stage: name, done, total }),
      });
    },
    ...{ emit, now: run.now(), acceptDamage },
  });
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
  last: readonly EvaluatedPolicy[],
): Promise<{ readonly steps: EvaluatedPolicy[]; readonly chosen: ChosenStep[] }> {
  const { settings, host } = run;
  const steps: EvaluatedPolicy[] = [];
  const chosen: ChosenStep[] = [];
  for (const [policy, wanted] of Object.entries(settings.evaluation.steps)) {
    const at = (step: number): EvaluatedPolicy => {
      const checkpoint = policy === "sft" ? `epoch-${step}` : `step-${step}`;
      return { policy, step, checkpoint, from: host.checkpointPath(policy, checkpoint) };
    };
    if (wanted !== "best") {
      steps.push(...wanted.map(at));
      continue;
    }
    const { by, temperature, rollouts } = settings.evaluation.best;
    const asked = [{ problems: run.sets.validation, rollouts }];
    const found = await chosenStep(run.folder, policy, by, keptSteps(settings.rl), (step) =>
      evaluatePolicy(run, at(step), { temperature, asked, within: choosingFolder }),
    );
    chosen.push(found);
    // The last one is judged in any case.
    if (!last.some((one) => one.policy === policy && one.step === found.step)) steps.push(at(found.step));
  }
  return { steps, chosen };
}

/** With `greedy`, those sets alone, once each at temperature 0. */
function evaluate(run: Stages, evaluated: EvaluatedPolicy, greedy?: readonly string[]): Promise<EvaluationSummary> {
  const { rollouts, rolloutsOf, temperature } = run.settings.evaluation;
  const { sets, benchmarks } = run;
  const asked = [
    { called: "held-out", problems: sets.heldOut },
    { called: "search", problems: sets.search },
    { called: "larger", problems: sets.larger },
    // Settings call a file by its path.
    ...benchmarks.map(({ set, source, problems }) => ({ called: source ?? set, problems })),
  ]
    .filter(({ called, problems }) => problems.length > 0 && (greedy?.includes(called) ?? true))
    .map(({ called, problems }) => ({ problems, rollouts: greedy ? 1 : (rolloutsOf[called] ?? rollouts) }));
  return evaluatePolicy(run, evaluated, { temperature: greedy ? 0 : temperature, asked, greedy: greedy !== undefined });
}

type Judging = {
  readonly temperature: number;
  readonly asked: readonly EvaluationPart[];
  readonly greedy?: boolean;
  /** Beneath the recipe's folder. */
  readonly within?: string;
};

/** Samples, grades and sums up one checkpoint; what is there already is not asked again. */
async function evaluatePolicy(
  run: Stages,
  { policy, from, step, checkpoint }: EvaluatedPolicy,
  { temperature, asked, greedy, within = "evaluations" }: Judging,
): Promise<EvaluationSummary> {
  const { settings, chat, host, emit, signal, acceptDamage } = run;
  const { seed } = settings;
  const sampling = { temperature, maxTokens: settings.evaluation.maxTokens };
  // What makes an evaluation the one it is, beside who was asked; not which problems, nor how often.
  const identity = { ...sampling, seed };
  const first = join(run.folder, within, evaluationName(policy, { checkpoint, greedy }));
  const name = evaluationName(policy, { checkpoint, greedy, sampling: await samplingMark(first, identity) });
  return runEvaluationStage({
    policy: name,
    title: within === choosingFolder ? `Choosing: ${name}` : `Evaluating ${name}`,
    folder: join(run.folder, within, name),
    config: { policy: name, step, ...identity },
    ...{ asked, sampling, seed },
    open: () => host.open(policy, from, signal),
    drawsHere: host.drawsHere,
    encode: ({ prompt }) => chat.prompt(prompt),
    ...{ emit, now: run.now(), signal, acceptDamage },
  });
}

/** Forks of what a policy was judged by, gone on from by itself; none where it never makes such a move. */
async function fork(run: Stages, { policy, from }: EvaluatedPolicy): Promise<void> {
  const { settings, chat, host, labeler, emit, signal, forkedMoves: moves = [] } = run;
  const { temperature, maxTokens } = settings.evaluation;
  const sampling = { temperature, maxTokens };
  const encode = ({ prompt }: Problem) => chat.prompt(prompt);
  await runForkStage({
    ...{ run: run.folder, name: forkName(policy, policy, { moves }), by: policy, sampling, labeler, emit, signal },
    of: { name: policy, folder: join(run.folder, "evaluations", evaluationName(policy, {})) },
    choice: { moves, ...forksOfRecipes },
    settings: { n: 8, tries: 3, without: "next", seed: settings.seed },
    open: async () => {
      const engine = await host.open(policy, from, signal);
      return { sampler: engineSampler(engine, sampling, { policy, encode }), close: () => engine.dispose() };
    },
    now: run.now(),
  }).catch((error: unknown) => {
    if (!(error instanceof NothingToFork)) throw error;
  });
  signal?.throwIfAborted();
}

/** Minutes on two cores, and enough problems of a kind for an interval. */
const forksOfRecipes = { perProblem: 1, problems: 10 } as const;

const marks = { temperature: "t", maxTokens: "n", seed: "s" } as const;

/** An evaluation that was begun with another temperature, length or seed stays; this one is made beside it, and says how it differs. */
async function samplingMark(folder: string, identity: Record<keyof typeof marks, number>): Promise<string | undefined> {
  if (!existsSync(join(folder, "run.json"))) return undefined;
  const { config } = await readRunDescription(folder);
  const keys = Object.keys(marks) as (keyof typeof marks)[];
  const differing = keys.filter((key) => identity[key] !== config[key]);
  return differing.length === 0 ? undefined : differing.map((key) => `${marks[key]}${identity[key]}`).join("-");
}
