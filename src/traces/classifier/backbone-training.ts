// A language model learns to answer with a span's label: cross-entropy on one token, through the engine's verbs, so any
// engine can do it. Traces are split in three: most teach, some say when to stop and how sure to be, some are measured on.
import { Random } from "../../base/random.ts";
import type { Engine, TokenSequence, WeightedSequence } from "../../engine/engine.ts";
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

export type LearnedBackbone = {
  /** The epoch whose weights are saved under `checkpoint`. */
  readonly bestEpoch: number;
  readonly temperature: number;
  readonly curve: readonly { readonly epoch: number; readonly validationLoss: number; readonly accuracy: number }[];
};

/** Log-probs of every label for each span, by one forward pass a label and window; servers that see the same text twice run it once. */
export async function labelLogprobs(
  engine: Pick<Engine, "logprobs" | "contextLength">,
  prompts: SpanPrompts,
  spans: readonly SpanInContext[],
  signal?: AbortSignal,
): Promise<Float64Array[]> {
  const scored: Float64Array[] = [];
  for (let start = 0; start < spans.length; start += spansAtOnce) {
    const windows = prompts.windows(spans.slice(start, start + spansAtOnce));
    const sequences = windows.flatMap((window) =>
      prompts.answers.map((answer) =>
        readOff(
          window,
          window.asked.map(() => answer),
        ),
      ),
    );
    const scores = await engine.logprobs(sequences, { signal });
    const labels = prompts.answers.length;
    windows.forEach(({ asked }, w) => {
      for (const place of asked)
        scored.push(
          Float64Array.from({ length: labels }, (_, label) => scores[w * labels + label].logprobs[place - asked[0]]),
        );
    });
  }
  return scored;
}

/** A window as the engine scores it: at the marks, a label each; -1 where none is asked for. */
function readOff({ tokens, asked }: SpanWindow, labels: readonly number[]): TokenSequence & { targets: number[] } {
  const targets = new Array<number>(tokens.length + 1 - asked[0]).fill(-1);
  for (const [i, place] of asked.entries()) targets[place - asked[0]] = labels[i];
  // The last token is asked for and never read; any will do.
  return { tokens: [...tokens, Math.max(0, labels[labels.length - 1])], promptLength: asked[0], targets };
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
  const curve: { epoch: number; validationLoss: number; accuracy: number }[] = [];
  let best = { epoch: 0, loss: Number.POSITIVE_INFINITY, temperature: 1 };
  for (let epoch = 1; epoch <= training.epochs; epoch++) {
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
    if (validation.length === 0) {
      best = { epoch, loss: Number.NaN, temperature: 1 };
      continue;
    }
    const measured = await scoredSpans(lesson, validation);
    const temperature = fittedTemperature(measured, alphabet);
    const validationLoss = meanLoss(measured, alphabet);
    const right = judged(measured, 1, alphabet).filter(({ actual, given }) => actual === given).length;
    const passed = { epoch, validationLoss, accuracy: right / measured.length };
    curve.push(passed);
    yield { type: "epoch", ...passed };
    if (validationLoss < best.loss) {
      best = { epoch, loss: validationLoss, temperature };
      await engine.save(checkpoint);
    } else if (epoch - best.epoch > training.patience) break;
  }
  if (validation.length === 0) await engine.save(checkpoint);
  else await engine.load(checkpoint);
  return { bestEpoch: best.epoch, temperature: best.temperature, curve };
}

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
    const sequence = readOff(
      window,
      taught.map((labels) => (pass < labels.length ? answers[labels[pass][0]] : -1)),
    );
    const values = new Array<number>(sequence.targets.length).fill(0);
    for (const [i, place] of window.asked.entries()) {
      const share = taught[i][pass]?.[1] ?? 0;
      values[place - window.asked[0]] = share * weights[window.spans[i]].weight * scale;
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
