// The one place that decides who labels a trace. A model whose run says that it speaks the terse language is read by the
// grammar. Recorded labels are believed where they are exact or the labeller's own. Everything else goes to the labeller.
import type { Language } from "../engine/language.ts";
import { type LabelledTrace, type Labeller, type LabellerDescription, labellerId } from "./labeller.ts";
import { grammarLabeller } from "./labellers/grammar.ts";
import { recordedTrace, teacherDescription } from "./labellers/recorded.ts";
import { type Alphabet, alphabetOf } from "./sequence.ts";

export type Unread = {
  readonly response: string;
  /** What was asked: context for labellers that look at it. */
  readonly prompt?: string;
  readonly language?: Language;
  readonly labels?: readonly string[];
  /** The id of whoever gave the labels; `teacher` for a teacher whose labels are exact. */
  readonly labelledBy?: string;
};

export type ReadTrace = LabelledTrace & {
  readonly labelledBy: LabellerDescription;
  /** Labels less sure than asked for stand as breaks. */
  readonly abstained: number;
};

export const exactTeacher = "teacher";

export class TraceReader {
  readonly labeller: Labeller;
  readonly alphabet: Alphabet;
  readonly #abstainBelow: number;

  constructor(labeller: Labeller, abstainBelow = 0) {
    this.labeller = labeller;
    this.alphabet = alphabetOf(labeller.taxonomy);
    this.#abstainBelow = abstainBelow;
  }

  async read(trace: Unread): Promise<ReadTrace> {
    const known = this.#known(trace);
    if (known !== undefined) return known;
    const found = await this.labeller.read(trace.response, trace.prompt);
    return { ...found, ...this.#withAbstentions(found), labelledBy: this.labeller.description };
  }

  #known({ response, language, labels, labelledBy }: Unread): ReadTrace | undefined {
    const { taxonomy, description } = this.labeller;
    // The grammar's words are the paper's primitives: under another taxonomy they mean nothing.
    if (language === "terse" && taxonomy.name === grammarLabeller.taxonomy.name) {
      return { ...grammarLabeller.read(response), labelledBy: grammarLabeller.description, abstained: 0 };
    }
    if (labels === undefined) return undefined;
    const exact = labelledBy === exactTeacher;
    // Abstaining needs confidences, which are not recorded.
    if (!exact && (labelledBy !== labellerId(description) || this.#abstainBelow > 0)) return undefined;
    const recorded = recordedTrace(response, labels, taxonomy, exact ? 1 : Number.NaN);
    if (recorded === undefined) return undefined;
    return { ...recorded, labelledBy: exact ? teacherDescription(taxonomy) : description, abstained: 0 };
  }

  #withAbstentions({ sequence, confidences }: LabelledTrace): Pick<ReadTrace, "sequence" | "abstained"> {
    const { breakCode } = this.alphabet;
    let abstained = 0;
    for (let i = 0; i < sequence.length; i++) {
      if (confidences[i] >= this.#abstainBelow || sequence[i] === breakCode) continue;
      sequence[i] = breakCode;
      abstained += 1;
    }
    return { sequence, abstained };
  }
}
