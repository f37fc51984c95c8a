// Every instance of Pattern, decided: line logic first, then search. One search step is one guess.
import { defaultBudget, type SolveBudget, type SomeSolutions } from "../puzzle.ts";
import type { PatternBoard, PatternInstance } from "./instance.ts";
import { PropagationState } from "./propagation-state.ts";
import { searchSheet } from "./search.ts";

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
