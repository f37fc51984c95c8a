// The shipped classifier at work: synchronous and without allocation in the loop, for workers that label millions of spans.
import { fileURLToPath } from "node:url";
import type { Taxonomy } from "../../rollouts/taxonomy.ts";
import type { LabelerDescription } from "../labeler.ts";
import { type Alphabet, alphabetOf, type PrimitiveSequence } from "../sequence.ts";
import type { SpanClassifier, SpanInContext, SpanLabel } from "../span-classifier.ts";
import { FeatureExtractor } from "./features.ts";
import { likeliest, scoreLinear, softmaxInPlace } from "./linear-model.ts";
import { loadClassifier, type StoredClassifier, shippedClassifier } from "./model-file.ts";
import { doesNoReasoning } from "./no-reasoning.ts";

export class BuiltinClassifier implements SpanClassifier {
  readonly description: LabelerDescription;
  readonly taxonomy: Taxonomy;
  readonly #alphabet: Alphabet;
  readonly #stored: StoredClassifier;
  readonly #extractor = new FeatureExtractor();
  readonly #scores: Float64Array;

  constructor(stored: StoredClassifier) {
    this.#stored = stored;
    const { name, version, about, quality, taxonomy } = stored.description;
    this.taxonomy = taxonomy;
    this.#alphabet = alphabetOf(taxonomy);
    this.#scores = new Float64Array(stored.model.classes);
    this.description = { kind: "classifier", name, version, about, taxonomy: taxonomy.name, quality };
  }

  /** From a folder made by training; the shipped one where none is named. */
  static async load(folder: string = fileURLToPath(shippedClassifier)): Promise<BuiltinClassifier> {
    return new BuiltinClassifier(await loadClassifier(folder));
  }

  /** Probabilities by label, in the order of the alphabet; valid until the next call. */
  probabilities(span: SpanInContext): Float64Array {
    const { breakCode } = this.#alphabet;
    if (doesNoReasoning(span.text, span.previous)) return this.#scores.fill(0).fill(1, breakCode, breakCode + 1);
    scoreLinear(this.#stored.model, this.#extractor.read(span), this.#scores);
    softmaxInPlace(this.#scores, this.#stored.description.temperature);
    return this.#scores;
  }

  /** A whole trace: the codes of its labels and their confidences. */
  labelTrace(spans: readonly { readonly text: string }[]): { sequence: PrimitiveSequence; confidences: Float32Array } {
    const sequence = new Uint8Array(spans.length);
    const confidences = new Float32Array(spans.length);
    let previous = "";
    for (let i = 0; i < spans.length; i++) {
      const scores = this.probabilities({ text: spans[i].text, previous, place: (i + 1) / spans.length });
      sequence[i] = likeliest(scores);
      confidences[i] = scores[sequence[i]];
      previous = spans[i].text;
    }
    return { sequence, confidences };
  }

  labelSpan(span: SpanInContext): SpanLabel {
    const scores = this.probabilities(span);
    const best = likeliest(scores);
    return { label: this.#alphabet.labels[best], confidence: scores[best] };
  }

  async label(spans: readonly SpanInContext[]): Promise<readonly SpanLabel[]> {
    return spans.map((span) => this.labelSpan(span));
  }
}
