// Every instance of Pattern, decided: line logic first, then search. One search step is one guess.
import { defaultBudget, type SolveBudget, type Solved, type SomeSolutions } from "../puzzle.ts";
import type { PatternBoard, PatternInstance } from "./instance.ts";
import { searchSheet } from "./search.ts";
import { Worksheet } from "./worksheet.ts";

export function solvePattern(instance: PatternInstance, budget: SolveBudget = defaultBudget): Solved<PatternBoard> {
  return solveSheet(Worksheet.of(instance), budget);
}

/** Up to `most` solutions. */
export function patternSolutions(
  instance: PatternInstance,
  most: number,
  budget: SolveBudget = defaultBudget,
): SomeSolutions<PatternBoard> {
  const sheet = Worksheet.of(instance);
  if (sheet.deduce("placements") >= 0) return { boards: [], all: true };
  if (sheet.solved) return { boards: [{ cells: sheet.cells() }], all: true };
  const outcome = searchSheet(sheet, budget.searchSteps, most);
  const boards = outcome.found.map((cells) => ({ cells }));
  return { boards, all: !("gaveUp" in outcome) && boards.length < most };
}

/** Goes on from whatever is marked on the sheet. */
export function solveSheet(sheet: Worksheet, budget: SolveBudget): Solved<PatternBoard> {
  if (sheet.deduce("placements") >= 0) return { status: "none" };
  if (sheet.solved) return { status: "unique", solution: { cells: sheet.cells() } };
  const outcome = searchSheet(sheet, budget.searchSteps);
  if ("gaveUp" in outcome) return { status: "gave-up", budget };
  const [first, second] = outcome.found;
  if (first === undefined) return { status: "none" };
  if (second === undefined) return { status: "unique", solution: { cells: first } };
  return { status: "multiple", solutions: [{ cells: first }, { cells: second }] };
}
