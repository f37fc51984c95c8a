// What a puzzle is. Each folder beside this file implements one `Puzzle`, and everything else in the project speaks to
// puzzles through it: no other place knows their names, sizes, models or hands. Instances, boards and parameters are plain records that survive JSON.
import { UserError } from "../base/errors.ts";
import type { Random } from "../base/random.ts";
import type { PuzzleName } from "./catalog.ts";
import type { ConstraintModel } from "./constraint-model.ts";
import type { Playing } from "./playing.ts";

/** An id, parameters or a move string that is malformed: says what and at which character. */
export class PuzzleFormatError extends UserError {
  override name = "PuzzleFormatError";
}

/** A puzzle that cannot exist, or that was not found within the stated effort. */
export class GenerationError extends UserError {
  override name = "GenerationError";
}

/** A request that no draw can meet: another one would be refused in the same words. To people it is the same error. */
export class ImpossibleRequestError extends GenerationError {}

/** A puzzle that was not found within a limit on time: another draw may be luckier, but has as little time. */
export class OutOfTimeError extends GenerationError {
  override name = "OutOfTimeError";
}

/** Not a limit of the notation: a board with more cells would not fit in memory while it is solved. */
export const mostCells = 1_000_000;

/** Enough of what was given to recognize it, whatever it was. */
export const shortened = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** What every puzzle's parameters have; each puzzle adds its own. Difficulty is a name from `difficulties`, or absent for any. */
export type PuzzleParams = { readonly width: number; readonly height: number; readonly difficulty?: string };

/** Search effort, counted in steps of the puzzle's own search so that a budget means the same on every machine. */
export type SolveBudget = { readonly searchSteps: number };

export type Solved<Board> =
  | { readonly status: "unique"; readonly solution: Board }
  /** Two different solutions are proof enough. */
  | { readonly status: "multiple"; readonly solutions: readonly [Board, Board] }
  | { readonly status: "none" }
  | { readonly status: "gave-up"; readonly budget: SolveBudget };

export type Generated<Instance, Board> = {
  readonly instance: Instance;
  readonly solution: Board;
  readonly difficulty: string;
};

export type ReadBoard<Board> = { readonly board: Board } | { readonly unreadable: string };

/** A cell of the grid, zero-based. */
export type Cell = { readonly row: number; readonly column: number };

export type Judgment =
  | { readonly correct: true }
  /** Which rule is broken, in words for a person, and the cells where. */
  | { readonly correct: false; readonly because: string; readonly cells: readonly Cell[] };

/** One broken rule: a short name that programs can count by, words for a person, and every cell where it is broken. */
export type Violation = { readonly rule: string; readonly because: string; readonly cells: readonly Cell[] };

/** What solving an instance takes. All of it is counted, none of it timed, so that it is the same on every machine. */
export type Effort = {
  /** The human-style deductions that it needs. */
  readonly difficulty: string;
  /** Conclusions drawn by deduction: cells, or lanes of bridges, that it settled. */
  readonly steps: number;
  /** How often the whole board was gone over for them: the longer the chains of conclusions, the more often. */
  readonly chain: number;
  /** What deduction left to suppositions: those made one at a time, or the cells still open. */
  readonly guesses: number;
  /** Steps of the complete search, where deduction does not suffice. */
  readonly searchSteps: number;
};

/** Solutions up to a bound; `all` says that there are no others. */
export type SomeSolutions<Board> = { readonly boards: readonly Board[]; readonly all: boolean };

/** Parameters that the rest of the project uses unless it is given others, in Simon Tatham's notation. */
type UsualParams = {
  /** For examples, benchmarks and tests: made, solved and narrated in a moment. */
  readonly small: string;
  /** What a language model is taught and trained on when only the puzzle is named. */
  readonly training: string;
  /** One board to show to a newcomer. */
  readonly tour: string;
  /** A board to play, of any difficulty. */
  readonly play: string;
  /** For a model of a million parameters, whose vocabulary is closed; the miniature leaves out puzzles without it. */
  readonly miniature?: MiniatureParams;
};

export type MiniatureParams = {
  /** Small enough that a trace fits into a few hundred words. */
  readonly training: string;
  /** One step beyond what training shows. */
  readonly larger: string;
  /** Where puzzles that need search are looked for: the training size at a harder level. Absent where no such board needs any. */
  readonly search?: string;
};

// Methods and not properties, here and in what it holds, so that a puzzle of known types can stand where any is wanted.
export interface Puzzle<Instance, Board, Params extends PuzzleParams = PuzzleParams> {
  /** Its key in the catalog. */
  readonly name: PuzzleName;
  /** What Simon Tatham calls his program, where that is another word; undefined where he has none. */
  readonly original?: string;
  readonly title: string;
  /** Easiest first. The last one means that search is needed. */
  readonly difficulties: readonly string[];
  /** The rules, complete, addressed to whoever solves it; including how a board and an answer are written. */
  readonly rules: string;
  readonly usual: UsualParams;
  /** The id of a small board with one solution, to show what the puzzle is. */
  readonly example: string;

