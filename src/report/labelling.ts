// Who says what a span does. Traces of the terse language are read exactly by its grammar; any other trace is labelled by
// the span classifier, whose measured quality then stands beside every figure.
import { messageOf } from "../base/errors.ts";
import { reasoningText } from "../grading/tags.ts";
import type { Primitive } from "../rollouts/primitives.ts";
import { openings, terseLabels } from "../teaching/terse-language.ts";
import { BuiltinClassifier } from "../traces/classifier/builtin-classifier.ts";
import { segment } from "../traces/segmentation.ts";
import { labelsOf } from "../traces/sequence.ts";

export type LabelledSpan = { readonly text: string; readonly label: Primitive | undefined };

export type Labeller = {
  /** For the reader of a figure: who labelled, and how good that is. */
  readonly about: string;
  readonly labels: (response: string) => Primitive[];
  /** The same labels with the text of each span; text before the first span has no label. */
  readonly spans: (response: string) => LabelledSpan[];
};

export const grammarLabeller: Labeller = {
  about: "labels by the grammar of the terse language (exact by construction)",
  labels: (response) => terseLabels(reasoningText(response)),
  spans: (response) => terseSpans(reasoningText(response)),
};

const openingWords = new Map(Object.entries(openings).map(([primitive, word]) => [word, primitive as Primitive]));

/** Whether most of these responses open most of their lines with a word of the terse language. */
export function looksTerse(responses: readonly string[]): boolean {
  const terse = responses.filter((response) => {
    const lines = reasoningText(response)
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    return lines.filter((line) => openingWords.has(line.split(" ", 1)[0])).length * 2 > lines.length;
  });
  return terse.length * 2 > responses.length;
}

/** The text cut before every opening word. */
export function terseSpans(text: string): LabelledSpan[] {
  const spans: { text: string; label: Primitive | undefined }[] = [];
  for (const piece of text.split(/([ \n]+)/)) {
    const label = openingWords.get(piece);
    if (label !== undefined || spans.length === 0) spans.push({ text: piece, label });
    else spans[spans.length - 1].text += piece;
  }
  return spans
    .map(({ text, label }) => ({ text: text.trim(), label }))
    .filter(({ text, label }) => label !== undefined || text !== "");
}

/** The shipped classifier, or why it cannot be had. */
export async function classifierLabeller(): Promise<Labeller | { readonly missing: string }> {
  try {
    const classifier = await BuiltinClassifier.load();
    const { name, version, quality } = classifier.description;
    const measured =
      quality === undefined
        ? "quality not measured"
        : `accuracy ${quality.accuracy.toFixed(2)}, macro F1 ${quality.macroF1.toFixed(2)}: ${quality.measured}`;
    return {
      about: `labels by ${name} ${version} (${measured})`,
      labels: (response) => labelsOf(classifier.labelTrace(segment(response)).sequence),
      spans: (response) => {
        const spans = segment(response);
        const labels = labelsOf(classifier.labelTrace(spans).sequence);
        return spans.map(({ text }, i) => ({ text, label: labels[i] }));
      },
    };
  } catch (error) {
    return { missing: messageOf(error) };
  }
}
