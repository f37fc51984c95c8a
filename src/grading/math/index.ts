// The mathematics grader as others use it. Pure: runs in a browser too. Stability: stable.
export { type ExtractedAnswer, extractAnswer, gradeMath, longestResponse, type MathVerdict } from "./grade.ts";
export {
  defaultMathOptions,
  type ExtractionOptions,
  type MathOptions,
  type MathOptionsInput,
  mathOptions,
  type NormalizationOptions,
} from "./options.ts";