  /** Small puzzles, of sizes that nobody trains on, for prompts that show one with its answer; `example` where there are none. */
  readonly promptExamples: readonly string[];

  // ---- Simon Tatham's notation --------------------------------------------------------------------------------
  /** `7x7i30e10m2d1`, with his defaults for what is left out. Throws PuzzleFormatError. */
  readParams(text: string): Params;
  /** Full parameters, from which the same kind of puzzle can be generated again. */
  writeParams(params: Params): string;
  /** Reads `params:desc`. Throws PuzzleFormatError that says what is wrong and where. */
  readId(id: string): Instance;
  writeId(instance: Instance): string;
  /** His solve move: `S;…`. */
  writeMove(instance: Instance, board: Board): string;
  readMove(instance: Instance, move: string): Board;
  size(instance: Instance): { readonly width: number; readonly height: number };

  // ---- Solving and making -------------------------------------------------------------------------------------
  solve(instance: Instance, budget?: SolveBudget): Solved<Board>;
  /** The human-style deductions that the instance needs; undefined when it has no single solution. */
  difficulty(instance: Instance): string | undefined;
  /** How much of them; undefined when it has no single solution. Ask `rated`, which is the same for every image. */
  effort(instance: Instance): Effort | undefined;
  /** Up to `most` different solutions. */
  solutions(instance: Instance, most: number, budget?: SolveBudget): SomeSolutions<Board>;
  /** Deterministic from the random stream, bounded in effort, always uniquely solvable. Throws GenerationError. */
  generate(params: Params, random: Random): Generated<Instance, Board>;
  /** Every uniquely solvable instance of a size, of one difficulty if it is named, where the world is small enough to list; else undefined. */
  enumerate(params: Params): Iterable<Instance> | undefined;
  /** The images of an instance under the puzzle's symmetries, itself included, in a fixed order. */
  images(instance: Instance): readonly Instance[];

  // ---- Language -----------------------------------------------------------------------------------------------
  /** The givens as a model sees them. */
  renderGivens(instance: Instance): string;
  /** An answer as a model should write it, without tags. */
  renderAnswer(instance: Instance, board: Board): string;
  /** Forgives whitespace and case, never content. Only shape and symbols are checked here: a changed given is `judge`'s to call wrong. */
  readAnswer(instance: Instance, text: string): ReadBoard<Board>;
  /** The rules, on the problem's own givens. Any board that keeps them is correct. */
  judge(instance: Instance, board: Board): Judgment;
  /** Every broken rule, not only the first; empty exactly for a correct board. */
  violations(instance: Instance, board: Board): readonly Violation[];
  /** Answers by a rule of thumb, by what the rule is: what they earn is no sign of thought. */
  lazyAnswers(instance: Instance): Readonly<Record<string, string>>;

  // ---- Cells, for the completion reward and for pictures --------------------------------------------------------
  /** One string per cell, row by row: what the unsolved board shows. */
  initialCells(instance: Instance): readonly string[];
  /** The same for an answer, so that equal cells mean equal content (Galaxies: whatever its letters are). */
  answerCells(instance: Instance, board: Board): readonly string[];

  // ---- Pictures -------------------------------------------------------------------------------------------------
  /** A standalone SVG of the givens, of an answer, with the wrong cells marked. */
  svg(instance: Instance, board?: Board, wrong?: readonly Cell[]): string;
  /** A drawing for a terminal. */
  draw(instance: Instance, board?: Board): string;

  // ---- Solvers that are watched ---------------------------------------------------------------------------------
  /** As the narrating teacher thinks of it: unknowns and constraints. */
  constraints(instance: Instance): ConstraintModel;
  /** As a person fills it in by hand. */
  readonly playing: Playing<Instance, Board>;
}

/** Up to two decimals: more would be noise. */
export const inRounds = (looks: number, elements: number): number =>
  Math.round((100 * looks) / Math.max(1, elements)) / 100;

/** A puzzle whose types nobody outside needs to know: what it reads and makes can only be given back to it. */
export type AnyPuzzle = Puzzle<unknown, unknown>;

export const defaultBudget: SolveBudget = { searchSteps: 200_000 };

/** The smallest id among an instance's images: two instances are the same puzzle up to symmetry iff these agree. */
export function canonicalId<Instance>(
  puzzle: Pick<Puzzle<Instance, unknown>, "images" | "writeId">,
  instance: Instance,
): string {
  let least: string | undefined;
  for (const image of puzzle.images(instance)) {
    const id = puzzle.writeId(image);
    if (least === undefined || id < least) least = id;
  }
  return least!;
}
