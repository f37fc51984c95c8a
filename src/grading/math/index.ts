// The mathematics grader as others use it. Pure: runs in a browser too. Stability: stable.
export { type ExtractedAnswer, extractAnswer, gradeMath, type MathVerdict } from "./grade.ts";
export type { MathOptions, MathOptionsInput } from "./options.ts";
