// Learning the span classifier from labeled spans, and measuring it on traces it has not seen.
import type { Random } from "../../base/random.ts";
import type { Taxonomy } from "../../rollouts/taxonomy.ts";
import { type Alphabet, paperAlphabet } from "../sequence.ts";
import type { SpanInContext, SpanLabel } from "../span-classifier.ts";
import { FeatureExtractor, type FeatureVector } from "./features.ts";
import type { LabeledSpan } from "./labeled-spans.ts";
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
import type { JudgedSpan } from "./quality.ts";
import { RatioTrainer } from "./ratio-model.ts";

type ClassifierTraining = {
  readonly epochs: number;
  readonly learningRate: number;
  readonly damping: number;
  /** 0 leaves rare labels rare; 1 makes every label count the same. */
  readonly balance: number;
  /** No label counts for more than this many times its share. */
  readonly largestBalance: number;
  /** What a span teaches, by how sure its reader was. */
  readonly sureness: Readonly<Record<LabeledSpan["confidence"], number>>;
  /** What a span teaches that readers voted on. */
  readonly voted: number;
  /** What a span teaches that nobody read: written or narrated ones. */
  readonly made: number;
  /** Plain models with different orders of learning, and as many over scaled features; all weights are averaged. */
  readonly members: number;
  /** How far and how long the models over scaled features go. */
  readonly scaled: { readonly epochs: number; readonly learningRate: number };
};

export const defaultTraining: ClassifierTraining = {
  epochs: 12,
  learningRate: 0.5,
  damping: 0.05,
  balance: 1,
  largestBalance: 6,
  sureness: { low: 0.5, medium: 0.9, high: 1 },
  voted: 0.5,
  made: 0.25,
  members: 2,
  scaled: { epochs: 10, learningRate: 0.3 },
};

export type FeaturedSpan = LabeledSpan & { readonly features: FeatureVector };

/** Features once; they are read many times in training. */
export function featured(spans: readonly LabeledSpan[]): FeaturedSpan[] {
  const extractor = new FeatureExtractor();
  return spans.map((span) => {
    const { indices, values, length } = extractor.read(span.text, span.previous);
    return { ...span, features: { indices: indices.slice(0, length), values: values.slice(0, length), length } };
  });
}

const isVoted = ({ shares }: LabeledSpan) => shares !== undefined;
/** Written for the purpose or told by the narrating teacher: nobody's reading of a real trace. */
export const isMade = ({ domain }: LabeledSpan) => domain === "written" || domain.startsWith("narrated");

/** What each span teaches, and how much: shares of labels, and a weight that is larger for rare labels and sure readers. */
export function exampleWeights(
  spans: readonly LabeledSpan[],
  { labels, codeOf }: Alphabet,
  training: Pick<ClassifierTraining, "sureness" | "balance" | "largestBalance" | "made" | "voted"> = defaultTraining,
): { readonly target: Float32Array; readonly weight: number }[] {
  const classes = labels.length;
  const worth = spans.map(({ confidence }) => training.sureness[confidence]);
  // Rare is what the reference finds rare in real traces; made spans are as many as we like and must not hide it.
  const totals = new Float64Array(classes);
  for (const [i, span] of spans.entries()) if (!isMade(span) && !isVoted(span)) totals[codeOf(span.label)] += worth[i];
  const total = totals.reduce((a, b) => a + b, 0);
  const boost = Array.from(totals, (sum) =>
    sum === 0 ? 1 : Math.min(training.largestBalance, total / classes / sum) ** training.balance,
  );
  return spans.map((span, i) => {
    const target = new Float32Array(classes);
    if (span.shares === undefined) target[codeOf(span.label)] = 1;
    else target.set(span.shares);
    // Of a rare kind as many were made as we liked: they need no more weight than others.
    if (isMade(span)) return { target, weight: worth[i] * training.made };
    const rarity = target.reduce((sum, share, label) => sum + share * boost[label], 0);
    return { target, weight: rarity * (isVoted(span) ? training.voted : worth[i]) };
  });
}

export function trainLinearModel(
  spans: readonly FeaturedSpan[],
  training: ClassifierTraining,
  random: Random,
  alphabet: Alphabet = paperAlphabet,
): LinearModel {
  const classes = alphabet.labels.length;
  const weights = exampleWeights(spans, alphabet, training);
  const examples: Example[] = spans.map(({ features }, i) => ({ features, ...weights[i] }));
  const members = Array.from({ length: training.members }, (_, member) => {
    const plain = new LinearTrainer({ ...training, classes });
    plain.train(examples, random.child("member", member));
    const scaled = new RatioTrainer({ ...training, ...training.scaled, classes });
    scaled.train(examples, random.child("scaled member", member));
    return [plain, scaled];
  });
  return averagedModel(members.flat(), classes);
}

export type ScoredSpan = { readonly span: LabeledSpan; readonly logits: Float64Array };

/** Which fold holds each trace: spans of one trace are never on both sides of a split. */
export function dealtFolds(
  spans: readonly Pick<LabeledSpan, "trace">[],
  folds: number,
  random: Random,
): Map<string, number> {
  const traces = random.child("folds").shuffle([...new Set(spans.map(({ trace }) => trace))].sort());
  return new Map(traces.map((trace, i) => [trace, i % folds]));
}

/** Every span scored by a model that saw no span of its trace. Made and voted spans only ever teach; they are never measured. */
export function crossValidate(
  spans: readonly FeaturedSpan[],
  training: ClassifierTraining,
  folds: number,
  random: Random,
  onFold?: () => void,
  alphabet: Alphabet = paperAlphabet,
): ScoredSpan[] {
  const read = spans.filter((span) => !isMade(span) && !isVoted(span));
  const others = spans.filter((span) => isMade(span) || isVoted(span));
  const foldOf = dealtFolds(read, folds, random);
  return Array.from({ length: folds }, (_, fold) => {
    const taught = [...read, ...others].filter(({ trace }) => foldOf.get(trace) !== fold);
    const model = trainLinearModel(taught, training, random.child("fold", fold), alphabet);
    onFold?.();
    return read
      .filter(({ trace }) => foldOf.get(trace) === fold)
      .map((span) => {
        const logits = new Float64Array(alphabet.labels.length);
        scoreLinear(model, span.features, logits);
        return { span, logits };
      });
  }).flat();
}

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
    return { actual: span.label, given: label, confidence, domain: span.domain };
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
  return decided(logits, temperature, labels);
}

/** `logits` are left as they were. */
export function decided(
  logits: Float64Array,
  temperature: number,
  labels: readonly string[] = paperAlphabet.labels,
): SpanLabel {
  const probabilities = Float64Array.from(logits);
  softmaxInPlace(probabilities, temperature);
  const best = likeliest(probabilities);
  return { label: labels[best], confidence: probabilities[best] };
}
