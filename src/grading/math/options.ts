// Everything that can be chosen about grading mathematics. The defaults live here and nowhere else.
import { ConfigurationError } from "../../base/errors.ts";

/** Where an answer is looked for in a response. */
export type ExtractionOptions = {
  /** Words that may be the answer, such as the letters of a multiple choice. */
  readonly strings: readonly string[];
  /** "The answer is odd": a few words behind "answer" count. Turned on by itself where the gold answer is words. */
  readonly words: boolean;
  /** What stands nowhere near "answer" and in no box counts too. */
  readonly unanchored: boolean;
  /** Lower is looked at earlier: "the answer is" is 50, "answer: …" with words between 100; -1 ignores boxes. */
  readonly boxPriority: number;
  /** A last box that was never closed, or is empty, is a cut-off answer; the boxes before it were drafts. */
  readonly unclosedBox: "no-answer" | "earlier-box";
};

/**
 * What grading is for. `evaluation` reads as much as it can, so that no model is wronged for its style. `reward` is for training, which
 * finds every hole: it pays only what cannot be taken for anything else, and whatever is in doubt is undecided.
 */
export const gradingModes = ["evaluation", "reward"] as const;
export type GradingMode = (typeof gradingModes)[number];

export type MathOptions = {
  readonly mode: GradingMode;
  readonly extraction: ExtractionOptions;
  /** Where a written decimal takes part, both sides are rounded to so many places. */
  readonly decimalPlaces: number;
  /**
   * … and must agree to this share of their size, so that 0.0000001 and 0.0000002 do not meet at 0.000000. Unless given it
   * follows from the places (10^-4 for six), and two written decimals agree in every digit of the shorter; `Infinity` rounds and asks no more, as a benchmark wants whose gold
   * answers are rounded themselves.
   */
  readonly decimalShare: number | undefined;
  /** Constants this close are equal, decimals or not; nothing unless asked for. */
  readonly tolerance: { readonly absolute?: number; readonly relative?: number } | undefined;
  /** "optional": a unit on one side only is passed over. "required": both have one, or neither. */
  readonly units: "optional" | "required";
  /** What the letters of a multiple choice stand for: a gold letter accepts its text, a gold text its letter. */
  readonly choices: Readonly<Record<string, string>> | undefined;
  /** "any": 3, 1 equals 1, 3. "as-written": a list that is no set keeps its order. */
  readonly listOrder: "any" | "as-written";
  /** 9% also equals 9. */
  readonly percentEqualsNumber: boolean;
  /** A gold set also accepts the inequality in one unknown that describes it. The other way round is always accepted. */
  readonly allowSetRelation: boolean;
};

export const defaultMathOptions: MathOptions = {
  mode: "evaluation",
  extraction: {
    strings: [],
    words: false,
    unanchored: true,
    boxPriority: 50,
    unclosedBox: "no-answer",
  },
  decimalPlaces: 6,
  decimalShare: undefined,
  tolerance: undefined,
  listOrder: "any",
  units: "optional",
  choices: undefined,
  percentEqualsNumber: false,
  allowSetRelation: true,
};

export type MathOptionsInput = Partial<Omit<MathOptions, "extraction">> & {
  readonly extraction?: Partial<ExtractionOptions>;
};

/** The defaults with some of them replaced; an option that does not exist is an error. */
export function mathOptions(given: MathOptionsInput = {}): MathOptions {
  requireKnown(given, defaultMathOptions);
  requireKnown(given.extraction, defaultMathOptions.extraction);
  return {
    ...defaultMathOptions,
    ...given,
    extraction: { ...defaultMathOptions.extraction, ...given.extraction },
  };
}

function requireKnown(given: object | undefined, known: object): void {
  for (const name of Object.keys(given ?? {})) {
    if (!(name in known))
      throw new ConfigurationError(`unknown option "${name}"; expected one of: ${Object.keys(known).join(", ")}`);
  }
}
