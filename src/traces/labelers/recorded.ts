// Labels that came with a trace, from somebody whose labels are known: the narrating teacher, whose steps are what it
// decided to do, or the labeler in use, whose labels need not be made twice.
import type { Taxonomy } from "../../rollouts/taxonomy.ts";
import type { LabeledTrace, LabelerDescription } from "../labeler.ts";
import { segment, stepSegmentation } from "../segmentation.ts";
import { alphabetOf, sequenceOf } from "../sequence.ts";

export const teacherDescription = (taxonomy: Taxonomy): LabelerDescription => ({
  kind: "recorded",
  name: "the narrating teacher itself",
  version: "1",
  about: "the teacher writes each step for what it does",
  taxonomy: taxonomy.name,
});

/** Undefined where a label is none of the taxonomy's. Spans only where the text has as many steps as labels. */
export function recordedTrace(
  response: string,
  labels: readonly string[],
  taxonomy: Taxonomy,
  confidence: number,
): LabeledTrace | undefined {
  const alphabet = alphabetOf(taxonomy);
  if (!labels.every((label) => alphabet.labels.includes(label))) return undefined;
  const steps = segment(response, stepSegmentation);
  return {
    spans: steps.length === labels.length ? steps : [],
    sequence: sequenceOf(labels, alphabet),
    confidences: new Float32Array(labels.length).fill(confidence),
  };
}
