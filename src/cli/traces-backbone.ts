// `repertoire traces train-classifier --backbone`: a language model becomes the span classifier, on this machine or on a
// server, and the opening of what came of it.
import { isAbsolute, join, relative, resolve } from "node:path";
import pc from "picocolors";
import { ConfigurationError } from "../base/errors.ts";
import type { ServerKind } from "../engine/tinker/capabilities.ts";
import { loadTokenizer } from "../engine/tokenizer.ts";
import { type EngineHost, embeddedHost, tinkerHost } from "../recipes/engine-host.ts";
import { savedPolicy } from "../recipes/saved-checkpoint.ts";
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import { BackboneClassifier, readBackbone, writeBackbone } from "../traces/classifier/backbone-classifier.ts";
import {
  type BackboneTraining,
  type LearnedBackbone,
  measuredBackbone,
  type Split,
  splitByTrace,
  stepsPerEpoch,
  teachBackbone,
} from "../traces/classifier/backbone-training.ts";
import type { LabeledSpan } from "../traces/classifier/labeled-spans.ts";
import { defaultPromptLengths, SpanPrompts } from "../traces/classifier/span-prompt.ts";
import { alphabetOf } from "../traces/sequence.ts";
import { qualityText } from "./classifier-quality.ts";
import { stopOnInterrupt } from "./interruption.ts";
import { packageVersion } from "./package-version.ts";
import { progressBar, sayTrouble } from "./progress.ts";
import { keyFrom } from "./server-options.ts";

export type BackboneFlags = {
  readonly backbone: string;
  readonly engine?: string;
  readonly server: ServerKind;
  readonly serverModel?: string;
  readonly keyVariable?: string;
  readonly loraRank: number;
  readonly epochs: number;
  readonly spansPerStep: number;
  readonly learningRate: number;
  readonly patience: number;
  readonly out: string;
  readonly name: string;
  readonly seed: string;
  readonly json?: true;
};

const longest = 1024;
const stage = "classifier";

export async function trainBackbone(
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
    `${taught.length} spans teach, ${validation.length} say when to stop, ${test.length} are measured on; ` +
      `an epoch is ${(perEpoch / 1e6).toFixed(2)} million tokens, at most ${epochs} epochs`,
  );
  const { signal, release } = stopOnInterrupt(() => console.error("\nstopping; nothing is kept"));
  const host = hostOf(flags);
  const engine = await host.open(stage, undefined, signal);
  const bar = progressBar("steps", stepsPerEpoch(windows, spansPerStep) * epochs);
  try {
    const lesson = { engine, alphabet, prompts, spans: taught, validation, training, checkpoint: "best", seed, signal };
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
        sayTrouble(
          `epoch ${value.epoch}: validation loss ${value.validationLoss.toFixed(3)}, accuracy ${value.accuracy.toFixed(3)}`,
        );
    }
    bar.stop();
    const quality = await measuredBackbone(lesson, test, learned.temperature);
    const traces = (some: readonly LabeledSpan[]) => new Set(some.map(({ trace }) => trace)).size;
    const checkpoint = host.checkpointPath(stage, "best");
    await writeBackbone(out, {
      ...{ name, version: "1", taxonomy, lengths: defaultPromptLengths, temperature: learned.temperature, quality },
      about: `${backboneName(backbone)} answers with labels, taught by ${taught.length} spans of ${traces(taught)} traces`,
      checkpoint: relative(resolve(out), resolve(checkpoint)),
      record: {
        backbone: resolve(backbone),
        engine: host.description,
        loraRank: flags.loraRank,
        training,
        seed,
        split: {
          taught: { spans: taught.length, traces: traces(taught) },
          validation: { spans: validation.length, traces: traces(validation) },
          test: { spans: test.length, traces: traces(test) },
        },
        bestEpoch: learned.bestEpoch,
        curve: learned.curve,
        versions: { repertoire: packageVersion, node: process.version },
      },
    });
    if (flags.json) process.stdout.write(`${JSON.stringify(quality)}\n`);
    else {
      console.log(`${pc.bold(out)}  epoch ${learned.bestEpoch}, temperature ${learned.temperature.toFixed(2)}`);
      console.log(qualityText(quality));
    }
  } finally {
    bar.stop();
    release();
    await engine.dispose();
  }
}

export function checkedSplit(split: Split): Split {
  if (split.test.length > 0 && split.validation.length > 0 && split.taught.length > 0) return split;
  throw new ConfigurationError(
    "too few traces to hold some out; give labeled spans of at least three traces, each with its trace_id",
  );
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
    ...{ run: backboneName(out), folder: out, url: engine, server, loraRank, emit: sayTrouble },
    ...{ model: serverModel ?? backboneName(backbone), key: keyFrom(keyVariable), contextLength: longest },
  });
}

/** What `--classifier <folder>` names: its weights are opened where they lie. */
export async function openBackbone(folder: string): Promise<BackboneClassifier> {
  const description = await readBackbone(folder);
  const { checkpoint } = description;
  const place = isAbsolute(checkpoint) ? checkpoint : join(folder, checkpoint);
  const engine = await savedPolicy({ checkpoint: place, emit: sayTrouble }).open();
  return new BackboneClassifier(engine, description);
}
