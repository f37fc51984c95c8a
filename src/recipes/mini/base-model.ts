// Making the miniature's base model, from nothing to a model folder: lessons are written ahead as tokens, the model learns
// from them, and what it can do at the end is measured in both of its modes. A killed run resumes with the same lessons.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../../base/files.ts";
import { Random } from "../../base/random.ts";
import type { EmbeddedEngine } from "../../engine/embedded/embedded-engine.ts";
import { decoderConfig } from "../../engine/embedded/model/decoder-config.ts";
import type { Engine, TokenSequence } from "../../engine/engine.ts";
import type { Problem } from "../../problems/problem.ts";
import { syntheticTestSet } from "../../problems/synthetic/index.ts";
import { collectRollouts } from "../../rollouts/collect.ts";
import { ProblemGraders, promptedProblem } from "../../rollouts/problem-grading.ts";
import { openRunFolder } from "../../runs/run-folder.ts";
import { readEvents, TrainingLog } from "../../runs/training-log.ts";
import { thinkTag } from "../../teaching/pretraining.ts";
import { scheduleFactor } from "../../training/schedules.ts";
import { accumulateMeanLogprob } from "../../training/sft-loop.ts";
import { inPromptStyle } from "../policy-asking.ts";
import type { StageEvent } from "../training-stage.ts";
import { lessons } from "./lessons.ts";
import { miniTokenizer } from "./vocabulary.ts";
import { puzzleSet, world } from "./world.ts";

const count = z.number().int().positive();

export const miniBaseSchema = z.strictObject({
  seed: z.number().int().default(1),
  /** Controls: with right bare answers the default mode is worth something; with none there is no mode to switch. */
  barePuzzles: z.enum(["another board's", "right", "none"]).default("another board's"),
  steps: count.default(4_000),
  lessonsPerStep: count.default(512),
  /** How often every lesson is read: a small model remembers none of a million. */
  readings: count.default(2),
  learningRate: z.number().positive().default(1e-3),
  stepsPerCheckpoint: count.default(100),
  /** Held-out puzzles of each kind, and problems of mathematics, that the finished model is tried on. */
  triedPerPuzzle: count.default(32),
  triedMathematics: count.default(140),
});
export type MiniBaseSettings = z.output<typeof miniBaseSchema>;

type BaseState = { readonly checkpoint: string; readonly step: number };

/** The share of right answers by mode and family. */
export type BaseTrial = Readonly<Record<string, number>>;

type PretrainEvent = {
  readonly type: "pretrain-step";
  readonly step: number;
  readonly loss: number;
  readonly tokens: number;
  readonly gradientNorm: number;
  readonly learningRate: number;
};

type BaseEvent =
  | PretrainEvent
  | { readonly type: "pretrain-checkpoint"; readonly state: BaseState }
  | { readonly type: "pretrain-end"; readonly checkpoint: string; readonly trial: BaseTrial };

type MiniBaseRun = {
  readonly folder: string;
  /** The model it goes on from; new weights where there is none. */
  readonly from?: string;
  readonly settings: MiniBaseSettings;
  readonly open: () => Promise<EmbeddedEngine>;
  readonly emit: (event: StageEvent) => void;
  readonly onStep?: (event: PretrainEvent) => void;
  readonly now: Date;
  readonly signal?: AbortSignal;
};

/** The model before it has learned anything. */
export function newModel() {
  const tokenizer = miniTokenizer();
  const { shape, contextLength } = world;
  const { vocabularySize } = tokenizer;
  return { tokenizer, config: decoderConfig({ family: "llama", ...shape, contextLength, tied: true, vocabularySize }) };
}

const finalCheckpoint = "final";

/** Whether a run has ended: its model was tried and written down. */
export async function miniBaseFinished(folder: string): Promise<boolean> {
  for await (const event of readEvents(folder)) if ((event as BaseEvent).type === "pretrain-end") return true;
  return false;
}

