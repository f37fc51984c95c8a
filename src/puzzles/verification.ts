// Grading an answer to a puzzle: the verdict by the rules, and the reward by part. Givens come from the problem alone;
// nothing in the answer is ever taken as a clue.
import { completionReward, paperReward, type RewardParts, type RewardWeights, rewardParts } from "../grading/reward.ts";
import { answerText, formatReward } from "../grading/tags.ts";
import { correct, unreadable, type Verdict, wrong } from "../grading/verdict.ts";
import { answerInForm } from "./board-forms.ts";
import { boardText } from "./json-answer.ts";
import type { AnyPuzzle, Cell, ReadBoard, Violation } from "./puzzle.ts";

export type PuzzleGrade = {
  readonly verdict: Verdict;
  readonly parts: RewardParts;
  /** Where the broken rule is broken. */
  readonly cells: readonly Cell[];
  /** What the answer says, where it can be read. */
  readonly board?: unknown;
};

/** A problem whose solution is worked out once, so that thousands of answers can be graded against it. */
export type GradingKey = {
  readonly puzzle: AnyPuzzle;
  readonly instance: unknown;
  /** Cells of a solution, for the completion reward; absent when none is known, and then only right answers complete. */
  readonly solution?: readonly string[];
  readonly initial: readonly string[];
  /** Cells of answers that need no thought, where the puzzle knows such. */
  readonly lazyAnswers: readonly (readonly string[])[];
};

/** Solves only when a wrong answer is to be measured: most responses, and all without an answer, never need it. */
export function gradingKey(puzzle: AnyPuzzle, instance: unknown, solution?: unknown): GradingKey {
  let solved: { readonly cells?: readonly string[] } | undefined;
  let lazyAnswers: (readonly string[])[] | undefined;
  return {
    puzzle,
    instance,
    initial: puzzle.initialCells(instance),
    get solution() {
      if (solved === undefined) {
        const board = solution ?? solutionOf(puzzle, instance);
        solved = { cells: board === undefined ? undefined : puzzle.answerCells(instance, board) };
      }
      return solved.cells;
    },
    get lazyAnswers() {
      lazyAnswers ??= Object.values(puzzle.lazyAnswers(instance)).flatMap((answer) => {
        const read = puzzle.readAnswer(instance, answer);
        return "unreadable" in read ? [] : [puzzle.answerCells(instance, read.board)];
      });
      return lazyAnswers;
    },
  };
}

function solutionOf(puzzle: AnyPuzzle, instance: unknown): unknown {
  const solved = puzzle.solve(instance);
  if (solved.status === "unique") return solved.solution;
  return solved.status === "multiple" ? solved.solutions[0] : undefined;
}

/** Grades the text between the tags. The format part is 1: there was no response around it to judge. */
export function gradeAnswer(key: GradingKey, answer: string, weights: RewardWeights = paperReward): PuzzleGrade {
  return gradeText(key, answer, 1, weights);
}

/** Grades a whole response with its tags. */
export function gradeResponse(key: GradingKey, response: string, weights: RewardWeights = paperReward): PuzzleGrade {
  const format = formatReward(response);
  const answer = answerText(response);
  if ("missing" in answer) {
    const parts = rewardParts({ exact: false, completion: 0, format }, weights);
    return { verdict: unreadable(answer.missing), parts, cells: [] };
  }
  return gradeText(key, answer.text, format, weights);
}

function gradeText(key: GradingKey, text: string, format: number, weights: RewardWeights): PuzzleGrade {
  const { puzzle, instance } = key;
  const read = readAs(key, text);
  if ("unreadable" in read) {
    const parts = rewardParts({ exact: false, completion: 0, format }, weights);
    return { verdict: unreadable(read.unreadable), parts, cells: [] };
  }
  const judgment = puzzle.judge(instance, read.board);
  if (judgment.correct) {
    // Another right answer to a puzzle with several is complete, however much it differs from the one we know.
    return {
      verdict: correct,
      parts: rewardParts({ exact: true, completion: 1, format }, weights),
      cells: [],
      board: read.board,
    };
  }
  const cells = puzzle.answerCells(instance, read.board);
  const { solution, initial } = key;
  const lazyAnswers = weights.completionBy === "classes" ? key.lazyAnswers : [];
  const completion = solution === undefined ? 0 : completionReward(cells, solution, initial, weights, lazyAnswers);
  const parts = rewardParts({ exact: false, completion, format }, weights);
  return { verdict: wrong(judgment.because), parts, cells: judgment.cells, board: read.board };
}

/** As we write answers, or as TopoBench does, whatever the prompt was. A right one is right in one form only. */
function readAs({ puzzle, instance }: GradingKey, text: string): ReadBoard<unknown> {
  const own = puzzle.readAnswer(instance, boardText(text));
  // Codes in JSON may look like the symbols of an answer, but of none that keeps its givens.
  const clear = "board" in own && !/^\s*(?:[`~]{3,}\w*\s*)?[[{]/.test(text);
  if (clear || ("board" in own && puzzle.judge(instance, own.board).correct)) return own;
  const other = answerInForm(puzzle, instance, text);
  const read = other === undefined ? own : puzzle.readAnswer(instance, other);
  return "board" in read ? read : own;
}

/** Every broken rule of an answer that was read; none for a right one. */
export function violationsOf({ puzzle, instance }: GradingKey, { verdict, board }: PuzzleGrade): readonly Violation[] {
  if (board === undefined || verdict.verdict === "correct") return [];
  return puzzle.violations(instance, board);
}
