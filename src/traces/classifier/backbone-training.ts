// A language model learns to answer with a span's label: cross-entropy on one token, through the engine's verbs, so any
// engine can do it. Traces are split in three: most teach, some say when to stop and how sure to be, some are measured on.
import { z } from "zod";
import { Random } from "../../base/random.ts";
import { askChoices, readOff } from "../../engine/choices.ts";
import type { Engine, WeightedSequence } from "../../engine/engine.ts";
import type { Alphabet } from "../sequence.ts";
import type { SpanInContext } from "../span-classifier.ts";
import type { LabeledSpan } from "./labeled-spans.ts";
import { type ClassifierQuality, classifierQuality } from "./quality.ts";
import type { SpanPrompts, SpanWindow } from "./span-prompt.ts";
import { exampleWeights, fittedTemperature, isMade, judged, type ScoredSpan } from "./training.ts";

export type BackboneTraining = {
  readonly epochs: number;
  readonly spansPerStep: number;
  readonly learningRate: number;
  /** Stops after this many epochs that did not help the validation traces. */
  readonly patience: number;
};

export const defaultBackboneTraining: BackboneTraining = {
  epochs: 4,
  spansPerStep: 64,
  learningRate: 1e-4,
  patience: 1,
};

/** Spans scored in one call. */
const spansAtOnce = 1024;
/** A label that readers' votes make less likely than this is not taught: each costs a pass over its window. */
const smallestShare = 0.02;

type BackboneEvent =
  | { readonly type: "step"; readonly step: number; readonly steps: number; readonly loss: number }
  | { readonly type: "epoch"; readonly epoch: number; readonly validationLoss: number; readonly accuracy: number };

const epochSchema = z.object({ epoch: z.int(), validationLoss: z.number(), accuracy: z.number() });
/** Where a lesson is after an epoch: with the weights under `${checkpoint}-last` it goes on as if it had not been stopped. */
export const lessonStateSchema = z.object({
  epoch: z.int(),
  /** No loss where nothing is held out to stop by. */
  best: z.object({ epoch: z.int(), loss: z.number().nullable(), temperature: z.number() }),
  curve: z.array(epochSchema),
});
export type LessonState = z.infer<typeof lessonStateSchema>;

export type LearnedBackbone = {
  /** The epoch whose weights are saved under `checkpoint`. */
  readonly bestEpoch: number;
  readonly temperature: number;
  readonly curve: readonly z.infer<typeof epochSchema>[];
};

/** Log-probs of every label for each span, read off where the span ends. */
export async function labelLogprobs(
  engine: Pick<Engine, "choices" | "logprobs">,
  prompts: SpanPrompts,
  spans: readonly SpanInContext[],
  signal?: AbortSignal,
): Promise<Float64Array[]> {
  const scored: Float64Array[] = [];
  for (let start = 0; start < spans.length; start += spansAtOnce) {
    const windows = prompts.windows(spans.slice(start, start + spansAtOnce));
    const labels = prompts.answers.length;
    for (const scores of await askChoices(engine, windows, prompts.answers, signal))
      for (let at = 0; at < scores.length; at += labels)
        scored.push(Float64Array.from(scores.subarray(at, at + labels)));
  }
  return scored;
}

type BackboneLesson = {
  readonly engine: Engine;
  readonly alphabet: Alphabet;
  readonly prompts: SpanPrompts;
  readonly spans: readonly LabeledSpan[];
  /** Says when to stop, and fits the temperature; empty for a fixed number of epochs. */
  readonly validation: readonly LabeledSpan[];
  readonly training: BackboneTraining;
  readonly checkpoint: string;
  readonly seed: string;
  readonly signal?: AbortSignal;
  /** Goes on from here. */
  readonly from?: LessonState;
  /** Hears after each epoch where the lesson is; its weights are saved then. */
  readonly onEpoch?: (state: LessonState) => Promise<void>;
};

/** Leaves the best epoch's weights in the engine and saved under `checkpoint`. */
export async function* teachBackbone(lesson: BackboneLesson): AsyncGenerator<BackboneEvent, LearnedBackbone> {
  const { engine, alphabet, prompts, spans, validation, training, checkpoint, signal } = lesson;
  const random = Random.from(lesson.seed).child("backbone");
  const weights = exampleWeights(spans, alphabet);
  const mean = weights.reduce((sum, { weight }) => sum + weight, 0) / weights.length;
  const windows = prompts.windows(spans);
  const batches = (order: readonly SpanWindow[]) => batchesOf(order, training.spansPerStep);
  const perEpoch = stepsPerEpoch(windows, training.spansPerStep);
  const steps = perEpoch * training.epochs;
  const { from, onEpoch } = lesson;
  const curve = [...(from?.curve ?? [])];
  let best: LessonState["best"] = from?.best ?? { epoch: 0, loss: null, temperature: 1 };
  if (from !== undefined) await engine.load(lastOf(checkpoint));
  for (let epoch = (from?.epoch ?? 0) + 1; epoch <= training.epochs; epoch++) {
    if (validation.length > 0 && epoch - 1 - best.epoch > training.patience) break;
    let step = (epoch - 1) * perEpoch;
    for (const shown of batches(random.child("order", epoch).shuffle([...windows]))) {
      const count = shown.reduce((sum, window) => sum + window.spans.length, 0);
      const batch = shown.flatMap((window) => lessonsOf(window, prompts, weights, 1 / mean / count));
      const scores = await engine.accumulate(batch, { signal });
      const loss = -batch.reduce(
        (sum, lesson, i) => sum + lesson.weights.reduce((of, w, t) => of + (w && w * scores[i].logprobs[t]), 0),
        0,
      );
      step += 1;
      await engine.step({ learningRate: training.learningRate * rateAt(step, steps), maxGradientNorm: 1 });
      yield { type: "step", step, steps, loss };
    }
    const settled = async () => {
      if (onEpoch === undefined || epoch === training.epochs) return;
      await engine.save(lastOf(checkpoint));
      await onEpoch({ epoch, best, curve });
    };
    if (validation.length === 0) {
      best = { epoch, loss: null, temperature: 1 };
      await settled();
      continue;
    }
    const measured = await scoredSpans(lesson, validation);
    const temperature = fittedTemperature(measured, alphabet);
    const validationLoss = meanLoss(measured, alphabet);
    const right = judged(measured, 1, alphabet).filter(({ actual, given }) => actual === given).length;
    const passed = { epoch, validationLoss, accuracy: right / measured.length };
    curve.push(passed);
    yield { type: "epoch", ...passed };
    if (best.loss === null || validationLoss < best.loss) {
      best = { epoch, loss: validationLoss, temperature };
      await engine.save(checkpoint);
    }
    await settled();
  }
  if (validation.length === 0) await engine.save(checkpoint);
  else await engine.load(checkpoint);
  return { bestEpoch: best.epoch, temperature: best.temperature, curve };
}

