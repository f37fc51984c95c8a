// The thread in which MathGrader grades: takes tasks, answers each with a verdict, and counts what it has finished.
import { parentPort, workerData } from "node:worker_threads";
import { gradeMath, type MathVerdict, refused } from "./grade.ts";
import type { MathTask, TimedMathVerdict } from "./math-grader.ts";

export type ToGrader = { readonly tasks: readonly MathTask[] };
export type FromGrader = { readonly kind: "ready" } | { readonly kind: "verdict"; readonly verdict: TimedMathVerdict };

if (parentPort === null) throw new Error("math-grader-worker runs as a worker thread of MathGrader only");
const port = parentPort;
const { finished } = workerData as { readonly finished: Int32Array };

const send = (message: FromGrader) => port.postMessage(message);

// The first answer of a thread pays for compiling the grader; a spare has paid before it is needed.
gradeMath("\\frac{\\sqrt{3}+\\sin 1}{2}", "The answer is $\\boxed{\\frac{1}{2}(\\sqrt3+\\sin 1)}$.");
gradeMath("(1, x^2+1]", "$x \\in \\{1, 2\\}$");

port.on("message", ({ tasks }: ToGrader) => {
  for (const { gold, response, options } of tasks) {
    const started = performance.now();
    let verdict: MathVerdict;
    try {
      verdict = gradeMath(gold, response, options);
    } catch (error) {
      // A bug of ours costs this one answer its verdict, and says so; it must not take the others with it.
      const because = `the grader failed: ${error instanceof Error ? error.message : String(error)}`;
      verdict = refused(because);
    }
    send({ kind: "verdict", verdict: { ...verdict, ms: Math.round(1000 * (performance.now() - started)) / 1000 } });
    Atomics.add(finished, 0, 1);
  }
});
send({ kind: "ready" });
