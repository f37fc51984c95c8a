// A Pattern as clauses. Besides the open cells there is a variable for "this run starts at or before that place", for
// every run and place: with these a learned clause can speak of where runs are, and says far more than in cells alone.
import { ClauseSolver, type Literal } from "../clause-solver.ts";
import { full, unknown } from "./mark.ts";
import type { PropagationState } from "./propagation-state.ts";

// Literals that are settled from the beginning; like all literals, `^ 1` makes one the other.
const no: Literal = -1;
const yes: Literal = -2;

type Encoded = {
  readonly solver: ClauseSolver;
  /** The cells that are open; their place in this list is their variable. */
  readonly openCells: readonly number[];
};

/** The clauses of all lines, given what is marked so far. */
export function encoded(state: PropagationState): Encoded {
  const openCells: number[] = [];
  const cellLiterals = new Int32Array(state.area);
  for (let cell = 0; cell < state.area; cell++) {
    if (state.values[cell] !== unknown) cellLiterals[cell] = state.values[cell] === full ? yes : no;
    else cellLiterals[cell] = 2 * (openCells.push(cell) - 1);
  }
  let variables = openCells.length;
  const clauses: Literal[][] = [];
  const add = (...literals: Literal[]) => {
    if (!literals.includes(yes)) clauses.push(literals.filter((literal) => literal !== no));
  };
  for (let line = 0; line < state.lineCount; line++) {
    const cells = Array.from({ length: state.lengthOf(line) }, (_, place) => cellLiterals[state.cellOf(line, place)]);
    if (cells.some((literal) => literal >= 0)) variables = addLine(state.runsOf(line), cells, variables, add);
  }
  const solver = new ClauseSolver(variables);
  for (const clause of clauses) solver.add(clause);
  return { solver, openCells };
}

/** The clauses of one line; returns the number of variables after it. */
function addLine(
  runs: ArrayLike<number>,
  cells: readonly Literal[],
  variablesBefore: number,
  add: (...literals: Literal[]) => void,
): number {
  const { length } = cells;
  const count = runs.length;
  let slack = length + 1;
  for (let run = 0; run < count; run++) slack -= runs[run] + 1;
  let variables = variablesBefore;
  const firstVariable: number[] = [];
  const firstStart: number[] = [];
  for (let run = 0, start = 0; run < count; start += runs[run++] + 1) {
    firstStart.push(start);
    firstVariable.push(variables);
    variables += slack;
  }
  /** "The run starts at or before the place." */
  const startsBy = (run: number, place: number): Literal => {
    const late = place - firstStart[run];
    return late < 0 ? no : late >= slack ? yes : 2 * (firstVariable[run] + late);
  };

  for (let run = 0; run < count; run++) {
    const size = runs[run];
    for (let place = firstStart[run]; place < firstStart[run] + slack; place++) {
      add(startsBy(run, place) ^ 1, startsBy(run, place + 1));
      // The next run leaves at least one empty cell.
      if (run + 1 < count) add(startsBy(run + 1, place + size + 1) ^ 1, startsBy(run, place));
    }
  }
  for (let place = 0; place < length; place++) {
    const cell = cells[place];
    if (count === 0) add(cell ^ 1);
    for (let run = 0; run < count; run++) {
      const started = startsBy(run, place);
      const ended = startsBy(run, place - runs[run]);
      // Begun and not ended: full. Ended, and the next not begun: empty.
      add(started ^ 1, ended, cell);
      if (run === 0) add(started, cell ^ 1);
      add(ended ^ 1, run + 1 < count ? startsBy(run + 1, place) : no, cell ^ 1);
    }
  }
  return variables;
}
