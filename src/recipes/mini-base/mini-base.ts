// Making the miniature's base model, from nothing to a model folder: lessons are written ahead as tokens, the model learns
// from them, and what it can do at the end is measured in both of its modes. A killed run resumes with the same lessons.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readJsonLinesFile } from "../../base/json-lines.ts";
import { Random } from "../../base/random.ts";
import type { Engine, TokenSequence } from "../../engine/engine.ts";
import { answerText } from "../../grading/tags.ts";
import { syntheticAnswerEquals, syntheticTestSet } from "../../problems/synthetic/index.ts";
import { collectRollouts, type PromptedProblem } from "../../rollouts/collect.ts";
import { ProblemGraders } from "../../rollouts/problem-grading.ts";
import { promptedProblem } from "../../rollouts/prompted-problem.ts";
import { openRunFolder } from "../../runs/run-folder.ts";
import { TrainingLog, trainingFiles } from "../../runs/training-log.ts";
import { type Lesson, mathematicsPrompt, thinkTag } from "../../teaching/pretraining.ts";
import { lessonSequence, type PretrainEvent, type PretrainOptions, pretrainLoop } from "../mini/base-model.ts";
import { baseLessons, pretraining } from "../mini/base-recipe.ts";
import { readShard, writeShard } from "../mini/lesson-shard.ts";
import { miniTokenizer } from "../mini/new-model.ts";
import { puzzleSet, worldSizes, worlds } from "../mini/world.ts";
import type { StageEvent } from "../training-stage.ts";

const count = z.number().int().positive();

export const miniBaseSchema = z.strictObject({
  seed: z.number().int().default(1),
  /** `large` goes with `run mini --set size=large`. */
  size: z.enum(worldSizes).default("small"),
  /** Controls: with right bare answers the default mode is worth something; with none there is no mode to switch. */
  barePuzzles: z.enum(["another board's", "right", "none"]).default("another board's"),
  steps: count.default(pretraining.steps),
  lessonsPerStep: count.default(pretraining.lessonsPerStep),
  readings: count.default(pretraining.readings),
  learningRate: z.number().positive().default(pretraining.learningRate),
  stepsPerCheckpoint: count.default(100),
  /** Held-out puzzles of each kind, and problems of mathematics, that the finished model is tried on. */
  triedPerPuzzle: count.default(32),
  triedMathematics: count.default(140),
});
export type MiniBaseSettings = z.output<typeof miniBaseSchema>;

type BaseState = { readonly checkpoint: string; readonly step: number };

/** The share of right answers by mode and family. */
export type BaseTrial = Readonly<Record<string, number>>;

type BaseEvent =
  | PretrainEvent
  | { readonly type: "pretrain-checkpoint"; readonly state: BaseState }
  | { readonly type: "pretrain-end"; readonly checkpoint: string; readonly trial: BaseTrial };

type MiniBaseRun = {
  readonly folder: string;
  readonly settings: MiniBaseSettings;
  readonly open: () => Promise<Engine>;
  readonly emit: (event: StageEvent) => void;
  readonly onStep?: (event: PretrainEvent) => void;
  readonly now: Date;
  readonly signal?: AbortSignal;
};

export const finalCheckpoint = "final";

/** Whether a run has ended: its model was tried and written down. */
export async function miniBaseFinished(folder: string): Promise<boolean> {
  const events = join(folder, trainingFiles.events);
  if (!existsSync(events)) return false;
  for await (const line of readJsonLinesFile(events))
    if ("value" in line && (line.value as BaseEvent).type === "pretrain-end") return true;
  return false;
}

/** Leaves the model in the engine, to be written down as its host can. */
export async function runMiniBase(run: MiniBaseRun, finish: (engine: Engine) => Promise<void>): Promise<BaseTrial> {
  const { folder: path, settings, emit, signal, now } = run;
  const folder = await openRunFolder(path, { kind: "recipe", config: { recipe: "mini-base", ...settings }, now });
  try {
    const log = await TrainingLog.open<BaseState>(path);
    try {
      const from = log.resumeFrom;
      const { steps } = settings;
      emit({ type: "stage", stage: "pretrain", title: "Pretraining", total: steps, done: from?.step ?? 0 });
      const engine = await run.open();
      try {
        if (from !== undefined) await engine.load(from.checkpoint);
        for await (const event of pretrain(engine, run, from?.step ?? 0)) {
          await log.write(event);
          if (event.type !== "pretrain-step") continue;
          run.onStep?.(event);
          emit({ type: "progress", stage: "pretrain", done: event.step + 1 });
        }
        const trial = await tryOut(engine, settings, signal);
        await finish(engine);
        const end: BaseEvent = { type: "pretrain-end", checkpoint: finalCheckpoint, trial };
        await log.write(end);
        emit({ type: "finished", stage: "pretrain", already: false });
        return trial;
      } finally {
        await engine.dispose();
      }
    } finally {
      await log.close();
    }
  } finally {
    await folder.release();
  }
}

export const pretrainOptions = ({ size, steps, lessonsPerStep, learningRate }: MiniBaseSettings): PretrainOptions => ({
  steps,
  lessonsPerStep,
  learningRate,
  schedule: { ...pretraining.schedule, warmupSteps: Math.min(pretraining.schedule.warmupSteps, Math.ceil(steps / 10)) },
  weightDecay: pretraining.weightDecay,
  maxGradientNorm: pretraining.maxGradientNorm,
  beta2: pretraining.beta2,
  contextLength: worlds[size].contextLength,
});

