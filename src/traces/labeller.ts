// Who says what a span does. A labeller is a value: the grammar of the terse language, a classifier, a judge, or whoever
// recorded labels with a trace. Its identity and its measured quality travel with every record that it labelled.
import { z } from "zod";
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import { classifierQualitySchema } from "./classifier/quality.ts";
import type { Span } from "./segmentation.ts";
import type { PrimitiveSequence } from "./sequence.ts";

export const labellerDescriptionSchema = z.object({
  /** `grammar`: by construction. `recorded`: given with the trace by somebody who knows. */
  kind: z.enum(["grammar", "classifier", "judge", "recorded"]),
  name: z.string(),
  version: z.string(),
  /** One line: what it is and what it learned from. */
  about: z.string(),
  /** The name of the taxonomy its labels are from. */
  taxonomy: z.string(),
  /** Measured on traces it had not seen; absent where nobody has measured it. */
  quality: classifierQualitySchema.optional(),
});
export type LabellerDescription = z.infer<typeof labellerDescriptionSchema>;

/** How records refer to it: the same id is the same labels for the same text. */
export const labellerId = ({ kind, name, version }: LabellerDescription): string => `${kind}:${name}@${version}`;

/** Labels that cannot be wrong need no correction. */
export const isExact = ({ kind }: LabellerDescription): boolean => kind === "grammar" || kind === "recorded";

/** The sentence that stands beside every number made from its labels. */
export function labellerWords(labeller: LabellerDescription): string {
  const { name, version, quality } = labeller;
  if (isExact(labeller)) return `labels by ${name} (exact by construction)`;
  if (quality === undefined) return `labels by ${name} ${version} (quality not measured)`;
  const { accuracy, macroF1, measured } = quality;
  return `labels by ${name} ${version} (accuracy ${accuracy.toFixed(2)}, macro-F1 ${macroF1.toFixed(2)}: ${measured})`;
}

export type LabelledTrace = {
  /** As many as labels; empty where only the labels were recorded. */
  readonly spans: readonly Span[];
  readonly sequence: PrimitiveSequence;
  /** How likely each label is right; NaN where nobody said. */
  readonly confidences: ArrayLike<number>;
};

export interface Labeller<Read = LabelledTrace | Promise<LabelledTrace>> {
  readonly description: LabellerDescription;
  readonly taxonomy: Taxonomy;
  readonly read: (response: string, question?: string) => Read;
}
