// Learning the span classifier from labeled spans, and scoring spans by models that saw nothing of their question or source.
import type { Random } from "../../base/random.ts";
import type { Taxonomy } from "../../rollouts/taxonomy.ts";
import { type Alphabet, paperAlphabet } from "../sequence.ts";
import type { SpanInContext, SpanLabel } from "../span-classifier.ts";
import { FeatureExtractor, type FeatureVector, featureBuckets } from "./features.ts";
import type { LabeledSpan, UnreadSpan } from "./labeled-spans.ts";
import {
  averagedModel,
  type Example,
  type LinearModel,
  LinearTrainer,
  likeliest,
  scoreLinear,
  softmaxInPlace,
} from "./linear-model.ts";
import { doesNoReasoning } from "./no-reasoning.ts";
import { decidedByBoard, type JudgedSpan } from "./quality.ts";

type ClassifierTraining = {
  readonly epochs: number;
  readonly learningRate: number;
  readonly damping: number;
  /** 0 leaves rare labels rare; 1 makes every label count the same. */
  readonly balance: number;
  /** No label counts for more than this many times its share. */
  readonly largestBalance: number;
  /** What a span of the narrating teacher teaches. */
  readonly narrated: number;
  /** What another reading of a span counts beside the one that counts first. */
  readonly otherReading: number;
  /** What an unread span teaches of which a first model is sure enough. */
  readonly guessed: { readonly above: number; readonly weight: number };
  /** A feature of fewer questions than this says what they are about, not what their spans do. */
  readonly leastQuestions: number;
  /** Models with different orders of learning, whose weights are averaged. */
  readonly members: number;
};

export const defaultTraining: ClassifierTraining = {
  epochs: 6,
  learningRate: 0.3,
  damping: 0.05,
  balance: 0.7,
  largestBalance: 6,
  narrated: 0.06,
  otherReading: 0.5,
  guessed: { above: 0.6, weight: 0.3 },
  leastQuestions: 8,
  members: 2,
};

type Featured<Span> = Span & { readonly features: FeatureVector };
export type FeaturedSpan = Featured<LabeledSpan>;

/** Features once; they are read many times in training. */
export function featured<Span extends SpanInContext>(spans: readonly Span[]): Featured<Span>[] {
  const extractor = new FeatureExtractor();
  return spans.map((span) => {
    const { indices, values, length } = extractor.read(span);
    return { ...span, features: { indices: indices.slice(0, length), values: values.slice(0, length), length } };
  });
}

/** Told by the narrating teacher: nobody's reading of a real trace. */
export const isNarrated = ({ domain }: Pick<LabeledSpan, "domain">) => domain.startsWith("narrated");

/** Measured apart and never taught: a board says nothing of how often words announce what was done on it. */
export const isDecidedByBoard = ({ drawn }: Pick<LabeledSpan, "drawn">) => drawn === decidedByBoard;

/** A trace stands for its question where nobody says what was asked. */
export const questionOf = ({ question, trace }: Pick<LabeledSpan, "question" | "trace">): string => question ?? trace;
export const sourceOf = ({ source, domain }: Pick<LabeledSpan, "source" | "domain">): string => source ?? domain;

/** What each span teaches, and how much: more for rare labels and sure readers. */
function examplesOf(
  spans: readonly FeaturedSpan[],
  alphabet: Alphabet,
  { balance, largestBalance, narrated, otherReading }: ClassifierTraining,
  common: Uint8Array,
): Example[] {
  const { labels, codeOf } = alphabet;
  const classes = labels.length;
  // Rare is what readers find rare in real traces; narrated spans are as many as we like and must not hide it.
  const totals = new Float64Array(classes);
  for (const span of spans) if (!isNarrated(span)) totals[codeOf(span.label)] += 1;
  const total = totals.reduce((a, b) => a + b, 0);
  const boost = Array.from(totals, (sum) =>
    sum === 0 ? 1 : Math.min(largestBalance, total / classes / sum) ** balance,
  );
  const weights = spans.map((span) => (isNarrated(span) ? narrated : (span.weight ?? 1) * boost[codeOf(span.label)]));
  const mean = weights.reduce((a, b) => a + b, 0) / weights.length;
  return spans.map((span, i) => ({
    features: onlyFeatures(span.features, common),
    targets: targetsOf(span, alphabet, otherReading),
    weight: weights[i] / mean,
  }));
}