async function* pretrain(engine: Engine, run: MiniBaseRun, from: number): AsyncGenerator<BaseEvent> {
  const { settings, signal } = run;
  const shardAt = (step: number) => writtenShard(run, Math.floor(step / stepsPerShard) % shardCount(settings));
  let step = from;
  let upcoming = shardAt(from);
  while (step < settings.steps) {
    const path = await upcoming;
    // The next lessons are written while the engine's threads learn from these.
    const next = (Math.floor(step / stepsPerShard) + 1) * stepsPerShard;
    if (next < settings.steps) {
      upcoming = shardAt(next);
      upcoming.catch(() => {});
    }
    const rest = laterLessons(path, (step % stepsPerShard) * settings.lessonsPerStep);
    for await (const event of pretrainLoop(engine, rest, pretrainOptions(settings), step)) {
      yield event;
      step = event.step + 1;
      if (step % settings.stepsPerCheckpoint === 0 || step === settings.steps) {
        const checkpoint = step === settings.steps ? finalCheckpoint : `step-${step}`;
        await engine.save(checkpoint);
        yield { type: "pretrain-checkpoint", state: { checkpoint, step } };
      }
      signal?.throwIfAborted();
      if (step % stepsPerShard === 0) break;
    }
  }
}

// ---- Lessons -------------------------------------------------------------------------------------------------------

/** Lessons of so many steps share a file, which stays for whoever resumes. */
const stepsPerShard = 25;

/** Every file is read as often as the settings say. */
export const shardCount = ({ steps, readings }: MiniBaseSettings): number =>
  Math.ceil(steps / stepsPerShard / readings);

export const lessonFolder = (folder: string): string => join(folder, "lessons");

export async function writtenShard(
  { folder, settings, signal }: Pick<MiniBaseRun, "folder" | "settings" | "signal">,
  shard: number,
): Promise<string> {
  const path = join(lessonFolder(folder), `${shard}.bin`);
  if (existsSync(path)) return path;
  const tokenizer = miniTokenizer();
  const { contextLength } = worlds[settings.size];
  const wanted = stepsPerShard * settings.lessonsPerStep;
  const made: Lesson[] = [];
  for (const lesson of baseLessons(settings, shard)) {
    if (lessonSequence(tokenizer, lesson).tokens.length <= contextLength) made.push(lesson);
    if (made.length === wanted) break;
    // The engine's replies get their turn between lessons.
    if (made.length % 8 === 0) await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
  }
  await writeShard(path, tokenizer, made.values(), wanted, contextLength);
  return path;
}

function* laterLessons(path: string, from: number): Generator<TokenSequence> {
  let at = 0;
  for (const lesson of readShard(path)) if (at++ >= from) yield lesson;
}

// ---- What it can do --------------------------------------------------------------------------------------------------

/** Asked as it will be asked, and asked to think. */
export async function tryOut(engine: Engine, settings: MiniBaseSettings, signal?: AbortSignal): Promise<BaseTrial> {
  const random = Random.from(settings.seed).child("base trial");
  const perPuzzle = settings.triedPerPuzzle;
  const { training, maxTokens } = worlds[settings.size];
  const puzzles = puzzleSet({ set: "held-out puzzles", sizes: training, split: "test", perPuzzle, random });
  const mathematics = syntheticTestSet(settings.triedMathematics, random.child("mathematics")).map(
    ({ id, prompt, answer, subject }): PromptedProblem => ({
      id,
      family: `mathematics: ${subject}`,
      prompt: engine.tokenizer.encode(mathematicsPrompt(prompt)),
      grade: (response) => {
        const read = answerText(response);
        const exact = "text" in read && syntheticAnswerEquals(answer, read.text) ? 1 : 0;
        return { verdict: exact ? "correct" : "wrong", reward: { exact, total: exact } };
      },
    }),
  );
  // Puzzles need nothing that would have to be closed.
  const graders = new ProblemGraders();
  const untagged = [
    ...puzzles.map((problem) => promptedProblem(problem, engine.tokenizer.encode(problem.prompt), graders)),
    ...mathematics,
  ];
  const tag = engine.tokenizer.encode(thinkTag);
  const tagged = untagged.map((problem) => ({
    ...problem,
    id: `${thinkTag} ${problem.id}`,
    family: `${thinkTag}: ${problem.family}`,
    prompt: [...tag, ...problem.prompt],
  }));
  const sampling = { temperature: 0.8, maxTokens };
  const asked = [...untagged, ...tagged];
  const groups = await collectRollouts(engine, asked, { rolloutsPerProblem: 1, sampling, random, signal });
  const tally = new Map<string, { right: number; asked: number }>();
  for (const { problem, grade } of groups.flat()) {
    const own = tally.get(problem.family) ?? { right: 0, asked: 0 };
    tally.set(problem.family, { right: own.right + (grade.verdict === "correct" ? 1 : 0), asked: own.asked + 1 });
  }
  return Object.fromEntries([...tally].map(([family, { right, asked }]) => [family, right / asked]));
}
