// Grades for responses to puzzle problems. The key of a problem (its instance, solved once) is made on first use.
import { paperReward, type RewardWeights } from "../grading/reward.ts";
import type { PuzzleProblem } from "../problems/problem.ts";
import { puzzleNamed } from "../puzzles/catalog.ts";
import { gradeResponse, gradingKey } from "../puzzles/verification.ts";
import type { Grade } from "./rollout.ts";

export function puzzleGrader(
  problem: PuzzleProblem,
  weights: RewardWeights = paperReward,
): (response: string) => Grade {
  const puzzle = puzzleNamed(problem.puzzle);
  const key = gradingKey(puzzle, puzzle.readId(problem.instance));
  return (response) => {
    const { verdict, parts, board } = gradeResponse(key, response, weights);
    const { exact, completion, format, reward } = parts;
    const because = verdict.verdict === "correct" ? undefined : verdict.because;
    // Written anew, so that two spellings of one board are one answer.
    const answer = board === undefined ? undefined : puzzle.renderAnswer(key.instance, board);
    return { verdict: verdict.verdict, because, answer, reward: { exact, completion, format, total: reward } };
  };
}
