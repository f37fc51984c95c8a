// The one place that decides who labels a trace. A model whose run says that it speaks the terse language is read by the
// grammar. Recorded labels are believed where they are exact or the labeler's own. Everything else goes to the labeler.

import type { Language } from "../engine/language.ts";
import { exactTeacher } from "../imports/trace.ts";
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import { type Abstention, leastConfidences, withUnsure } from "./abstention.ts";
import { type LabeledTrace, type Labeler, type LabelerDescription, labelerId } from "./labeler.ts";
import { grammarLabeler } from "./labelers/grammar.ts";
import { segment, stepSegmentation } from "./segmentation.ts";
import { type Alphabet, alphabetOf, sequenceOf } from "./sequence.ts";

export type Unread = {
  readonly response: string;
  /** What was asked: context for labelers that look at it. */
  readonly prompt?: string;
  readonly language?: Language;
  readonly labels?: readonly string[];
  /** The id of whoever gave the labels; `teacher` for a teacher whose labels are exact. */
  readonly labeledBy?: string;
};

export type ReadTrace = LabeledTrace & {
  readonly labeledBy: LabelerDescription;
  /** Spans that the labeler was not sure enough of: they have no label. */
  readonly abstained: number;
};

export class TraceReader {
  readonly labeler: Labeler;
  readonly alphabet: Alphabet;
  readonly #least: Float64Array;
  readonly #abstains: boolean;

  constructor(labeler: Labeler, abstainBelow: Abstention = 0) {
    this.labeler = labeler;
    this.alphabet = alphabetOf(labeler.taxonomy);
    this.#least = leastConfidences(labeler.description, this.alphabet, abstainBelow);
    this.#abstains = abstainBelow !== 0;
  }

  async read(trace: Unread): Promise<ReadTrace> {
    const known = this.#known(trace);
    if (known !== undefined) return known;
    const found = await this.labeler.read(trace.response, trace.prompt);
    return { ...found, ...this.#withAbstentions(found), labeledBy: this.labeler.description };
  }

  #known({ response, language, labels, labeledBy }: Unread): ReadTrace | undefined {
    const { taxonomy, description } = this.labeler;
    // The grammar's words are the paper's primitives: under another taxonomy they mean nothing.
    if (language === "terse" && taxonomy.name === grammarLabeler.taxonomy.name) {
      return { ...grammarLabeler.read(response), labeledBy: grammarLabeler.description, abstained: 0 };
    }
    if (labels === undefined) return undefined;
    const exact = labeledBy === exactTeacher;
    // Abstaining needs confidences, which are not recorded.
    if (!exact && (labeledBy !== labelerId(description) || this.#abstains)) return undefined;
    const recorded = recordedTrace(response, labels, taxonomy, exact ? 1 : Number.NaN);
    if (recorded === undefined) return undefined;
    return { ...recorded, labeledBy: exact ? teacherDescription(taxonomy) : description, abstained: 0 };
  }

  #withAbstentions({ sequence, confidences }: LabeledTrace): Pick<ReadTrace, "sequence" | "abstained"> {
    const marked = withUnsure(sequence, confidences, this.#least, this.alphabet);
    return { sequence: marked, abstained: marked.filter((code) => code === this.alphabet.unsureCode).length };
  }
}

/** The narrating teacher, whose steps are what it decided to do. */
const teacherDescription = (taxonomy: Taxonomy): LabelerDescription => ({
  kind: "recorded",
  name: "the narrating teacher itself",
  version: "1",
  about: "the teacher writes each step for what it does",
  taxonomy: taxonomy.name,
});

/** Undefined where a label is none of the taxonomy's. Spans only where the text has as many steps as labels. */
function recordedTrace(
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
