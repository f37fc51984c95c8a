// The mathematics grader as evaluation asks it.
import { gradeMath } from "../grading/math/index.ts";
import type { EquivalenceGrader } from "./grading.ts";

export function equivalenceGrader(): EquivalenceGrader {
  return {
    async grade({ gold, response, decimals }) {
      // A gold answer that was rounded can only be met to its own places.
      const rounding =
        decimals === undefined ? {} : { decimalPlaces: decimals, decimalShare: Number.POSITIVE_INFINITY };
      const { verdict, because, answer, source, gold: goldForm, prediction } = gradeMath(gold, response, rounding);
      const missing = source === "none" && answer === "";
      return { verdict: missing ? "unreadable" : verdict, because, answer, gold: goldForm, prediction };
    },
    async close() {},
  };
}
