// Small problems whose answers a fake server can know.
import type { MathematicsProblem } from "../../src/problems/problem.ts";

export const testSettings = { temperature: 0.6, maxTokens: 100 };

export const numberedProblems = (count: number): MathematicsProblem[] =>
  Array.from({ length: count }, (_, i) => ({
    kind: "mathematics",
    id: `p${i}`,
    set: "synthetic",
    prompt: `what is ${i} + ${i} ?`,
    answer: String(2 * i),
  }));
