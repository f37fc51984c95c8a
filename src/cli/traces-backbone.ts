// `repertoire traces train-classifier --backbone`: a language model becomes the span classifier, on this machine or on a
// server, and the opening of what came of it.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import { z } from "zod";
import { ConfigurationError, EngineError } from "../base/errors.ts";
import { writeFileAtomically } from "../base/files.ts";
import { readJsonFile } from "../base/json-file.ts";
import { decoderFamilies } from "../engine/embedded/model/decoder-config.ts";
import { WeightsLostError } from "../engine/engine.ts";
import { loadTokenizer } from "../engine/tokenizer.ts";
import { type EngineHost, embeddedHost, tinkerHost } from "../recipes/engine-host.ts";
import { savedPolicy } from "../recipes/saved-checkpoint.ts";
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import { BackboneClassifier, readBackbone, writeBackbone } from "../traces/classifier/backbone-classifier.ts";
import {
  type BackboneTraining,
  type LearnedBackbone,
  type LessonState,
  lessonStateSchema,
  measuredBackbone,
  type Split,
  splitByTrace,
  stepsPerEpoch,
  teachBackbone,
} from "../traces/classifier/backbone-training.ts";
import type { LabeledSpan } from "../traces/classifier/labeled-spans.ts";
import { versionOf } from "../traces/classifier/model-file.ts";
import { defaultPromptLengths, SpanPrompts } from "../traces/classifier/span-prompt.ts";
import { alphabetOf } from "../traces/sequence.ts";
import { printQuality } from "./classifier-quality.ts";
import { stopOnInterrupt } from "./interruption.ts";
import { packageVersion } from "./package-version.ts";
import { progressBar, warn } from "./progress.ts";
import { keyFrom } from "./server-options.ts";
import type { TrainFlags } from "./traces-classifier.ts";

export type BackboneFlags = TrainFlags & { readonly backbone: string };

const configSchema = z.looseObject({ model_type: z.string(), architectures: z.array(z.string()).nullish() });

/** Whether the model can become a classifier in the way that is asked for; said before anything is paid for. */
export async function checkBackbone({
  backbone,
  engine,
  onnx,
}: {
  readonly backbone?: string;
  readonly engine?: string;
  readonly onnx?: true;
}): Promise<void> {
  if (backbone === undefined) return;
  const needed = ["config.json", "tokenizer.json"].find((file) => !existsSync(join(backbone, file)));
  if (needed !== undefined)
    throw new ConfigurationError(`--backbone ${backbone} has no ${needed}; give the folder of a Hugging Face model`);
  const { model_type: family, architectures } = await readJsonFile(join(backbone, "config.json"), configSchema);
  if (onnx) return;
  const head = architectures?.[0] ?? "ForCausalLM";
  if (!/ForCausalLM$|LMHeadModel$/.test(head))
    throw new ConfigurationError(
      `--backbone ${backbone} is a ${head}, which cannot answer with a label; add --onnx to give it a classification head`,
    );
  if (engine === undefined && !(decoderFamilies as readonly string[]).includes(family))
    throw new ConfigurationError(
      `--backbone ${backbone} is of the family ${family}; this machine's own engine knows ${decoderFamilies.join(", ")}: give --engine with a torch-engine that serves it, or --onnx`,
    );
}

const longest = 1024;
const stage = "classifier";
const lessonFile = "lesson.json";

/** A server that restarts loses the weights in training; those of the last whole epoch are saved. */
const mostLosses = 5;

export async function trainBackbone(...lesson: Parameters<typeof trainFromLastEpoch>): Promise<void> {
  for (let losses = 1; ; losses++) {
    try {
      return await trainFromLastEpoch(...lesson);
    } catch (error) {
      if (!(error instanceof WeightsLostError)) throw error;
      if (losses === mostLosses) throw new EngineError(`${error.message}; the same command resumes`);
      warn(`${error.message}; resuming after the last whole epoch`);
    }
  }
}

