// What may take long with puzzles, as plain tasks and plain answers, so that it can be done in another thread.
import { z } from "zod";
import { UserError } from "../base/errors.ts";
import { Random, type RandomState } from "../base/random.ts";
import { type RewardName, rewardsByName } from "../grading/reward.ts";
import { puzzleNamed, puzzleOfId } from "../puzzles/catalog.ts";
import { partialKey, turnRewards } from "../puzzles/partial.ts";
import type { AnyPuzzle, PuzzleParams } from "../puzzles/puzzle.ts";
import { rated } from "../puzzles/rating.ts";
import type { Drawn } from "../puzzles/splits.ts";
import { type GradingKey, gradeAnswer, gradeResponse, gradingKey, violationsOf } from "../puzzles/verification.ts";

export type DrawTask = {
  readonly task: "draw";
  readonly puzzle: string;
  readonly params: PuzzleParams;
  readonly random: { readonly key: string; readonly state: RandomState };
};
export type SolveTask = {
  readonly task: "solve";
  readonly id: string;
  readonly puzzle?: string;
  readonly searchSteps?: number;
  /** Count solutions up to here. */
  readonly most?: number;
};
const forms = ["answer", "response", "turns", "moves"] as const;
/** Rows and columns count from 1, as in what verdicts say; an empty symbol clears a cell. */
const move = z.strictObject({ row: z.int().positive(), column: z.int().positive(), symbol: z.string().max(1) });
/** What is to be graded: a board, a whole response, boards of several turns with `?` for what is open, or symbols placed one by one. */
export const verifyInput = z
  .object({
    id: z.string(),
    puzzle: z.string().optional(),
    answer: z.string().optional(),
    response: z.string().optional(),
    turns: z.array(z.string()).max(10_000).optional(),
    moves: z.array(move).max(10_000).optional(),
  })
  .refine(
    (input) => forms.filter((form) => input[form] !== undefined).length === 1,
    `give exactly one of ${forms.join(", ")}`,
  );
export type VerifyInput = z.infer<typeof verifyInput>;
export type VerifyTask = VerifyInput & { readonly task: "verify"; readonly reward?: RewardName };
export type PuzzleTask = DrawTask | SolveTask | VerifyTask;

export function puzzleAnswer(task: PuzzleTask): unknown {
  switch (task.task) {
    case "draw":
      return draw(task);
    case "solve":
      return solveRecord(task);
    case "verify":
      return verifyRecord(task);
  }
}

export const openPuzzle = (id: string, name?: string): { readonly puzzle: AnyPuzzle; readonly instance: unknown } => {
  const puzzle = name === undefined ? puzzleOfId(id) : puzzleNamed(name);
  return { puzzle, instance: puzzle.readId(id) };
};

function draw({ puzzle: name, params, random }: DrawTask): Drawn {
  const puzzle = puzzleNamed(name);
  const made = puzzle.generate(params, Random.restore(random));
  const rating = rated(puzzle, made.instance);
  return { ...made, ...(rating && { rating }) };
}

function solveRecord({ id, puzzle: name, searchSteps, most }: SolveTask): Record<string, unknown> {
  const { puzzle, instance } = openPuzzle(id, name);
  const budget = searchSteps === undefined ? undefined : { searchSteps };
  const text = (board: unknown) => puzzle.renderAnswer(instance, board);
  const solved = puzzle.solve(instance, budget);
  const counted = most === undefined ? {} : countedSolutions(puzzle, instance, most, budget);
  switch (solved.status) {
    case "unique": {
      const { status, solution } = solved;
      const rating = rated(puzzle, instance);
      const difficulty = rating?.difficulty ?? puzzle.difficulty(instance);
      return {
        id,
        status,
        solution: text(solution),
        move: puzzle.writeMove(instance, solution),
        ...rating,
        difficulty,
        ...counted,
      };
    }
    case "multiple": {
      const [solution, another] = solved.solutions.map(text);
      return { id, status: solved.status, solution, another, ...counted };
    }
    case "none":
      return { id, status: solved.status, ...counted };
    case "gave-up":
      return { id, status: solved.status, searchSteps: solved.budget.searchSteps };
  }
}

