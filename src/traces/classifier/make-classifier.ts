// From labeled spans to a classifier with its papers: cross-validated by trace, calibrated, trained on everything.
import { Random } from "../../base/random.ts";
import { paperTaxonomy } from "../../rollouts/paper-taxonomy.ts";
import type { Taxonomy } from "../../rollouts/taxonomy.ts";
import type { NarrationStyle } from "../../teaching/narration.ts";
import { alphabetOf } from "../sequence.ts";
import type { LabeledSpan } from "./labeled-spans.ts";
import { type LinearModel, scoreLinear } from "./linear-model.ts";
import type { TrainedClassifier } from "./model-file.ts";
import { narratedSpans } from "./narrated-spans.ts";
import { classifierQuality } from "./quality.ts";
import {
  crossValidate,
  decided,
  defaultTraining,
  type FeaturedSpan,
  featured,
  fittedTemperature,
  isMade,
  judged,
  trainLinearModel,
} from "./training.ts";
import { spansFromVotes, type VotedSpan } from "./votes.ts";
import { writtenSpans } from "./written-spans.ts";

type ClassifierRequest = {
  /** What the classifier is measured on, by traces that were held out. */
  readonly spans: readonly LabeledSpan[];
  /** Spans that several readers voted on; they only teach. */
  readonly voted: readonly VotedSpan[];
  readonly taxonomy?: Taxonomy;
  readonly name: string;
  readonly folds: number;
  /** Spans of each rare kind that the program writes. */
  readonly written: number;
  /** Traces of the narrating teacher, in each style. */
  readonly narrated: number;
  readonly seed: string;
  /** After each model: one for every fold, and the last from everything. */
  readonly onModel?: () => void;
};

const styles: readonly NarrationStyle[] = ["terse", "plain", "prose"];

export function makeClassifier(request: ClassifierRequest): TrainedClassifier {
  const { spans, voted, name, folds, seed, onModel, taxonomy = paperTaxonomy } = request;
  const alphabet = alphabetOf(taxonomy);
  // What the program writes and the teacher narrates is labeled with the paper's primitives.
  const ours = taxonomy.name === paperTaxonomy.name;
  const [written, narrated] = ours ? [request.written, request.narrated] : [0, 0];
  const random = Random.from(seed).child("span classifier");
  const fromVotes = voted.length === 0 ? [] : spansFromVotes(voted, spans, alphabet);
  const taught = featured([
    ...spans,
    ...fromVotes,
    ...writtenSpans(written, random.child("written")),
    ...(narrated === 0
      ? []
      : styles.flatMap((style) => narratedSpans({ traces: narrated, style, random: random.child("narrated", style) }))),
  ]);
  const scored = crossValidate(taught, defaultTraining, folds, random.child("held out"), onModel, alphabet);
  const temperature = fittedTemperature(scored, alphabet);
  const read = spans.filter((span) => !isMade(span));
  const traces = new Set(read.map(({ trace }) => trace)).size;
  const votedOn = fromVotes.length === 0 ? "" : `${fromVotes.length} that readers voted on, `;
  const made = taught.length - read.length - fromVotes.length;
  const model = trainLinearModel(taught, defaultTraining, random.child("final"), alphabet);
  onModel?.();
  return {
    model,
    description: {
      name,
      taxonomy,
      about: `logistic regression over hashed n-grams and cues, from ${read.length} read spans of ${traces} traces, ${votedOn}${made} written or narrated ones`,
      temperature,
      trainedOn: countBy(taught),
      quality: classifierQuality(
        judged(scored, temperature, alphabet),
        `${scored.length} read spans, each labeled by a model that saw no span of its trace (${folds} folds)`,
        alphabet,
      ),
      narratedMacroF1:
        narrated === 0
          ? undefined
          : Object.fromEntries(
              styles.map((style) => [style, narratedScore(model, style, random.child("fresh", style))]),
            ),
    },
  };
}

function countBy(spans: readonly LabeledSpan[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { domain } of spans) counts[domain] = (counts[domain] ?? 0) + 1;
  return counts;
}

/** On puzzles and wordings drawn anew. */
function narratedScore(model: LinearModel, style: NarrationStyle, random: Random): number {
  const fresh = featured(narratedSpans({ traces: 20, style, random }));
  return classifierQuality(
    fresh.map((span) => verdictOn(model, span)),
    style,
  ).macroF1;
}

function verdictOn(model: LinearModel, span: FeaturedSpan) {
  const logits = new Float64Array(model.classes);
  scoreLinear(model, span.features, logits);
  const { label, confidence } = decided(logits, 1);
  return { actual: span.label, given: label, confidence, domain: span.domain };
}
