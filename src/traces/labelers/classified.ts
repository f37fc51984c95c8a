// A span classifier (the shipped one, a folder, ONNX, a judge) as a labeler of whole traces: cut into spans, then labeled.
import type { BuiltinClassifier } from "../classifier/builtin-classifier.ts";
import type { LabeledTrace, Labeler } from "../labeler.ts";
import { paperSegmentation, type Segmentation, segment } from "../segmentation.ts";
import { alphabetOf, sequenceOf } from "../sequence.ts";
import { inContext, type SpanClassifier } from "../span-classifier.ts";

/** The shipped one and its kind label in place, without a promise a span. */
export function classifierLabeler(classifier: BuiltinClassifier, segmentation?: Segmentation): Labeler<LabeledTrace>;
export function classifierLabeler(classifier: SpanClassifier, segmentation?: Segmentation): Labeler;
export function classifierLabeler(
  classifier: SpanClassifier | BuiltinClassifier,
  segmentation: Segmentation = paperSegmentation,
): Labeler {
  const { description, taxonomy } = classifier;
  const { markers } = taxonomy;
  const cut = markers === undefined ? segmentation : { ...segmentation, markers };
  if ("labelTrace" in classifier) {
    return {
      description,
      taxonomy,
      read: (response) => {
        const spans = segment(response, cut);
        return { spans, ...classifier.labelTrace(spans) };
      },
    };
  }
  const alphabet = alphabetOf(taxonomy);
  return {
    description,
    taxonomy,
    read: async (response, question) => {
      const spans = segment(response, cut);
      const labels = await classifier.label(inContext(spans, question));
      return {
        spans,
        sequence: sequenceOf(
          labels.map(({ label }) => label),
          alphabet,
        ),
        confidences: labels.map(({ confidence }) => confidence),
      };
    },
  };
}