/** `finish` writes the model down. */
export async function runMiniBase(
  run: MiniBaseRun,
  finish: (engine: EmbeddedEngine) => Promise<void>,
): Promise<BaseTrial> {
  const { folder: path, from: model, settings, emit, signal, now } = run;
  const config = { recipe: "mini-base", from: model, ...settings };
  const folder = await openRunFolder(path, { kind: "recipe", config, now });
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

/** Next-word prediction, of responses alone: prompts are made by us, not by the model. */
async function* pretrain(engine: Engine, run: MiniBaseRun, from: number): AsyncGenerator<BaseEvent> {
  const { settings, signal } = run;
  const { steps, lessonsPerStep } = settings;
  const schedule = { shape: "cosine", warmupSteps: Math.min(100, Math.ceil(steps / 10)), floor: 0.05 } as const;
  const optimizer = { weightDecay: 0.01, maxGradientNorm: 1, beta2: 0.98 };
  const shardAt = (step: number) => writtenShard(run, Math.floor(step / stepsPerShard) % shardCount(settings));
  let upcoming = shardAt(from);
  let shard: readonly TokenSequence[] = [];
  for (let step = from; step < steps; step++) {
    const place = step % stepsPerShard;
    if (step === from || place === 0) {
      shard = readShard(await upcoming);
      // The next lessons are written while the engine's threads learn from these.
      const next = step - place + stepsPerShard;
      if (next < steps) {
        upcoming = shardAt(next);
        upcoming.catch(() => {});
      }
    }
    const batch = shard.slice(place * lessonsPerStep, (place + 1) * lessonsPerStep);
    const { loss, tokens } = await accumulateMeanLogprob(engine, batch);
    const learningRate = settings.learningRate * scheduleFactor(schedule, step, steps);
    const { gradientNorm } = await engine.step({ learningRate, ...optimizer });
    yield { type: "pretrain-step", step, loss, tokens, gradientNorm, learningRate };
    const done = step + 1;
    if (done % settings.stepsPerCheckpoint === 0 || done === steps) {
      const checkpoint = done === steps ? finalCheckpoint : `step-${done}`;
      await engine.save(checkpoint);
      yield { type: "pretrain-checkpoint", state: { checkpoint, step: done } };
    }
    signal?.throwIfAborted();
  }
}

// ---- Lessons -------------------------------------------------------------------------------------------------------

/** Lessons of so many steps share a file, which stays for whoever resumes. */
const stepsPerShard = 25;

/** Every file is read as often as the settings say. */
const shardCount = ({ steps, readings }: MiniBaseSettings): number => Math.ceil(steps / stepsPerShard / readings);

async function writtenShard(
  { folder, settings, signal }: Pick<MiniBaseRun, "folder" | "settings" | "signal">,
  shard: number,
): Promise<string> {
  const path = join(folder, "lessons", `${shard}.bin`);
  if (existsSync(path)) return path;
  const tokenizer = miniTokenizer();
  const { barePuzzles } = settings;
  // Shards differ in nothing but their part of the random tree.
  const random = Random.from(settings.seed).child("base", shard);
  const made: TokenSequence[] = [];
  for (const { prompt, response } of lessons({ barePuzzles, random, usesPerPuzzle: 4 })) {
    const start = tokenizer.encode(prompt);
    const tokens = [...start, ...tokenizer.encode(response), tokenizer.endOfText];
    if (tokens.length <= world.contextLength) made.push({ tokens, promptLength: start.length });
    if (made.length === stepsPerShard * settings.lessonsPerStep) break;
    // The engine's replies get their turn between lessons.
    if (made.length % 8 === 0) await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
  }
  await writeShard(path, made);
  return path;
}

/** Two bytes a token; a record is the prompt's length, the whole length, and the tokens. */
async function writeShard(path: string, lessons: readonly TokenSequence[]): Promise<void> {
  const words = lessons.flatMap(({ tokens, promptLength }) => [promptLength, tokens.length, ...tokens]);
  await writeFileAtomically(path, new Uint8Array(Uint16Array.from(words).buffer));
}

function readShard(path: string): TokenSequence[] {
  const bytes = readFileSync(path);
  const words = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2);
  const lessons: TokenSequence[] = [];
  for (let at = 0; at < words.length; ) {
    const [promptLength, length] = [words[at], words[at + 1]];
    lessons.push({ promptLength, tokens: Array.from(words.subarray(at + 2, at + 2 + length)) });
    at += 2 + length;
  }
  return lessons;
}

// ---- What it can do --------------------------------------------------------------------------------------------------

/** Asked as it will be asked, and asked to think. */
export async function tryOut(engine: Engine, settings: MiniBaseSettings, signal?: AbortSignal): Promise<BaseTrial> {
  const random = Random.from(settings.seed).child("base trial");
  const perPuzzle = settings.triedPerPuzzle;
  const { training, maxTokens } = world;
  const puzzles = puzzleSet({ set: "held-out puzzles", sizes: training, split: "test", perPuzzle, random });
  // Neither puzzles nor synthetic mathematics need anything that would have to be closed.
  const graders = new ProblemGraders();
  const prompted = (problem: Problem) =>
    promptedProblem(problem, engine.tokenizer.encode(inPromptStyle(problem, "terse").prompt), graders);
  const mathematics = syntheticTestSet(settings.triedMathematics, random.child("mathematics"));
  const untagged = [
    ...puzzles.map(prompted),
    ...mathematics.map((problem) => ({ ...prompted(problem), family: `mathematics: ${problem.subject}` })),
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
