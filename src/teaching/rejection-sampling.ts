// From a teacher's rollout to a trace worth learning from, or the reason why not: the answer must verify, the text must be
// short enough. What the student learns to write has the tags, wherever the server put the thinking.

import { answerText, reasoningText } from "../grading/tags.ts";
import type { PuzzleProblem } from "../problems/problem.ts";
import { puzzleResponse } from "../puzzles/prompt.ts";
import { puzzleGrader } from "../rollouts/puzzle-grading.ts";
import type { Rollout } from "../rollouts/rollout.ts";
import type { RejectionReason, TeacherTrace, TraceSource } from "./corpus.ts";

export type Attempt = { readonly kept: TeacherTrace } | { readonly rejected: RejectionReason };

export type RejectionOptions = {
  readonly maxTokens: number;
  readonly countTokens: (text: string) => number;
  readonly source: TraceSource;
};

/** The response as a student is to write it: thinking in its tags, then the one answer. */
function studentResponse({ response, reasoning }: Pick<Rollout, "response" | "reasoning">): string | undefined {
  const answer = answerText(response);
  if ("missing" in answer) return undefined;
  const thought = [reasoning, reasoningText(response)]
    .filter((part) => part !== undefined && part.trim() !== "")
    .join("\n\n");
  return puzzleResponse(thought.trim(), answer.text.trim());
}

export function rejectionSampler(
  problem: PuzzleProblem,
  options: RejectionOptions,
): (rollout: Pick<Rollout, "state" | "response" | "reasoning">) => Attempt {
  const grade = puzzleGrader(problem);
  return (rollout) => {
    if (rollout.state !== "complete") return { rejected: rollout.state === "truncated" ? "too long" : "failed" };
    const response = studentResponse(rollout);
    if (response === undefined) return { rejected: "unreadable" };
    const { verdict } = grade(response);
    if (verdict !== "correct") return { rejected: verdict === "wrong" ? "wrong" : "unreadable" };
    const tokens = options.countTokens(response);
    if (tokens > options.maxTokens) return { rejected: "too long" };
    const { id, prompt, puzzle, instance } = problem;
    return { kept: { problem: id, puzzle, instance, prompt, response, tokens, source: options.source } };
  };
}
