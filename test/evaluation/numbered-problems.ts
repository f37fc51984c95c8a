// Small problems whose answers a fake server can know.
import type { MathematicsProblem } from "../../src/problems/problem.ts";

export const testSettings = { temperature: 0.6, maxTokens: 100 };

/** A client that gives up soon, so that tests of trouble are short; but not before a busy machine has answered. */
export const impatient = {
  backoffSeconds: 0.01,
  deadlineSeconds: 5,
  silenceSeconds: 3,
  concurrency: { start: 32, smallest: 16 },
};

export const numberedProblems = (count: number): MathematicsProblem[] =>
  Array.from({ length: count }, (_, i) => ({
    kind: "mathematics",
    id: `p${i}`,
    set: "synthetic",
    prompt: `what is ${i} + ${i} ?`,
    answer: String(2 * i),
  }));
