// Labels that are not sure enough are none: a third state beside the labels and the break. From which confidence on a label
// counts is one number for all, or one for each label, as its labeler was measured: from there on it is right four times in five.
import { ConfigurationError } from "../base/errors.ts";
import type { LabelerDescription } from "./labeler.ts";
import type { Alphabet, PrimitiveSequence } from "./sequence.ts";

/** A confidence, or `sure`: as the labeler was measured. */
export type Abstention = number | "sure";

/** By code: the least confidence of a label that counts. A label that never is right often enough has none; breaks found by rule count. */
export function leastConfidences(
  { name, quality }: Pick<LabelerDescription, "name" | "quality">,
  { labels, taxonomy }: Alphabet,
  abstainBelow: Abstention,
): Float64Array {
  if (abstainBelow !== "sure") return new Float64Array(labels.length).fill(abstainBelow);
  const { sure } = quality ?? {};
  if (sure === undefined)
    throw new ConfigurationError(`${name} was not measured label by label; give --abstain-below a number instead`);
  const never = (label: string) => (label === taxonomy.break ? 1 : Number.POSITIVE_INFINITY);
  return Float64Array.from(labels, (label) => sure[label]?.from ?? never(label));
}

/** The sequence with what is not sure marked so. */
export function withUnsure(
  sequence: PrimitiveSequence,
  confidences: ArrayLike<number>,
  least: Float64Array,
  alphabet: Pick<Alphabet, "breakCode" | "unsureCode">,
): PrimitiveSequence {
  return sequence.map((code, i) => (isSure(code, confidences[i], least, alphabet) ? code : alphabet.unsureCode));
}

export const isSure = (
  code: number,
  confidence: number,
  least: Float64Array,
  { breakCode }: Pick<Alphabet, "breakCode">,
): boolean =>
  // A break without any confidence is a judge that gave no label.
  confidence >= least[code] && (code !== breakCode || confidence > 0);
