// The paper, top to bottom: traces of a teacher, SFT, GSPO without and with the novelty bonus, evaluation on puzzles and on
// mathematics. Every stage is a run folder of its own inside the recipe's; what is finished is not done again.
import { join } from "node:path";
import { ConfigurationError } from "../../base/errors.ts";
import type { ChatForm } from "../../engine/chat-template/chat-form.ts";
import type { Tokenizer, TokenSequence } from "../../engine/engine.ts";
import type { EvaluationSummary } from "../../evaluation/summary.ts";
import { type PaperSets, paperPuzzles } from "../../problems/paper-sets.ts";
import type { Problem, PuzzleProblem } from "../../problems/problem.ts";
import type { PromptedProblem } from "../../rollouts/collect.ts";
import { puzzleGrader } from "../../rollouts/puzzle-grading.ts";
import { openRunFolder } from "../../runs/run-folder.ts";
import type { TeacherTrace } from "../../teaching/corpus.ts";
import type { Analysis } from "../../traces/analysis/analysis.ts";
import { type LabellerSpec, rolloutLabellerFor } from "../../traces/labeller-spec.ts";
import { rlLoop } from "../../training/rl-loop.ts";
import { sftLoop } from "../../training/sft-loop.ts";
import { runAnalysisStage } from "../analysis-stage.ts";
import { corpusSequences } from "../corpus-sequences.ts";
import { type EngineHost, hostStoppingAt } from "../engine-host.ts";
import { type AskedPart, runEvaluationStage } from "../evaluation-stage.ts";
import { runRlStage, runSftStage } from "../training-stage.ts";
import { type PaperSettings, type PolicyName, rlOptions, sftOptions, type Variant } from "./settings.ts";
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
  readonly benchmarks: readonly { readonly set: string; readonly problems: readonly Problem[] }[];
  /** A saved SFT checkpoint to begin RL from, instead of teaching and SFT. */
  readonly from?: string;
  /** Made when the folder is open: names of checkpoints on a server carry when the run began. */
  readonly host: (created: string) => EngineHost;
  /** Who labels rollouts and evaluations; the shipped classifier unless given. */
  readonly labeller?: LabellerSpec;
  readonly classifierName?: string;
  readonly tell: (event: TeachingEvent) => void;
  readonly now: () => Date;
  readonly signal?: AbortSignal;
  readonly acceptDamage?: boolean;
};

/** A run that is under way: what the stages share. */
type Stages = PaperRun & { readonly sets: PaperSets; readonly engines: EngineHost };

export type PaperResult = {
  readonly summaries: Readonly<Record<PolicyName, EvaluationSummary>>;
  readonly analysis: Analysis;
};

export async function runPaper(run: PaperRun): Promise<PaperResult> {
  const { evaluation, ...training } = run.settings;
  const recipe = await openRunFolder(run.folder, {
    kind: "recipe",
    // How it is judged is not what it is: evaluations are folders of their own, and more of them never ask for another run.
    config: { recipe: "paper", ...run.identity, from: run.from, ...training },
    command: run.command,
    now: run.now(),
  });
  try {
    const engines = hostStoppingAt(run.chat.stopTokens, run.host(recipe.description.created));
    const stages: Stages = { ...run, sets: paperPuzzles(run.settings), engines };
    const sft = await engines.foldedIn(run.from ?? engines.reference("sft", await teachAndTrain(stages)), run.signal);
    const vanilla = await trainRl(stages, "vanilla", sft);
    const novelty = await trainRl(stages, "novelty", sft);
    const last: Judged[] = [
      { policy: "base" },
      { policy: "sft", from: sft },
      { policy: "vanilla", ...checkpointOf(engines, "vanilla", vanilla) },
      { policy: "novelty", ...checkpointOf(engines, "novelty", novelty) },
    ];
    const summaries = {} as Record<PolicyName, EvaluationSummary>;
    for (const judged of last) summaries[judged.policy] = await evaluate(stages, judged, judged.policy);
    const further = (variant: Variant, steps: readonly number[]) =>
      steps.map((step) => ({ policy: variant, ...checkpointOf(engines, variant, `step-${step}`) }));
    const steps = [...further("vanilla", evaluation.vanillaSteps), ...further("novelty", evaluation.noveltySteps)];
    for (const judged of steps) await evaluate(stages, judged, `${judged.policy}-step-${judged.step}`);
    if (evaluation.greedy.length > 0) {
      for (const judged of last) await evaluate(stages, judged, `${judged.policy}-greedy`, evaluation.greedy);
      for (const judged of steps)
        await evaluate(stages, judged, `${judged.policy}-step-${judged.step}-greedy`, evaluation.greedy);
    }
    const { folder, labeller, classifierName, tell } = run;
    return { summaries, analysis: await runAnalysisStage({ folder, labeller, classifierName, tell, now: run.now() }) };
  } finally {
    await recipe.release();
  }
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
    open: () => run.engines.open("sft", undefined, run.signal),
    loop: (engine, state) => sftLoop(engine, sequences, sets.choosing.map(prompted(run)), options, state, run.signal),
    tell: run.tell,
    now: run.now(),
    acceptDamage: run.acceptDamage,
  });
}

