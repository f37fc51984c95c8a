// From labeled spans to a classifier with its papers: cross-validated by question and by source, calibrated, trained on everything.
import { Random } from "../../base/random.ts";
import { paperTaxonomy } from "../../rollouts/paper-taxonomy.ts";
import type { Taxonomy } from "../../rollouts/taxonomy.ts";
import type { NarrationStyle } from "../../teaching/narrator.ts";
import { alphabetOf } from "../sequence.ts";
import type { LabeledSpan, UnreadSpan } from "./labeled-spans.ts";
import type { LinearModel } from "./linear-model.ts";
import type { TrainedClassifier } from "./model-file.ts";
import { narratedSpans } from "./narrated-spans.ts";
import { classifierQuality, unseenQuality } from "./quality.ts";
import {
  crossValidate,
  defaultTraining,
  featured,
  fittedTemperature,
  isDecidedByBoard,
  isNarrated,
  judged,
  questionOf,
  scoredBy,
  sourceOf,
  trainLinearModel,
} from "./training.ts";

type ClassifierRequest = {
  /** What the classifier is measured on, by questions and by sources that were held out. */
  readonly spans: readonly LabeledSpan[];
  /** Of traces like these, of which nobody has said what they do. */
  readonly unread?: readonly UnreadSpan[];
  /** Spans drawn at random on which readers came to no label: nobody can be right about them. */
  readonly undecided?: number;
  readonly taxonomy?: Taxonomy;
  readonly name: string;
  readonly folds: number;
  /** Traces of the narrating teacher, in each style. */
  readonly narrated: number;
  readonly seed: string;
  /** After each model, of as many as `modelsOf` says. */
  readonly onModel?: () => void;
};

const styles: readonly NarrationStyle[] = ["terse", "plain", "prose"];

const sourcesOf = (spans: readonly LabeledSpan[]) =>
  new Set(spans.filter((span) => !isNarrated(span) && !isDecidedByBoard(span)).map(sourceOf)).size;

/** One for every fold, one for every source where there are several, and the last from everything. */
export function modelsOf({ spans, folds }: Pick<ClassifierRequest, "spans" | "folds">): number {
  const sources = sourcesOf(spans);
  return folds + (sources > 1 ? sources : 0) + 1;
}

export function makeClassifier(request: ClassifierRequest): TrainedClassifier {
  const { name, folds, seed, onModel, undecided = 0, taxonomy = paperTaxonomy } = request;
  const all = withQuestions(request.spans);
  const spans = all.filter((span) => !isDecidedByBoard(span));
  const alphabet = alphabetOf(taxonomy);
  // What the teacher narrates is labeled with the paper's primitives.
  const narrated = taxonomy.name === paperTaxonomy.name ? request.narrated : 0;
  const random = Random.from(seed).child("span classifier");
  const taught = featured([
    ...spans,
    ...styles.flatMap((style) => narratedSpans({ traces: narrated, style, random: random.child("narrated", style) })),
  ]);
  const unread = featured(request.unread ?? []);
  // One member each: the mean of several is a little better, and these are many.
  const holding = { training: { ...defaultTraining, members: 1 }, onFold: onModel, alphabet, unread };
  const read = spans.filter((span) => !isNarrated(span));
  const questions = new Set(read.map(questionOf)).size;
  // A few questions can only be told apart by their traces.
  const [by, held] = questions < folds ? [({ trace }: UnreadSpan) => trace, "trace"] : [questionOf, "question"];
  const measured = [...taught, ...featured(all.filter(isDecidedByBoard))];
  const scored = crossValidate(measured, { ...holding, by, folds, random: random.child("held out") });
  const temperature = fittedTemperature(
    scored.filter(({ span }) => !isDecidedByBoard(span)),
    alphabet,
  );
  const sources = sourcesOf(spans);
  const unseen =
    sources > 1
      ? crossValidate(taught, { ...holding, by: sourceOf, folds: sources, random: random.child("unseen") })
      : [];
  const model = trainLinearModel(taught, defaultTraining, random.child("final"), alphabet, unread);
  onModel?.();
  const quality = classifierQuality(
    judged(scored, temperature, alphabet),
    `spans drawn at random from ${questions} questions, each labeled by a model that saw no span of its ${held} (${folds} folds)`,
    alphabet,
    undecided,
  );
  return {
    model,
    description: {
      name,
      taxonomy,
      about: `logistic regression over hashed n-grams, cues and place, from ${read.length} read spans of ${questions} questions and ${taught.length - read.length} narrated ones${unread.length === 0 ? "" : `, and from what it was sure of in ${unread.length} that nobody read`}`,
      temperature,
      trainedOn: countBy(taught),
      quality: {
        ...quality,
        ...(unseen.length > 0 && { unseenSources: unseenQuality(judged(unseen, temperature, alphabet), alphabet) }),
      },
      narratedMacroF1:
        narrated === 0
          ? undefined
          : Object.fromEntries(
              styles.map((style) => [style, narratedScore(model, style, random.child("fresh", style))]),
            ),
    },
  };
}

/** One file may say which question a trace answers and another not. */
function withQuestions(spans: readonly LabeledSpan[]): readonly LabeledSpan[] {
  const known = new Map(spans.flatMap(({ trace, question }) => (question === undefined ? [] : [[trace, question]])));
  return spans.map((span) => {
    const question = span.question ?? known.get(span.trace);
    return question === undefined ? span : { ...span, question };
  });
}

function countBy(spans: readonly LabeledSpan[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const span of spans) counts[sourceOf(span)] = (counts[sourceOf(span)] ?? 0) + 1;
  return counts;
}

/** On puzzles and wordings drawn anew. */
function narratedScore(model: LinearModel, style: NarrationStyle, random: Random): number {
  const fresh = scoredBy(model, featured(narratedSpans({ traces: 20, style, random })));
  return classifierQuality(judged(fresh, 1), style).macroF1;
}
