// The complete solver: rules first, search where they stop. Rules prove that a solution is the only one.
import { defaultBudget, type Effort, inRounds, type SolveBudget, type Solved, type SomeSolutions } from "../puzzle.ts";
import { cluesOf, deduced, deductionFor, levelOf, solvedCells } from "./deduction.ts";
import type { LoopyBoard, LoopyDifficulty, LoopyInstance } from "./instance.ts";
import { easy, hard, normal, tricky, unknown } from "./line-state.ts";
import { searchLoops } from "./search.ts";

export function solveLoopy(instance: LoopyInstance, budget: SolveBudget = defaultBudget): Solved<LoopyBoard> {
  const deduction = deductionFor(instance.width, instance.height);
  const outcome = deduced(deduction, cluesOf(instance), hard);
  if (outcome === "impossible") return { status: "none" };
  if (outcome === "solved") return { status: "unique", solution: { cells: solvedCells(deduction.state) } };
  const { found, finished } = searchLoops(deduction.state, budget.searchSteps);
  const [first, second] = found.map((cells) => ({ cells }));
  if (second !== undefined) return { status: "multiple", solutions: [first, second] };
  if (!finished) return { status: "gave-up", budget };
  return first === undefined ? { status: "none" } : { status: "unique", solution: first };
}

/** Conclusions are lines settled by the rules of its level; suppositions are the lines that the hardest rules leave open. */
export function loopyEffort(instance: LoopyInstance): Effort | undefined {
  const deduction = deductionFor(instance.width, instance.height);
  const { state } = deduction;
  const clues = cluesOf(instance);
  // Every level begins anew, so that what the level itself takes is what the last one took.
  let began = state.looks;
  const solved = [easy, normal, tricky, hard].some((level) => {
    began = state.looks;
    return deduced(deduction, clues, level) === "solved";
  });
  if (state.contradiction) return undefined;
  const { lineCount, cellCount, cornerCount } = state.grid;
  const chain = inRounds(state.looks - began, cellCount + cornerCount + lineCount);
  // A line left out of a finished loop is as settled as one in it.
  const open = solved
    ? 0
    : state.lines.subarray(0, lineCount).reduce((count, line) => count + (line === unknown ? 1 : 0), 0);
  if (solved) return { steps: lineCount, chain, guesses: 0, searchSteps: 0 };
  const { found, finished, taken } = searchLoops(state, defaultBudget.searchSteps);
  if (!finished || found.length !== 1) return undefined;
  return { steps: lineCount - open, chain, guesses: open, searchSteps: taken };
}

export function loopySolutions(
  instance: LoopyInstance,
  most: number,
  budget: SolveBudget = defaultBudget,
): SomeSolutions<LoopyBoard> {
  const deduction = deductionFor(instance.width, instance.height);
  const outcome = deduced(deduction, cluesOf(instance), hard);
  if (outcome === "impossible" || most === 0) return { boards: [], all: outcome === "impossible" };
  if (outcome === "solved") return { boards: [{ cells: solvedCells(deduction.state) }], all: true };
  const { found, finished } = searchLoops(deduction.state, budget.searchSteps, most);
  return { boards: found.map((cells) => ({ cells })), all: finished };
}

/** The lowest level whose rules solve it; unreasonable when only search does. */
export function difficultyOf(instance: LoopyInstance): LoopyDifficulty | undefined {
  const level = levelOf(deductionFor(instance.width, instance.height), cluesOf(instance));
  if (level !== undefined) return level;
  return solveLoopy(instance).status === "unique" ? "unreasonable" : undefined;
}
