// The paper, top to bottom: traces of a teacher, SFT, RL once for each variant (GSPO without and with the novelty bonus),
// evaluation on puzzles and on mathematics. Every stage is a run folder of its own inside the recipe's; what is finished is
// not done again.
import { join } from "node:path";
import { ConfigurationError } from "../../base/errors.ts";
import type { ChatForm } from "../../engine/chat-template/chat-form.ts";
import type { Tokenizer, TokenSequence } from "../../engine/engine.ts";
import type { EvaluationSummary } from "../../evaluation/summary.ts";
import { puzzlesToDraw } from "../../problems/paper-sets.ts";
import type { Problem } from "../../problems/problem.ts";
import type { QuestionSet } from "../../problems/question-sets.ts";
import type { PromptedProblem } from "../../rollouts/collect.ts";
import { ProblemGraders } from "../../rollouts/problem-grading.ts";
import { promptedProblem } from "../../rollouts/prompted-problem.ts";
import { type ChosenStep, choosingFolder } from "../../runs/chosen-steps.ts";
import { openRunFolder } from "../../runs/run-folder.ts";
import type { TeacherTrace } from "../../teaching/corpus.ts";
import type { Analysis } from "../../traces/analysis/analysis.ts";
import type { LabelerSpec } from "../../traces/labeler-spec.ts";
import { sftLoop } from "../../training/sft-loop.ts";
import { runAnalysisStage } from "../analysis-stage.ts";
import { corpusSequences } from "../corpus-sequences.ts";
import { type EngineHost, hostStoppingAt } from "../engine-host.ts";
import type { AskedPart } from "../evaluation-stage.ts";
import { type Judged, judge, type RecipeStages, trainVariant } from "../recipe-stages.ts";
import { runSftStage } from "../training-stage.ts";
import { stageTitle, type Variant } from "../variants.ts";
import { chosenStep, keptSteps } from "./best-step.ts";
import { type JudgedSet, type PaperProblems, paperProblems, withoutTeaching } from "./problems.ts";
import { type PaperSettings, rlOptions, sftOptions } from "./settings.ts";
import { runTeachingStage, type Teacher, type TeachingEvent } from "./teacher.ts";

export type PaperRun = {
  readonly folder: string;
  readonly settings: PaperSettings;
  /** What else makes this run the one it is: model, kind of engine, teacher. */
  readonly identity: Readonly<Record<string, unknown>>;
  readonly command?: string;
  readonly teacher: Teacher;
  readonly tokenizer: Tokenizer;
  readonly chat: ChatForm;
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
type Stages = Omit<PaperRun, "host"> &
  RecipeStages & { readonly sets: PaperProblems; readonly graders: ProblemGraders };

export type PaperResult = {
  /** Of each policy at its last checkpoint, in the order in which they were made. */
  readonly summaries: Readonly<Record<string, EvaluationSummary>>;
  /** Steps that were chosen as the best of their run. */
  readonly chosen: readonly ChosenStep[];
  readonly analysis: Analysis;
};

export async function runPaper(run: PaperRun): Promise<PaperResult> {
  // How it is judged, and which variants it has, is not what it is: each has a folder of its own, and more of them never ask
  // for another run.
  const { evaluation, variants, ...training } = run.settings;
  const recipe = await openRunFolder(run.folder, {
    kind: "recipe",
    config: { recipe: "paper", ...run.identity, from: run.from, ...training },
    command: run.command,
    now: run.now(),
  });
  const graders = new ProblemGraders({ weights: run.settings.reward });
  try {
    const host = hostStoppingAt(run.chat.stopTokens, run.host(recipe.description.created));
    const sets = drawProblems(run);
    await graders.prepare(sets.training);
    const stages: Stages = { ...run, sets, host, graders, language: "english" };
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

/** Large boards take a minute, and whoever waits is told. */
function drawProblems({ settings, questions = [], from, emit }: PaperRun): PaperProblems {
  const drawn = from === undefined ? settings : withoutTeaching(settings);
  const stage = "draw";
  let done = 0;
  emit({ type: "stage", stage, title: "Drawing puzzles", total: puzzlesToDraw(drawn), done });
  const sets = paperProblems(drawn, questions, () => {
    if (++done % 100 === 0) emit({ type: "progress", stage, done });
  });
  emit({ type: "finished", stage, already: false });
  return sets;
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
  const encode = ({ prompt, response }: TeacherTrace): TokenSequence => {
    const start = chat.prompt(prompt);
    return { tokens: [...start, ...tokenizer.encode(response), ...chat.ending], promptLength: start.length };
  };
  const room = settings.contextLength - settings.rl.maxPromptTokens;
  // The teaching stage has told of damage already.
  const accept = run.acceptDamage ? () => {} : undefined;
  const { sequences } = await corpusSequences(corpus, encode, ({ tokens }) => tokens <= room, { accept });
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
  const { name, title } = variant;
  const rl = { name, title, stageTitle: stageTitle(variant), options: rlOptions(run.settings, name) };
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
  const { evaluation } = run.settings;
  const [temperature, rollouts] = greedy === undefined ? [evaluation.temperature, evaluation.rollouts] : [0, 1];
  const asked = askedParts(rollouts, run.sets, run.benchmarks, greedy);
  return judge(run, judged, { ...judging(run, temperature), asked, greedy: greedy !== undefined });
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

function askedParts(
  rollouts: number,
  { heldOut, larger }: Pick<PaperProblems, "heldOut" | "larger">,
  benchmarks: readonly JudgedSet[],
  only?: readonly string[],
): AskedPart[] {
  return [{ set: "held-out", problems: heldOut }, { set: "larger", problems: larger }, ...benchmarks]
    .filter(({ set }) => only?.includes(set) ?? true)
    .map(({ problems }) => ({ problems, rollouts }));
}
