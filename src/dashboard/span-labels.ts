// Spans of a trace with their places in the text: by the grammar for terse traces, by the labels that a record carries
// where they fit, by the span classifier otherwise. What an index counts and what a page colours come from the same code.
import { reasoningRange } from "../grading/tags.ts";
import { looksTerse } from "../report/labelling.ts";
import { type Primitive, primitives } from "../rollouts/primitives.ts";
import { openings } from "../teaching/terse-language.ts";
import { BuiltinClassifier } from "../traces/classifier/builtin-classifier.ts";
import { segment, stepSegmentation } from "../traces/segmentation.ts";
import type { ClassifierDescription } from "../traces/span-classifier.ts";
import type { TraceSpan } from "./api.ts";

/** How the traces of a source are read. */
export type Language = "terse" | "prose";

export const languageOf = (responses: readonly string[]): Language => (looksTerse(responses) ? "terse" : "prose");

const openingWords: ReadonlyMap<string, Primitive> = new Map(
  Object.entries(openings).map(([primitive, word]) => [word, primitive as Primitive]),
);

/** Every opening word starts a span; text before the first belongs to none. */
export function terseSpans(text: string): TraceSpan[] {
  const { start, end } = reasoningRange(text);
  const spans: { start: number; end: number; label: Primitive }[] = [];
  const word = /[^ \n]+/g;
  word.lastIndex = start;
  for (let match = word.exec(text); match !== null && match.index < end; match = word.exec(text)) {
    // The tag that ends the block may touch its last word.
    const stop = Math.min(match.index + match[0].length, end);
    const label = openingWords.get(text.slice(match.index, stop));
    if (label !== undefined) spans.push({ start: match.index, end: stop, label });
    else if (spans.length > 0) spans[spans.length - 1].end = stop;
  }
  return spans;
}

export class SpanLabeller {
  readonly #classifier: BuiltinClassifier | undefined;
  readonly #missing: string | undefined;

  private constructor(classifier: BuiltinClassifier | undefined, missing?: string) {
    this.#classifier = classifier;
    this.#missing = missing;
  }

  /** Without a classifier only terse traces and recorded labels can be read. */
  static async load(): Promise<SpanLabeller> {
    try {
      return new SpanLabeller(await BuiltinClassifier.load());
    } catch (error) {
      return new SpanLabeller(undefined, (error as Error).message);
    }
  }

  get classifier(): ClassifierDescription | undefined {
    return this.#classifier?.description;
  }
  /** Why there is no classifier. */
  get missing(): string | undefined {
    return this.#missing;
  }

  spans(text: string, language: Language, recorded?: readonly Primitive[]): TraceSpan[] {
    if (language === "terse") return terseSpans(text);
    const steps = recorded === undefined ? [] : segment(text, stepSegmentation);
    if (recorded !== undefined && steps.length === recorded.length)
      return steps.map(({ start, end }, i) => ({ start, end, label: recorded[i] }));
    if (this.#classifier === undefined) return [];
    const spans = segment(text);
    const { sequence, confidences } = this.#classifier.labelTrace(spans);
    return spans.map(({ start, end }, i) => ({
      start,
      end,
      label: primitives[sequence[i]],
      confidence: Math.round(confidences[i] * 1000) / 1000,
    }));
  }

  /** For whoever reads the labels: who gave them, and how good that is. */
  about(language: Language, recorded: boolean): string | undefined {
    if (language === "terse") return "labels by the grammar of the terse language (exact by construction)";
    if (this.#classifier === undefined) return undefined;
    const { name, version, quality } = this.#classifier.description;
    const measured =
      quality === undefined
        ? "quality not measured"
        : `accuracy ${quality.accuracy.toFixed(2)}, macro F1 ${quality.macroF1.toFixed(2)}: ${quality.measured}`;
    const own = recorded ? "labels recorded with the trace where they fit its steps, else " : "labels ";
    return `${own}by ${name} ${version} (${measured})`;
  }
}