function targetsOf({ label, readings = [] }: LabeledSpan, { labels, codeOf }: Alphabet, otherReading: number) {
  const targets = new Float64Array(labels.length);
  targets[codeOf(label)] = 1;
  for (const reading of readings.slice(1)) targets[codeOf(reading)] += otherReading;
  const total = targets.reduce((a, b) => a + b, 0);
  return targets.map((value) => value / total);
}

/** By bucket: 1 for features of at least so many questions, or of all where there are few. */
function commonFeatures(spans: readonly FeaturedSpan[], leastQuestions: number): Uint8Array {
  const numbers = new Map<string, number>();
  for (const span of spans) if (!numbers.has(questionOf(span))) numbers.set(questionOf(span), numbers.size);
  const least = Math.min(leastQuestions, Math.ceil(numbers.size / 10));
  const questions = new Uint16Array(featureBuckets);
  const lastSeenIn = new Int32Array(featureBuckets).fill(-1);
  const numbered = spans.map((span) => ({ question: numbers.get(questionOf(span))!, features: span.features }));
  for (const { question, features } of numbered.sort((a, b) => a.question - b.question)) {
    for (let i = 0; i < features.length; i++) {
      const bucket = features.indices[i];
      if (lastSeenIn[bucket] === question) continue;
      lastSeenIn[bucket] = question;
      questions[bucket] += 1;
    }
  }
  return Uint8Array.from(questions, (count) => (count >= least ? 1 : 0));
}

function onlyFeatures({ indices, values, length }: FeatureVector, kept: Uint8Array): FeatureVector {
  const chosen = Array.from({ length }, (_, i) => i).filter((i) => kept[indices[i]] === 1);
  return {
    indices: Int32Array.from(chosen, (i) => indices[i]),
    values: Float32Array.from(chosen, (i) => values[i]),
    length: chosen.length,
  };
}

/** `unread`: spans of no label, of traces like these. What a first model is sure of among them teaches the last one as well. */
export function trainLinearModel(
  spans: readonly FeaturedSpan[],
  training: ClassifierTraining,
  random: Random,
  alphabet: Alphabet = paperAlphabet,
  unread: readonly Featured<UnreadSpan>[] = [],
): LinearModel {
  const classes = alphabet.labels.length;
  const common = commonFeatures(spans, training.leastQuestions);
  const read = examplesOf(spans, alphabet, training, common);
  const trained = (examples: readonly Example[], member: number) => {
    const trainer = new LinearTrainer({ ...training, classes });
    trainer.train(examples, random.child("member", member));
    return trainer;
  };
  const guesses =
    unread.length === 0
      ? []
      : guessedExamples(unread, averagedModel([trained(read, training.members)], classes), training.guessed, common);
  const members = Array.from({ length: training.members }, (_, member) => trained([...read, ...guesses], member));
  return averagedModel(members, classes);
}

function guessedExamples(
  unread: readonly Featured<UnreadSpan>[],
  model: LinearModel,
  { above, weight }: ClassifierTraining["guessed"],
  common: Uint8Array,
): Example[] {
  const scores = new Float64Array(model.classes);
  return unread.flatMap(({ features, text, previous }) => {
    scoreLinear(model, features, scores);
    softmaxInPlace(scores);
    const best = likeliest(scores);
    if (scores[best] < above || doesNoReasoning(text, previous)) return [];
    const targets = Float64Array.from(scores, (_, code) => (code === best ? 1 : 0));
    return [{ features: onlyFeatures(features, common), targets, weight }];
  });
}

export type ScoredSpan = { readonly span: LabeledSpan; readonly logits: Float64Array };

/** Which fold holds each group: spans of one group are never on both sides of a split, and folds are about equally large. */
export function dealtFolds(groups: readonly string[], folds: number, random: Random): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const group of groups) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const names = random.child("folds").shuffle([...sizes.keys()].sort());
  const filled = new Array<number>(folds).fill(0);
  return new Map(
    names
      .sort((a, b) => sizes.get(b)! - sizes.get(a)!)
      .map((name) => {
        const fold = filled.indexOf(Math.min(...filled));
        filled[fold] += sizes.get(name)!;
        return [name, fold];
      }),
  );
}

