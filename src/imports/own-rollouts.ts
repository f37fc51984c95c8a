// This project's own records: rollouts of training and evaluation, and teacher traces with their labels.
import { boardSize, puzzleIdentity } from "../problems/problem-id.ts";
import { rolloutSchema } from "../rollouts/rollout.ts";
import { teacherTraceSchema } from "../teaching/corpus.ts";
import { type RowFormat, unusable } from "./row-format.ts";
import { stepName } from "./step-name.ts";
import { exactTeacher, type Trace, withReasoning } from "./trace.ts";

function whatIsAsked(problem: string): Pick<Trace, "kind" | "puzzle" | "size"> {
  const asked = puzzleIdentity(problem);
  return asked === undefined ? {} : { kind: "puzzle", puzzle: asked.puzzle, size: asked.size };
}

export const ownRollouts: RowFormat = {
  name: "rollouts",
  has: ["problem", "attempt", "policy", "state", "response"],
  traces(row, { source, named, imported }) {
    const parsed = rolloutSchema.safeParse(row);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return unusable(`not a rollout: ${issue.path.join(".")}: ${issue.message}`);
    }
    const { problem, attempt, policy, step, state, failure, response, reasoning, responseTokens, grade } = parsed.data;
    const { primitives: labels, labeledBy, prompt, recorded } = parsed.data;
    if (state === "failed") return unusable(`the attempt failed: ${failure ?? "no reason recorded"}`);
    // What was imported knows its checkpoint, its stage and its attempts.
    const told = imported && {
      checkpoint: imported.stage === "training" && step !== undefined ? stepName(source, step) : source,
      ...{ stage: imported.stage, attempt },
    };
    return [
      {
        checkpoint: step === undefined ? (named ? source : policy) : stepName(named ? source : undefined, step),
        stage: step === undefined ? "evaluation" : "training",
        step,
        problem,
        attempt: step === undefined ? attempt : undefined,
        ...whatIsAsked(problem),
        correct: grade && grade.verdict === "correct",
        response: withReasoning(reasoning, response),
        responseTokens,
        prompt,
        ...(state === "truncated" && { truncated: true }),
        gradedBy: grade?.by,
        recorded: recorded?.correct,
        score: recorded === undefined && grade?.by === undefined ? grade?.reward.total : recorded?.score,
        // Whoever gave them must be known.
        ...(labels !== undefined && labeledBy !== undefined && { labels, labeledBy }),
        ...told,
      },
    ];
  },
};

export const teacherCorpus: RowFormat = {
  name: "corpus",
  has: ["instance", "source", "puzzle", "response"],
  traces(row, { source, named }) {
    const parsed = teacherTraceSchema.safeParse(row);
    if (!parsed.success) return unusable(`not a teacher trace: ${parsed.error.issues[0].message}`);
    const { problem, puzzle, instance, prompt, response, tokens, labels } = parsed.data;
    return [
      {
        checkpoint: named ? source : `teacher (${parsed.data.source.teacher})`,
        problem,
        stage: "teacher",
        kind: "puzzle",
        puzzle,
        size: boardSize(instance),
        correct: true,
        prompt,
        response,
        responseTokens: tokens,
        ...(labels !== undefined && { labels, labeledBy: exactTeacher }),
      },
    ];
  },
};