async function trainFromLastEpoch(
  flags: BackboneFlags,
  spans: readonly LabeledSpan[],
  taxonomy: Taxonomy,
): Promise<void> {
  const { backbone, out, name, seed, epochs, spansPerStep, learningRate, patience } = flags;
  const alphabet = alphabetOf(taxonomy);
  const training: BackboneTraining = { epochs, spansPerStep, learningRate, patience };
  const { taught, validation, test } = checkedSplit(splitByTrace(spans, seed));
  const prompts = new SpanPrompts(await loadTokenizer(backbone), alphabet);
  const windows = prompts.windows(taught);
  const perEpoch = windows.reduce((sum, { tokens }) => sum + tokens.length, 0);
  console.error(
    `${splitWords({ taught, validation, test })}; an epoch is ${(perEpoch / 1e6).toFixed(2)} million tokens, at most ${epochs} epochs`,
  );
  const { signal, release } = stopOnInterrupt(() =>
    console.error("\nstopping; the same command resumes after the last whole epoch"),
  );
  const host = hostOf(flags);
  const what = digestOf(
    JSON.stringify([taught, validation, training, seed, resolve(backbone), flags.loraRank, taxonomy]),
  );
  const from = await stoppedLesson(out, what);
  if (from !== undefined) console.error(`resuming after epoch ${from.epoch}`);
  const engine = await host.open(stage, undefined, signal);
  const stepsEach = stepsPerEpoch(windows, spansPerStep);
  const bar = progressBar("steps", stepsEach * epochs, stepsEach * (from?.epoch ?? 0));
  const onEpoch = (state: LessonState) =>
    writeFileAtomically(join(out, lessonFile), `${JSON.stringify({ what, state })}\n`);
  try {
    const lesson = {
      ...{ engine, alphabet, prompts, spans: taught, validation, training, checkpoint: "best", seed, signal },
      ...{ onEpoch, ...(from && { from }) },
    };
    const teaching = teachBackbone(lesson);
    let learned: LearnedBackbone;
    for (;;) {
      const { done, value } = await teaching.next();
      if (done) {
        learned = value;
        break;
      }
      if (value.type === "step") bar.advance();
      else
        warn(
          `epoch ${value.epoch}: validation loss ${value.validationLoss.toFixed(3)}, accuracy ${value.accuracy.toFixed(3)}`,
        );
    }
    bar.stop();
    const quality = await measuredBackbone(lesson, test, learned.temperature);
    const checkpoint = host.checkpointPath(stage, "best");
    const record = {
      backbone: resolve(backbone),
      engine: host.description,
      loraRank: flags.loraRank,
      training,
      seed,
      split: splitRecord({ taught, validation, test }),
      bestEpoch: learned.bestEpoch,
      curve: learned.curve,
      versions: { repertoire: packageVersion, node: process.version },
    };
    await writeBackbone(out, {
      ...{
        name,
        taxonomy,
        lengths: defaultPromptLengths,
        begun: true,
        temperature: learned.temperature,
        quality,
        record,
      },
      // Its weights lie elsewhere; what was measured of them stands for them.
      version: versionOf(what, JSON.stringify([record, quality])),
      about: `${backboneName(backbone)} answers with labels, taught by ${taught.length} spans of ${tracesOf(taught)} traces`,
      checkpoint: relative(resolve(out), resolve(checkpoint)),
    });
    await rm(join(out, lessonFile), { force: true });
    const { bestEpoch, temperature } = learned;
    printQuality(out, `epoch ${bestEpoch}, temperature ${temperature.toFixed(2)}`, quality, flags.json);
  } finally {
    bar.stop();
    release();
    await engine.dispose();
  }
}

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** A lesson on the same spans with the same settings that was stopped between epochs. */
async function stoppedLesson(out: string, what: string): Promise<LessonState | undefined> {
  const path = join(out, lessonFile);
  if (!existsSync(path)) return undefined;
  const known = await readJsonFile(path, z.object({ what: z.string(), state: lessonStateSchema }));
  return known.what === what ? known.state : undefined;
}

export function checkedSplit(split: Split): Split {
  if (split.test.length > 0 && split.validation.length > 0 && split.taught.length > 0) return split;
  throw new ConfigurationError(
    "too few traces to hold some out; give labeled spans of at least three traces, each with its trace_id",
  );
}

export const splitWords = ({ taught, validation, test }: Split): string =>
  `${taught.length} spans teach, ${validation.length} say when to stop, ${test.length} are measured on`;

export const tracesOf = (spans: readonly LabeledSpan[]): number => new Set(spans.map(({ trace }) => trace)).size;

export function splitRecord({ taught, validation, test }: Split) {
  const counted = (spans: readonly LabeledSpan[]) => ({ spans: spans.length, traces: tracesOf(spans) });
  return { taught: counted(taught), validation: counted(validation), test: counted(test) };
}

const backboneName = (folder: string) => resolve(folder).split("/").at(-1)!;

function hostOf({
  backbone,
  engine,
  server,
  serverModel,
  keyVariable,
  loraRank,
  out,
  seed,
}: BackboneFlags): EngineHost {
  const common = { checkpoints: "checkpoints", base: backbone, seed: Number(seed) || 1 };
  if (engine === undefined)
    return embeddedHost({
      ...common,
      run: out,
      ...(loraRank > 0 && { lora: { rank: loraRank, alpha: 2 * loraRank } }),
    });
  return tinkerHost({
    ...common,
    ...{ run: backboneName(out), folder: out, url: engine, server, loraRank, emit: warn },
    ...{ model: serverModel ?? backboneName(backbone), key: keyFrom(keyVariable), contextLength: longest },
  });
}

/** What `--classifier <folder>` names: its weights are opened where they lie. */
export async function openBackbone(folder: string): Promise<BackboneClassifier> {
  const description = await readBackbone(folder);
  const { checkpoint } = description;
  const place = isAbsolute(checkpoint) ? checkpoint : join(folder, checkpoint);
  const engine = await savedPolicy({ checkpoint: place, emit: warn }).open();
  return new BackboneClassifier(engine, description);
}
