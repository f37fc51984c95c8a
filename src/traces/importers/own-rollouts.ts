// This project's own records: rollouts of training and evaluation, and teacher traces with their labels.
import { boardSize, puzzleIdentity } from "../../problems/problem-id.ts";
import { type Primitive, primitives } from "../../rollouts/primitives.ts";
import { rolloutSchema } from "../../rollouts/rollout.ts";
import { teacherTraceSchema } from "../../teaching/corpus.ts";
import { withReasoning } from "../trace.ts";
import { type RowFormat, unusable } from "./row-format.ts";

const known: ReadonlySet<string> = new Set(primitives);

function whatIsAsked(problem: string): { readonly puzzle?: string; readonly size?: string } {
  const asked = puzzleIdentity(problem);
  return asked === undefined ? {} : { puzzle: asked.puzzle, size: asked.size };
}

export const ownRollouts: RowFormat = {
  name: "rollouts",
  recognises: (row) =>
    "problem" in row && "attempt" in row && "policy" in row && "state" in row && "response" in row ? 1 : 0,
  traces(row, { source, named }) {
    const parsed = rolloutSchema.safeParse(row);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return unusable(`not a rollout: ${issue.path.join(".")}: ${issue.message}`);
    }
    const { problem, attempt, policy, step, state, failure, response, reasoning, responseTokens, grade, primitives } =
      parsed.data;
    if (state === "failed") return unusable(`the attempt failed: ${failure ?? "no reason recorded"}`);
    const labels = primitives?.every((label) => known.has(label)) ? (primitives as Primitive[]) : undefined;
    return [
      {
        checkpoint: named ? source : step === undefined ? policy : `${policy} step ${step}`,
        step,
        problem,
        attempt: step === undefined ? attempt : undefined,
        ...whatIsAsked(problem),
        correct: grade === undefined || grade.verdict === "undecided" ? undefined : grade.verdict === "correct",
        response: withReasoning(reasoning, response),
        responseTokens,
        labels,
      },
    ];
  },
};

export const teacherCorpus: RowFormat = {
  name: "corpus",
  recognises: (row) => ("instance" in row && "source" in row && "puzzle" in row && "response" in row ? 1 : 0),
  traces(row, { source, named }) {
    const parsed = teacherTraceSchema.safeParse(row);
    if (!parsed.success) return unusable(`not a teacher trace: ${parsed.error.issues[0].message}`);
    const { problem, puzzle, instance, response, tokens, labels } = parsed.data;
    return [
      {
        checkpoint: named ? source : `teacher (${parsed.data.source.teacher})`,
        problem,
        puzzle,
        size: boardSize(instance),
        correct: true,
        response,
        responseTokens: tokens,
        labels,
      },
    ];
  },
};