function trainRl(run: Stages, variant: Variant, reference: string): Promise<string> {
  const options = rlOptions(run.settings, variant);
  return runRlStage({
    name: variant,
    title: variant === "vanilla" ? "GSPO" : "GSPO with the novelty bonus",
    folder: join(run.folder, variant),
    config: options,
    total: options.steps,
    open: () => run.engines.open(variant, reference, run.signal),
    loop: async function* (engine, from) {
      yield* rlLoop({
        engine,
        problems: run.sets.training.map(prompted(run)),
        reference,
        options,
        labeller: await rolloutLabellerFor("english", run.labeller),
        from,
        signal: run.signal,
        clock: () => performance.now(),
      });
    },
    tell: run.tell,
    now: run.now(),
    acceptDamage: run.acceptDamage,
  });
}

/** The grader of a problem is made when its first rollout comes: making thousands takes a while. */
function prompted({ chat, settings }: Stages): (problem: PuzzleProblem) => PromptedProblem {
  const { maxPromptTokens } = settings.rl;
  return (problem) => {
    let grade: PromptedProblem["grade"] | undefined;
    const prompt = chat.prompt(problem.prompt);
    if (prompt.length > maxPromptTokens) {
      throw new ConfigurationError(
        `the prompt of ${problem.id} has ${prompt.length} tokens and rl.maxPromptTokens is ${maxPromptTokens}; raise it or take smaller boards`,
      );
    }
    return {
      id: problem.id,
      family: problem.puzzle,
      prompt,
      grade: (response) => {
        grade ??= puzzleGrader(problem, settings.reward);
        return grade(response);
      },
    };
  };
}

// ---- Evaluation --------------------------------------------------------------------------------------------------

/** A policy as it was at a kept step; the base has no checkpoint. */
type Judged = { readonly policy: PolicyName; readonly from?: string; readonly step?: number };

function checkpointOf(engines: EngineHost, variant: Variant, name: string): Pick<Judged, "from" | "step"> {
  return { from: engines.reference(variant, name), step: Number(/^step-(\d+)$/.exec(name)?.[1]) };
}

/** What an evaluation is: which policy, at which step, sampled how. Which problems it was asked may grow later. */
function evaluate(
  run: Stages,
  { policy, from, step }: Judged,
  name: string,
  greedy?: readonly string[],
): Promise<EvaluationSummary> {
  const { evaluation, seed } = run.settings;
  const { maxTokens } = evaluation;
  const [temperature, rollouts] = greedy === undefined ? [evaluation.temperature, evaluation.rollouts] : [0, 1];
  return runEvaluationStage({
    policy: name,
    title: `Evaluating ${name}`,
    folder: join(run.folder, "evaluations", name),
    config: { policy: name, step, temperature, maxTokens, rollouts, seed },
    asked: askedParts(rollouts, run.sets, run.benchmarks, greedy),
    sampling: { temperature, maxTokens },
    seed,
    open: () => run.engines.open(policy, from, run.signal),
    encode: (problem) => run.chat.prompt(problem.prompt),
    tell: run.tell,
    now: run.now(),
    signal: run.signal,
    acceptDamage: run.acceptDamage,
  });
}

export function askedParts(
  rollouts: number,
  { heldOut, larger }: PaperSets,
  benchmarks: PaperRun["benchmarks"],
  only?: readonly string[],
): AskedPart[] {
  return [{ set: "held-out", problems: heldOut }, { set: "larger", problems: larger }, ...benchmarks]
    .filter(({ set }) => only?.includes(set) ?? true)
    .map(({ problems }) => ({ problems, rollouts }));
}
