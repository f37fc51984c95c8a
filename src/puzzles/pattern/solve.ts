// Every instance of Pattern, decided: line logic first, then search. One search step is one guess.
import { defaultBudget, type SolveBudget, type Solved, type SomeSolutions } from "../puzzle.ts";
import type { PatternBoard, PatternInstance } from "./instance.ts";
import { PropagationState } from "./propagation-state.ts";
import { searchSheet } from "./search.ts";

export function solvePattern(instance: PatternInstance, budget: SolveBudget = defaultBudget): Solved<PatternBoard> {
  return solveSheet(PropagationState.of(instance), budget);
}

/** Up to `most` solutions. */
export function patternSolutions(
  instance: PatternInstance,
  most: number,
  budget: SolveBudget = defaultBudget,
): SomeSolutions<PatternBoard> {
  const state = PropagationState.of(instance);
  if (state.deduce("placements") >= 0) return { boards: [], all: true };
  if (state.solved) return { boards: [{ cells: state.cells() }], all: true };
  const outcome = searchSheet(state, budget.searchSteps, most);
  const boards = outcome.found.map((cells) => ({ cells }));
  return { boards, all: !("gaveUp" in outcome) && boards.length < most };
}

/** Resumes from what is marked so far. */
export function solveSheet(state: PropagationState, budget: SolveBudget): Solved<PatternBoard> {
  if (state.deduce("placements") >= 0) return { status: "none" };
  if (state.solved) return { status: "unique", solution: { cells: state.cells() } };
  const outcome = searchSheet(state, budget.searchSteps);
  if ("gaveUp" in outcome) return { status: "gave-up", budget };
  const [first, second] = outcome.found;
  if (first === undefined) return { status: "none" };
  if (second === undefined) return { status: "unique", solution: { cells: first } };
  return { status: "multiple", solutions: [{ cells: first }, { cells: second }] };
}
