// A puzzle as the narrating teacher sees it: unknowns with a few values each, and constraints that each look at a few
// unknowns. One way of thinking aloud then serves all puzzles.
import type { PuzzleName } from "./catalog.ts";
import { placeOf } from "./grid-text.ts";

/** The values still possible for an unknown, as bits. */
export type Possible = number;

/** Values of a constraint's unknowns, in the order of its scope. */
export type Assignment = readonly number[];

export type Constraint = {
  /** What the teacher calls it: `R2`, an island's place, a line of sight's ends. */
  readonly name: string;
  /** What it demands, in the terse language. */
  readonly clue: string;
  readonly scope: readonly number[];
  /** What a program counts its violations by, the same for all constraints of a kind; its name unless said. */
  readonly rule?: string;
  /** Follows from others: it helps to solve, and says nothing of its own about an answer. */
  readonly redundant?: boolean;
  /** Where it is broken, as cells; those of its scope unless said. */
  readonly cells?: readonly number[];
  /** How many of the first unknowns a guess about this constraint settles; all of them unless said. */
  readonly guessed?: number;
  /** Whether values for the first unknowns of the scope can still be completed; exact once all are there. */
  readonly compatible: (values: readonly number[]) => boolean;
  /** The rule by itself, for an answer, where `compatible` looks at more to solve sooner. */
  readonly kept?: (values: readonly number[]) => boolean;
  /**
   * What the constraint leaves possible, or nothing on a contradiction. For constraints over many unknowns, where listing
   * every way to fill them would take too long; the others are narrowed by listing.
   */
  readonly narrow?: (possible: readonly Possible[]) => Possible[] | undefined;
  /** The unknowns as the terse language shows them, with what is still possible for each. */
  readonly show: (possible: readonly Possible[]) => string;
  readonly prose: ConstraintProse;
};

/** How a person would speak of a constraint. */
type ConstraintProse = {
  /** `row 2`, `the island at row 1, column 3`. */
  readonly title: string;
  /** A clause about what it demands: `its runs are 1 and 1`. */
  readonly demand: string;
  /** What is known of it: `# . ? ?`, `to the right 1, below 0 or 1`. */
  readonly tell: (possible: readonly Possible[]) => string;
  /** What an answer has instead of what is demanded: `its runs are 2 and 1`. */
  readonly found?: (values: readonly number[]) => string;
};

/** A rule that only a finished board can be held against, such as connectedness. */
export type WholeBoardCheck = {
  readonly name: string;
  /** As of a constraint: its name unless said. */
  readonly rule?: string;
  readonly show: (values: readonly number[]) => string;
  /** The question that the check answers: `are all islands joined?` */
  readonly question: string;
  readonly holds: (values: readonly number[]) => boolean;
  /** What is wrong where it does not hold, and the cells where. */
  readonly broken?: string;
  readonly cells?: (values: readonly number[]) => readonly number[];
};

/** A broken rule, with cells as numbers. */
export type BrokenRule = { readonly rule: string; readonly because: string; readonly cells: readonly number[] };

/** A board as values of the unknowns, and what is wrong with it besides; no values where there is no more to say. */
export type BoardValues = { readonly values?: readonly number[]; readonly broken?: readonly BrokenRule[] };

export type ConstraintModel = {
  readonly puzzle: PuzzleName;
  /** The givens in the terse language. */
  readonly prompt: string;
  /** What is possible at the start, one per unknown. */
  readonly start: readonly Possible[];
  readonly constraints: readonly Constraint[];
  readonly wholeBoard: readonly WholeBoardCheck[];
  /** A board, as the puzzle's `answerCells` has it, as values. */
  readonly valuesOf: (cells: readonly string[]) => BoardValues;
  /** Where an unknown stands on the board; unless said, unknowns are the cells. */
  readonly cellsOf?: (unknown: number) => readonly number[];
  /** Constraints that the teacher reads again before it answers. */
  readonly lastLook: readonly number[];
  /** What is known, in the terse language. */
  readonly showAll: (possible: readonly Possible[]) => string;
  /** What is known, as a person would write it down. */
  readonly tellAll: (possible: readonly Possible[]) => string;
  /** What the unknowns are, in a sentence that opens a solution. */
  readonly introduction: string;
  /** The board of a full assignment, as text for the answer tags. */
  readonly answer: (values: readonly number[]) => string;
};

export const isDecided = (possible: Possible): boolean => possible !== 0 && (possible & (possible - 1)) === 0;
export const decidedValue = (possible: Possible): number => 31 - Math.clz32(possible);
export const valuesOf = (possible: Possible): number[] =>
  [...Array(31).keys()].filter((value) => possible & (1 << value));
export const only = (value: number): Possible => 1 << value;
export const allOf = (count: number): Possible => (1 << count) - 1;

/** All ways to fill a constraint's unknowns from what is possible, up to a limit; `excluded` ways are left out. */
export function optionsOf(
  { scope, compatible }: Constraint,
  possible: readonly Possible[],
  excluded: readonly Assignment[] = [],
  limit = Number.POSITIVE_INFINITY,
): Assignment[] {
  const found: Assignment[] = [];
  const values: number[] = [];
  const extend = (): void => {
    if (found.length >= limit) return;
    if (values.length === scope.length) {
      if (!excluded.some((option) => option.every((value, i) => value === values[i]))) found.push([...values]);
      return;
    }
    for (let rest = possible[scope[values.length]]; rest !== 0; rest &= rest - 1) {
      values.push(31 - Math.clz32(rest & -rest));
      if (compatible(values)) extend();
      values.pop();
    }
  };
  extend();
  return found;
}

/** What remains possible for each unknown of a constraint when only the given ways to fill it remain. */
export function unionOf(scope: readonly number[], options: readonly Assignment[]): Possible[] {
  return scope.map((_, i) => options.reduce((bits, option) => bits | only(option[i]), 0));
}

/** Givens that an answer does not have where they were; `open` stands where nothing is given. */
export function changedGivens(
  given: readonly string[],
  cells: readonly string[],
  width: number,
  open = "?",
): BrokenRule[] {
  const changed: number[] = [];
  for (let cell = 0; cell < given.length; cell++)
    if (given[cell] !== open && given[cell] !== cells[cell]) changed.push(cell);
  if (changed.length === 0) return [];
  const [first] = changed;
  const because = `${placeOf(first, width)}: the given ${given[first]} was changed to ${cells[first]}`;
  return [{ rule: "given", because, cells: changed }];
}

/** Cells of an answer that hold nothing it could be judged by. */
export const notFilled = (cells: readonly number[], width: number): BrokenRule[] => [
  { rule: "open", because: `${placeOf(cells[0], width)}: nothing that belongs there`, cells },
];