/** `solutions` is how many there are, or, where `more` is true, how many were found before the bound or the budget. */
function countedSolutions(
  puzzle: AnyPuzzle,
  instance: unknown,
  most: number,
  budget?: { readonly searchSteps: number },
) {
  const solved = puzzle.solutions(instance, most, budget);
  return { solutions: solved.boards.length, more: !solved.all };
}

/** Keys are kept for the most recent problems: rollouts of one problem usually come together, and solving it once is enough. */
const keys = new Map<string, GradingKey>();
const maxKeys = 10_000;

function keyOf(id: string, name?: string): GradingKey {
  const cacheKey = `${name ?? ""}\u0000${id}`;
  let key = keys.get(cacheKey);
  keys.delete(cacheKey);
  if (key === undefined) {
    const { puzzle, instance } = openPuzzle(id, name);
    key = gradingKey(puzzle, instance);
  }
  keys.set(cacheKey, key);
  if (keys.size > maxKeys) keys.delete(keys.keys().next().value!);
  return key;
}

export function verifyRecord({
  id,
  puzzle: name,
  answer,
  response,
  turns,
  moves,
  reward = "paper",
}: VerifyTask): Record<string, unknown> {
  if (moves !== undefined) return { id, ...played(openPuzzle(id, name), moves) };
  const weights = rewardsByName[reward];
  const key = keyOf(id, name);
  if (turns !== undefined) {
    const { grades, rewards } = turnRewards(partialKey(key.puzzle, key.instance), turns, weights);
    const total = rewards.reduce((sum, value) => sum + value, 0);
    return { id, turns: grades.map((grade, turn) => ({ ...grade, reward: rewards[turn] })), reward: total };
  }
  const grade = answer !== undefined ? gradeAnswer(key, answer, weights) : gradeResponse(key, response ?? "", weights);
  const { verdict, parts } = grade;
  const because = verdict.verdict === "correct" ? null : verdict.because;
  return { id, verdict: verdict.verdict, because, ...parts, violations: violationsOf(key, grade) };
}

/** The board after these moves, and once it is complete every rule that it breaks; nothing of the solution. */
function played({ puzzle, instance }: ReturnType<typeof openPuzzle>, moves: readonly z.infer<typeof move>[]) {
  const { playing } = puzzle;
  const { width, height } = puzzle.size(instance);
  const cells = moves.reduce((before, { row, column, symbol }) => {
    const inside = row <= height && column <= width;
    const key = symbol === "" ? "Delete" : symbol.toLowerCase();
    const after = inside && playing.type(instance, before, (row - 1) * width + column - 1, key);
    if (!after)
      throw new UserError(
        inside
          ? `row ${row}, column ${column} cannot hold ${JSON.stringify(symbol)}, or is given`
          : `row ${row}, column ${column} is not on the board, which has ${height} rows and ${width} columns`,
      );
    return after;
  }, playing.start(instance));
  const drawn = playing.board(instance, cells);
  const handedIn = playing.handedIn?.(instance, cells) ?? drawn;
  const judgment = puzzle.judge(instance, handedIn);
  const wrong = !judgment.correct && playing.complete(instance, cells);
  const open = playing.unfinished?.(instance, cells) ?? "the board is not complete yet";
  return {
    board: puzzle.renderAnswer(instance, judgment.correct ? handedIn : drawn),
    verdict: judgment.correct ? "correct" : wrong ? "wrong" : "unfinished",
    because: judgment.correct ? null : wrong ? judgment.because : open,
    violations: wrong ? puzzle.violations(instance, handedIn) : [],
  };
}