export type HoldingOut = {
  /** What is held out together: a question, or a whole source. */
  readonly by: (span: UnreadSpan) => string;
  readonly folds: number;
  readonly training: ClassifierTraining;
  readonly random: Random;
  readonly onFold?: () => void;
  readonly alphabet?: Alphabet;
  readonly unread?: readonly Featured<UnreadSpan>[];
};

/** Every span scored by a model that saw nothing of its group. Narrated spans only ever teach; they are never measured. */
export function crossValidate(
  spans: readonly FeaturedSpan[],
  { by, folds, training, random, onFold, alphabet = paperAlphabet, unread = [] }: HoldingOut,
): ScoredSpan[] {
  const read = spans.filter((span) => !isNarrated(span));
  const foldOf = dealtFolds(read.map(by), folds, random);
  return Array.from({ length: folds }, (_, fold) => {
    const held = read.filter((span) => foldOf.get(by(span)) === fold);
    if (held.length === 0) return [];
    const taught = spans.filter(
      (span) => isNarrated(span) || (!isDecidedByBoard(span) && foldOf.get(by(span)) !== fold),
    );
    const others = unread.filter((span) => foldOf.get(by(span)) !== fold);
    const model = trainLinearModel(taught, training, random.child("fold", fold), alphabet, others);
    onFold?.();
    return scoredBy(model, held);
  }).flat();
}

export const scoredBy = (model: LinearModel, spans: readonly FeaturedSpan[]): ScoredSpan[] =>
  spans.map((span) => {
    const logits = new Float64Array(model.classes);
    scoreLinear(model, span.features, logits);
    return { span, logits };
  });

/** The temperature under which the scores are most likely: one number, so it cannot change which label wins. */
export function fittedTemperature(scored: readonly ScoredSpan[], { labels, codeOf }: Alphabet = paperAlphabet): number {
  const loss = (temperature: number) => {
    let total = 0;
    const probabilities = new Float64Array(labels.length);
    for (const { span, logits } of scored) {
      probabilities.set(logits);
      softmaxInPlace(probabilities, temperature);
      total -= Math.log(Math.max(1e-12, probabilities[codeOf(span.label)]));
    }
    return total;
  };
  // Golden-section search: the loss has one minimum.
  const ratio = (Math.sqrt(5) - 1) / 2;
  let [low, high] = [0.2, 10];
  let [left, right] = [high - ratio * (high - low), low + ratio * (high - low)];
  let [lossLeft, lossRight] = [loss(left), loss(right)];
  while (high - low > 1e-3) {
    if (lossLeft < lossRight) {
      [high, right, lossRight] = [right, left, lossLeft];
      left = high - ratio * (high - low);
      lossLeft = loss(left);
    } else {
      [low, left, lossLeft] = [left, right, lossRight];
      right = low + ratio * (high - low);
      lossRight = loss(right);
    }
  }
  return (low + high) / 2;
}

export function judged(
  scored: readonly ScoredSpan[],
  temperature: number,
  { labels, taxonomy }: Alphabet = paperAlphabet,
): JudgedSpan[] {
  return scored.map(({ span, logits }) => {
    const { label, confidence } = labelOf(span, logits, temperature, labels, taxonomy);
    const { label: actual, domain, drawn = "random", readings } = span;
    return { actual, given: label, confidence, domain, source: sourceOf(span), drawn, readings };
  });
}

/** As every classifier decides: the break where no reasoning is done, else the likeliest label and how likely it is. */
export function labelOf(
  { text, previous }: SpanInContext,
  logits: Float64Array,
  temperature: number,
  labels: readonly string[],
  taxonomy: Taxonomy,
): SpanLabel {
  if (doesNoReasoning(text, previous)) return { label: taxonomy.break, confidence: 1 };
  const probabilities = Float64Array.from(logits);
  softmaxInPlace(probabilities, temperature);
  const best = likeliest(probabilities);
  return { label: labels[best], confidence: probabilities[best] };
}
