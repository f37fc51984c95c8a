// The complete solver: rules first, search where they stop. Rules prove that a solution is the only one.
import { defaultBudget, type Effort, inRounds, type SolveBudget, type SomeSolutions } from "../puzzle.ts";
import { cluesOf, deduced, deductionFor, solvedCells } from "./deduction.ts";
import { type SlitherlinkBoard, type SlitherlinkInstance, slitherlinkDifficulties } from "./instance.ts";
import { easy, hard, normal, tricky, unknown } from "./line-state.ts";
import { searchLoops } from "./search.ts";

/** Conclusions are lines settled by the rules of its level; suppositions are the lines that the hardest rules leave open. */
export function slitherlinkEffort(instance: SlitherlinkInstance): Effort | undefined {
  const deduction = deductionFor(instance.width, instance.height);
  const { state } = deduction;
  const clues = cluesOf(instance);
  // Every level begins anew, so that what the level itself takes is what the last one took.
  let began = state.looks;
  const solved = [easy, normal, tricky, hard].findIndex((level) => {
    began = state.looks;
    return deduced(deduction, clues, level) === "solved";
  });
  if (state.contradiction) return undefined;
  const { lineCount, cellCount, cornerCount } = state.grid;
  const chain = inRounds(state.looks - began, cellCount + cornerCount + lineCount);
  const difficulty = slitherlinkDifficulties.at(solved)!;
  // A line left out of a finished loop is as settled as one in it.
  if (solved >= 0) return { difficulty, steps: lineCount, chain, guesses: 0, searchSteps: 0 };
  const open = state.lines.subarray(0, lineCount).reduce((count, line) => count + (line === unknown ? 1 : 0), 0);
  const { found, finished, taken } = searchLoops(state, defaultBudget.searchSteps);
  if (!finished || found.length !== 1) return undefined;
  return { difficulty, steps: lineCount - open, chain, guesses: open, searchSteps: taken };
}

export function slitherlinkSolutions(
  instance: SlitherlinkInstance,
  most: number,
  budget: SolveBudget = defaultBudget,
): SomeSolutions<SlitherlinkBoard> {
  const deduction = deductionFor(instance.width, instance.height);
  const outcome = deduced(deduction, cluesOf(instance), hard);
  if (outcome === "impossible" || most === 0) return { boards: [], all: outcome === "impossible" };
  if (outcome === "solved") return { boards: [{ cells: solvedCells(deduction.state) }], all: true };
  const { found, finished } = searchLoops(deduction.state, budget.searchSteps, most);
  return { boards: found.map((cells) => ({ cells })), all: finished };
}
