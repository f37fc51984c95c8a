// The complete solver: rules first, search where they stop. Rules prove that a solution is the only one.
import { defaultBudget, type SolveBudget, type Solved } from "../puzzle.ts";
import { cluesOf, deduced, deductionFor, levelOf, solvedCells } from "./deduction.ts";
import type { LoopyBoard, LoopyDifficulty, LoopyInstance } from "./instance.ts";
import { hard } from "./line-state.ts";
import { searchLoops } from "./search.ts";

export function solveLoopy(instance: LoopyInstance, budget: SolveBudget = defaultBudget): Solved<LoopyBoard> {
  const deduction = deductionFor(instance.width, instance.height);
  const outcome = deduced(deduction, cluesOf(instance), hard);
  if (outcome === "impossible") return { status: "none" };
  if (outcome === "solved") return { status: "unique", solution: { cells: solvedCells(deduction.state) } };
  const searched = searchLoops(deduction.state, budget.searchSteps);
  if ("gaveUp" in searched) return { status: "gave-up", budget };
  const [first, second] = searched.found.map((cells) => ({ cells }));
  if (first === undefined) return { status: "none" };
  return second === undefined
    ? { status: "unique", solution: first }
    : { status: "multiple", solutions: [first, second] };
}

/** The lowest level whose rules solve it; unreasonable when only search does. */
export function difficultyOf(instance: LoopyInstance): LoopyDifficulty | undefined {
  const level = levelOf(deductionFor(instance.width, instance.height), cluesOf(instance));
  if (level !== undefined) return level;
  return solveLoopy(instance).status === "unique" ? "unreasonable" : undefined;
}
