// A problem as an engine and a training loop see it.
import type { Problem } from "../problems/problem.ts";
import type { PromptedProblem } from "./collect.ts";
import type { ProblemGraders } from "./problem-grading.ts";

export function promptedProblem(problem: Problem, prompt: readonly number[], graders: ProblemGraders): PromptedProblem {
  const family = problem.kind === "puzzle" ? problem.puzzle : (problem.set ?? "questions");
  return { id: problem.id, family, prompt, question: problem.prompt, grade: graders.of(problem) };
}