const lastOf = (checkpoint: string) => `${checkpoint}-last`;

/** Spans that readers voted on teach each of their labels by its share: as many passes as one of them has labels. */
function lessonsOf(
  window: SpanWindow,
  { answers }: SpanPrompts,
  weights: ReturnType<typeof exampleWeights>,
  scale: number,
): (WeightedSequence & { readonly weights: number[] })[] {
  const taught = window.spans.map((span) =>
    [...weights[span].target.entries()].filter(([, share]) => share >= smallestShare),
  );
  return Array.from({ length: Math.max(...taught.map(({ length }) => length)) }, (_, pass) => {
    const sequence = readOff(window, (i) => (pass < taught[i].length ? answers[taught[i][pass][0]] : -1));
    const values = new Array<number>(sequence.targets.length).fill(0);
    for (const [i, place] of window.places.entries()) {
      const share = taught[i][pass]?.[1] ?? 0;
      values[place - window.places[0]] = share * weights[window.spans[i]].weight * scale;
    }
    return { ...sequence, weights: values };
  });
}

function* batchesOf(windows: readonly SpanWindow[], spansPerStep: number): Generator<SpanWindow[]> {
  let batch: SpanWindow[] = [];
  let count = 0;
  for (const window of windows) {
    batch.push(window);
    count += window.spans.length;
    if (count < spansPerStep) continue;
    yield batch;
    [batch, count] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/** About: how many windows fill a step depends on their order. */
export const stepsPerEpoch = (windows: readonly SpanWindow[], spansPerStep: number): number =>
  [...batchesOf(windows, spansPerStep)].length;

/** A short warm-up, then down to nothing. */
const rateAt = (step: number, steps: number) =>
  Math.min(1, step / Math.max(1, 0.05 * steps)) * Math.max(1 / steps, 1 - (step - 1) / steps);

async function scoredSpans(
  { engine, prompts, signal }: Pick<BackboneLesson, "engine" | "prompts" | "signal">,
  spans: readonly LabeledSpan[],
): Promise<ScoredSpan[]> {
  const logits = await labelLogprobs(engine, prompts, spans, signal);
  return spans.map((span, i) => ({ span, logits: logits[i] }));
}

/** Of the labels alone: what the model would put on other tokens is nobody's label. */
function meanLoss(scored: readonly ScoredSpan[], { codeOf }: Alphabet): number {
  const losses = scored.map(({ span, logits }) => {
    const largest = Math.max(...logits);
    const total = logits.reduce((sum, logit) => sum + Math.exp(logit - largest), 0);
    return largest + Math.log(total) - logits[codeOf(span.label)];
  });
  return losses.reduce((a, b) => a + b, 0) / losses.length;
}

export type Split = {
  readonly taught: LabeledSpan[];
  readonly validation: LabeledSpan[];
  readonly test: LabeledSpan[];
};

/** By trace. Made and voted spans only ever teach; of traces that are held out, voted spans do not teach either. */
export function splitByTrace(
  spans: readonly LabeledSpan[],
  seed: string,
  shares = { validation: 0.1, test: 0.2 },
): Split {
  const isRead = (span: LabeledSpan) => !isMade(span) && span.shares === undefined;
  const traces = [...new Set(spans.filter(isRead).map(({ trace }) => trace))].sort();
  const dealt = Random.from(seed).child("split").shuffle(traces);
  const cut = (share: number) => Math.max(1, Math.round(share * traces.length));
  const test = new Set(dealt.slice(0, cut(shares.test)));
  const validation = new Set(dealt.slice(test.size, test.size + cut(shares.validation)));
  return {
    taught: spans.filter(({ trace }) => !test.has(trace) && !validation.has(trace)),
    validation: spans.filter((span) => isRead(span) && validation.has(span.trace)),
    test: spans.filter((span) => isRead(span) && test.has(span.trace)),
  };
}

export async function measuredBackbone(
  lesson: Pick<BackboneLesson, "engine" | "prompts" | "alphabet" | "signal">,
  test: readonly LabeledSpan[],
  temperature: number,
): Promise<ClassifierQuality> {
  const { alphabet } = lesson;
  const traces = new Set(test.map(({ trace }) => trace)).size;
  return classifierQuality(
    judged(await scoredSpans(lesson, test), temperature, alphabet),
    `${test.length} spans of ${traces} traces of which it saw none`,
    alphabet,
  );
}
