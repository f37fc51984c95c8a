// The mathematics grader as evaluation asks it: in worker threads, each answer with a hard deadline.
import { MathGrader, type MathGraderOptions } from "../grading/math/math-grader.ts";
import type { EquivalenceGrader } from "./grading.ts";

export function equivalenceGrader(options: MathGraderOptions = {}): EquivalenceGrader {
  const grader = new MathGrader(options);
  return {
    async grade({ gold, response, decimals }) {
      // A gold answer that was rounded can only be met to its own places.
      const rounding =
        decimals === undefined ? {} : { decimalPlaces: decimals, decimalShare: Number.POSITIVE_INFINITY };
      const {
        verdict,
        because,
        answer,
        source,
        gold: goldForm,
        prediction,
      } = await grader.grade(gold, response, rounding);
      const missing = verdict === "different" && source === "none" && answer === "";
      return { verdict: missing ? "unreadable" : verdict, because, answer, gold: goldForm, prediction };
    },
    close: () => grader.close(),
  };
}
