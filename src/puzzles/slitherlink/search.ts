// Complete search where rules stop: cells inside or outside as the variables of a clause solver. Clues and corners are
// clauses from the start; that there is one loop and not several is said only when a model breaks it, as a clause that
// this and many other models break. One step is one conflict of the clause solver, or a hundred cells of such a model.
import { ClauseSolver, type Literal } from "../clause-solver.ts";
import { inside, outside } from "./instance.ts";
import { type LineState, unknown, yes } from "./line-state.ts";

type SearchOutcome = {
  readonly found: readonly string[];
  /** Steps that it took. */
  readonly taken: number;
  /** Whether there is nothing left to find; otherwise the steps, or the bound, ended it. */
  readonly finished: boolean;
};

const isIn = (cell: number): Literal => 2 * cell;
const isOut = (cell: number): Literal => 2 * cell + 1;

/** Up to `most` solutions of what the rules have left open in a state. */
export function searchLoops(state: LineState, steps: number, most = 2): SearchOutcome {
  const solver = encoded(state);
  const found: string[] = [];
  // A model without a conflict is nothing but guesses that were right; they cost no more than looking at it does.
  const stepsOfModel = 1 + Math.floor(state.grid.cellCount / 100);
  let stepsOfModels = 0;
  const outcome = (finished: boolean): SearchOutcome => ({
    found,
    taken: solver.conflicts + stepsOfModels,
    finished,
  });
  while (found.length < most) {
    if (solver.conflicts + stepsOfModels >= steps) return outcome(false);
    const verdict = solver.solve({ conflicts: steps - stepsOfModels });
    if (verdict === "gave-up") return outcome(false);
    if (verdict === "refuted") return outcome(true);
    stepsOfModels += stepsOfModel;
    const cells = Uint8Array.from({ length: state.grid.cellCount }, (_, cell) => (solver.isTrue(cell) ? 1 : 0));
    const cuts = violatedCuts(state, cells);
    for (const cut of cuts) solver.add(cut);
    if (cuts.length > 0) continue;
    found.push(Array.from(cells, (value) => (value === 1 ? inside : outside)).join(""));
    solver.add(Array.from(cells, (value, cell) => (value === 1 ? isOut(cell) : isIn(cell))));
  }
  return outcome(false);
}

function encoded({ grid, clues, lines }: LineState): ClauseSolver {
  const { cellCount, besideCell, cellsOfCorner, cellsOfLine } = grid;
  const solver = new ClauseSolver(cellCount);
  solver.add(Array.from({ length: cellCount }, (_, cell) => isIn(cell)));
  for (let line = 0; line < grid.lineCount; line++) {
    if (lines[line] === unknown) continue;
    const differ = lines[line] === yes ? 1 : 0;
    const [one, other] = [cellsOfLine[2 * line], cellsOfLine[2 * line + 1]].sort((a, b) => a - b);
    if (other === cellCount) solver.add([differ === 1 ? isIn(one) : isOut(one)]);
    else {
      solver.add([isIn(one), isOut(other) ^ differ]);
      solver.add([isOut(one), isIn(other) ^ differ]);
    }
  }
  for (let cell = 0; cell < cellCount; cell++) {
    if (clues[cell] < 0) continue;
    const beside = [...besideCell.subarray(4 * cell, 4 * cell + 4)];
    const inner = beside.filter((other) => other < cellCount);
    const beyond = beside.length - inner.length;
    // If the cell is inside, its clue counts the cells beside it that are outside; if it is outside, those inside.
    exactly(solver, inner.map(isOut), clues[cell] - beyond, isOut(cell));
    exactly(solver, inner.map(isIn), clues[cell], isIn(cell));
  }
  // Two cells that touch at a corner alone: the loop would meet itself there.
  for (let at = 0; at < cellsOfCorner.length; at += 4) {
    const [a, b, c, d] = cellsOfCorner.subarray(at, at + 4);
    if (Math.max(a, b, c, d) === cellCount) continue;
    solver.add([isOut(a), isIn(b), isOut(c), isIn(d)]);
    solver.add([isIn(a), isOut(b), isIn(c), isOut(d)]);
  }
  return solver;
}

/** Exactly `count` of the literals hold, or `unless` does. */
function exactly(solver: ClauseSolver, literals: readonly Literal[], count: number, unless: Literal): void {
  if (count < 0 || count > literals.length) {
    solver.add([unless]);
    return;
  }
  for (const chosen of subsets(literals, count + 1)) solver.add([unless, ...chosen.map((literal) => literal ^ 1)]);
  for (const chosen of subsets(literals, literals.length - count + 1)) solver.add([unless, ...chosen]);
}

function subsets<T>(items: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return items.flatMap((item, at) => subsets(items.slice(at + 1), size - 1).map((rest) => [item, ...rest]));
}

/** A part of a model gives this many clauses at most: one would do, more spare the same part with a cell less. */
const mostCutsOfPart = 12;

/** Clauses that a model with several loops breaks; none if it is a solution. */
function violatedCuts(state: LineState, cells: Uint8Array): Literal[][] {
  const cuts: Literal[][] = [];
  const parts = partsOf(state, cells);
  const islands = parts.filter(({ value }) => value === 1);
  const main = islands.reduce((largest, part) => (part.cells.length > largest.cells.length ? part : largest));
  for (const part of parts) {
    if (part === main || (part.value === 0 && part.touchesEdge)) continue;
    const some = part.cells.slice(0, mostCutsOfPart);
    // A hole: a cell of it is inside, or some cell around it is outside.
    if (part.value === 0) for (const cell of some) cuts.push([isIn(cell), ...part.around.map(isOut)]);
    else {
      // An island: a cell of it is outside, or some cell around it is inside, or nothing has to be reached beyond it.
      const unless = goesOnBeyond(state, part) ? [] : [isOut(main.cells[0])];
      for (const cell of some) cuts.push([isOut(cell), ...unless, ...part.around.map(isIn)]);
    }
  }
  return cuts;
}

/** Whether some clue needs a line that no cell of this part can give it. */
function goesOnBeyond({ grid, clues }: LineState, part: Part): boolean {
  const { cellCount, besideCell } = grid;
  const own = new Uint8Array(cellCount + 1);
  for (const cell of part.cells) own[cell] = 1;
  for (let cell = 0; cell < cellCount; cell++) {
    if (clues[cell] <= 0 || own[cell] === 1) continue;
    const at = 4 * cell;
    if ((own[besideCell[at]] | own[besideCell[at + 1]] | own[besideCell[at + 2]] | own[besideCell[at + 3]]) === 0)
      return true;
  }
  return false;
}

type Part = {
  readonly value: number;
  readonly cells: readonly number[];
  /** The cells of the other kind beside it. */
  readonly around: readonly number[];
  readonly touchesEdge: boolean;
};

function partsOf({ grid }: LineState, cells: Uint8Array): Part[] {
  const { cellCount, besideCell } = grid;
  const met = new Uint8Array(cellCount);
  const parts: Part[] = [];
  for (let start = 0; start < cellCount; start++) {
    if (met[start] === 1) continue;
    met[start] = 1;
    const own = [start];
    const around = new Set<number>();
    let touchesEdge = false;
    for (const cell of own)
      for (const beside of besideCell.subarray(4 * cell, 4 * cell + 4)) {
        if (beside === cellCount) touchesEdge = true;
        else if (cells[beside] !== cells[start]) around.add(beside);
        else if (met[beside] === 0) {
          met[beside] = 1;
          own.push(beside);
        }
      }
    parts.push({ value: cells[start], cells: own, around: [...around], touchesEdge });
  }
  return parts;
}
