// The mathematics grader as training and evaluation ask it: in worker threads, each answer with a hard deadline.
import { MathGrader, type MathGraderOptions } from "../grading/math/math-grader.ts";
import type { GradingMode } from "../grading/math/options.ts";

/** Decides whether the final answer of a response equals a gold answer. */
export interface EquivalenceGrader {
  grade(question: {
    readonly gold: string;
    readonly response: string;
    /** Decimal places that the gold answer was rounded to. */
    readonly decimals?: number;
  }): Promise<EquivalenceGrade>;
  close(): Promise<void>;
}

type EquivalenceGrade = {
  /** `unreadable`: no final answer was found. */
  readonly verdict: "equal" | "different" | "undecided" | "unreadable";
  readonly because?: string;
  /** The final answer as it was written. */
  readonly answer?: string;
  /** What gold and final answer were read as. */
  readonly gold?: string;
  readonly prediction?: string;
};

/** `mode`: generous for evaluation, or as strict as a reward must be. */
export type EquivalenceOptions = MathGraderOptions & { readonly mode?: GradingMode };

export function equivalenceGrader({ mode = "evaluation", ...options }: EquivalenceOptions = {}): EquivalenceGrader {
  const grader = new MathGrader(options);
  return {
    async grade({ gold, response, decimals }) {
      // A gold answer that was rounded can only be met to its own places.
      const rounding =
        decimals === undefined ? {} : { decimalPlaces: decimals, decimalShare: Number.POSITIVE_INFINITY };
      const { verdict, source, because, answer, ...read } = await grader.grade(gold, response, { mode, ...rounding });
      const missing = verdict === "different" && source === "none" && answer === "";
      const { gold: goldRead, prediction } = read;
      return { verdict: missing ? "unreadable" : verdict, because, answer, gold: goldRead, prediction };
    },
    close: () => grader.close(),
  };
}
