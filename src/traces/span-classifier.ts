// What any span classifier offers, whether it is the shipped one, a Hugging Face model, a judge or a grammar: labels with
// confidences, and who it is and how good, because every figure made from its labels must say so.
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import type { LabelerDescription } from "./labeler.ts";

export type SpanInContext = {
  readonly text: string;
  /** The span before it in the trace, or the end of it; empty at the start. */
  readonly previous: string;
  /** What was asked, where it is known. */
  readonly question?: string;
  /** Where in its trace the span ends, by spans: 1 for the last. */
  readonly place?: number;
};

export type SpanLabel = {
  readonly label: string;
  /** The chance that the label is right, as far as the classifier knows. */
  readonly confidence: number;
};

export interface SpanClassifier {
  readonly description: LabelerDescription;
  readonly taxonomy: Taxonomy;
  /** What it has cost so far, where asking it costs. */
  readonly cost?: number;
  /** One label a span, in order. Spans of one trace are best given together. */
  label(spans: readonly SpanInContext[]): Promise<readonly SpanLabel[]>;
}

/** Spans with what came before each, as classifiers read them. */
export function inContext(spans: readonly { readonly text: string }[], question?: string): SpanInContext[] {
  return spans.map(({ text }, i) => ({
    text,
    previous: i === 0 ? "" : spans[i - 1].text,
    place: (i + 1) / spans.length,
    ...(question !== undefined && { question }),
  }));
}
