// The thread in which MathGrader grades.
import { answerTasks } from "../../base/deadline-pool.ts";
import { messageOf } from "../../base/errors.ts";
import { gradeMath, type MathVerdict, refused } from "./grade.ts";
import type { MathTask, TimedMathVerdict } from "./math-grader.ts";

// The first answer of a thread pays for compiling the grader; a spare has paid before it is needed.
gradeMath("\\frac{\\sqrt{3}+\\sin 1}{2}", "The answer is $\\boxed{\\frac{1}{2}(\\sqrt3+\\sin 1)}$.");
gradeMath("(1, x^2+1]", "$x \\in \\{1, 2\\}$");

answerTasks(({ gold, response, options }: MathTask): TimedMathVerdict => {
  const started = performance.now();
  let verdict: MathVerdict;
  try {
    verdict = gradeMath(gold, response, options);
  } catch (error) {
    // A bug of ours costs this one answer its verdict, and says so; it must not take the others with it.
    verdict = refused(`the grader failed: ${messageOf(error)}`);
  }
  return { ...verdict, ms: Math.round(1000 * (performance.now() - started)) / 1000 };
});
