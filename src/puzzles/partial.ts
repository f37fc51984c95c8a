// Boards that are not finished: `?` stands for a cell that is not decided yet. They are measured against the solution, so
// only puzzles with exactly one can be worked on in turns.

import { UserError } from "../base/errors.ts";
import { paperReward, type RewardWeights } from "../grading/reward.ts";
import { answerRows } from "./grid-text.ts";
import { boardText } from "./json-answer.ts";
import type { AnyPuzzle, Cell } from "./puzzle.ts";

const undecided = "?";

/** The solution as the words that an answer would have, cell by cell, and which of them were given. */
type PartialKey = {
  readonly puzzle: AnyPuzzle;
  readonly instance: unknown;
  readonly words: readonly string[];
  readonly given: readonly boolean[];
};

type PartialGrade =
  | { readonly unreadable: string }
  | {
      readonly state: "solved" | "on-track" | "off-track";
      /** Of the cells that are not given: decided rightly, decided wrongly, open. */
      readonly right: number;
      readonly wrong: number;
      readonly open: number;
      /** Where it is wrong. */
      readonly cells: readonly Cell[];
    };

export function partialKey(puzzle: AnyPuzzle, instance: unknown): PartialKey {
  const solved = puzzle.solve(instance);
  if (solved.status !== "unique") {
    throw new UserError(`a board is worked on in turns only if it has one solution; this one has: ${solved.status}`);
  }
  const words = puzzle.renderAnswer(instance, solved.solution).split(/\s+/);
  const initial = puzzle.initialCells(instance);
  const cells = puzzle.answerCells(instance, solved.solution);
  const placeholders = new Set(initial.filter((symbol, cell) => symbol !== cells[cell]));
  const given = cells.map((symbol, cell) => symbol === initial[cell] && !placeholders.has(symbol));
  return { puzzle, instance, words, given };
}

function gradePartial({ puzzle, instance, words, given }: PartialKey, turn: string): PartialGrade {
  const text = boardText(turn);
  // A whole board is what it is as an answer: Galaxies are right whatever their names are.
  const whole = puzzle.readAnswer(instance, text);
  if ("board" in whole && puzzle.judge(instance, whole.board).correct)
    return { state: "solved", right: given.filter((fixed) => !fixed).length, wrong: 0, open: 0, cells: [] };
  const { width, height } = puzzle.size(instance);
  const rows = answerRows(text, words.length, words[0].length);
  if ("unreadable" in rows) return rows;
  if (rows.length !== height) return { unreadable: `expected ${height} rows, found ${rows.length}` };
  let [right, open] = [0, 0];
  const cells: Cell[] = [];
  for (const [row, line] of rows.entries()) {
    const found = line.includes(" ") || words[0].length > 1 ? line.split(" ") : [...line];
    if (found.length !== width) return { unreadable: `row ${row + 1}: expected ${width} cells, found ${found.length}` };
    for (const [column, word] of found.entries()) {
      const cell = row * width + column;
      // A given cell may be left open, but not changed.
      if (word === undecided) open += given[cell] ? 0 : 1;
      else if (upperCase(word) !== upperCase(words[cell])) cells.push({ row, column });
      else if (!given[cell]) right++;
    }
  }
  const state = cells.length > 0 ? "off-track" : open > 0 ? "on-track" : "solved";
  return { state, right, wrong: cells.length, open, cells };
}

/** Of A … Z alone: some letters of other scripts turn into those. */
const upperCase = (text: string) => text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());

/** What each turn is worth: how much nearer it came to the solution. A cell that is wrong counts as much as one that is right. */
export function turnRewards(
  key: PartialKey,
  turns: readonly string[],
  weights: RewardWeights = paperReward,
): { readonly grades: readonly PartialGrade[]; readonly rewards: readonly number[] } {
  const findable = key.given.filter((given) => !given).length;
  const grades = turns.map((turn) => gradePartial(key, turn));
  // The differences of a potential: whatever way is taken, their sum is what the last board is worth (Ng, Harada & Russell 1999).
  let before = 0;
  const rewards = grades.map((grade) => {
    // A turn that cannot be read changes nothing.
    const worth = "unreadable" in grade ? before : worthOf(grade, findable, weights);
    const reward = worth - before;
    before = worth;
    return reward;
  });
  return { grades, rewards };
}

function worthOf(
  grade: Exclude<PartialGrade, { unreadable: string }>,
  findable: number,
  weights: RewardWeights,
): number {
  const progress = Math.max(0, grade.right - grade.wrong) / Math.max(1, findable);
  return weights.completion * progress + (grade.state === "solved" ? weights.exact : 0);
}
