// Solving and grading instances: complete by search, with the level of what line-by-line deduction alone can do.
import { defaultBudget, type Effort, type SolveBudget, type SomeSolutions } from "../puzzle.ts";
import { Deduction } from "./deduction.ts";
import { deduceByLines, levelOf } from "./grading.ts";
import { clockwise, monsterSymbols, type UndeadBoard, type UndeadDifficulty, type UndeadInstance } from "./instance.ts";
import { searchMaze } from "./search.ts";
import { sightLinesOf } from "./sight-lines.ts";

// No maze has or shows this many; whatever is larger is as impossible, and this fits the arrays.
const impossiblyMany = 1_000_000_000;
const within = (count: number) => Math.min(count, impossiblyMany);

/** Reasoning about an instance, with its givens in place. */
function beginDeduction(instance: UndeadInstance): Deduction {
  const { width, height, totals, cells } = instance;
  const lines = sightLinesOf(width, height, cells);
  const deduction = new Deduction(lines);
  deduction.seen.set(clockwise(instance.sightings).map(within));
  deduction.begin(within(totals.ghosts), within(totals.vampires), within(totals.zombies));
  for (let monster = 0; monster < lines.monsterCount; monster++) {
    const given = monsterSymbols.indexOf(cells[lines.cellOfMonster[monster]]);
    if (given >= 0) deduction.restrict(monster, 1 << given, -1);
  }
  return deduction;
}

/** The level of an instance that is known to have one solution. */
export function undeadLevel(instance: UndeadInstance): UndeadDifficulty | undefined {
  const deduced = deduceByLines(beginDeduction(instance));
  return deduced && levelOf(deduced);
}

export function undeadEffort(instance: UndeadInstance): Effort | undefined {
  const deduction = beginDeduction(instance);
  const given = deduction.open;
  const deduced = deduceByLines(deduction);
  if (deduced === undefined) return undefined;
  const { fillings, finished, taken } = searchMaze(deduction, defaultBudget.searchSteps);
  if (!finished || fillings.length !== 1) return undefined;
  return {
    difficulty: levelOf(deduced),
    steps: given - deduced.open,
    chain: deduced.passes,
    guesses: deduced.open,
    searchSteps: taken,
  };
}

export function undeadSolutions(
  instance: UndeadInstance,
  most: number,
  budget: SolveBudget = defaultBudget,
): SomeSolutions<UndeadBoard> {
  const { fillings, finished } = searchMaze(beginDeduction(instance), budget.searchSteps, undefined, most);
  return { boards: fillings.map((filling) => boardOf(instance, filling)), all: finished && fillings.length < most };
}

/** The board with its monster cells, row by row, filled by 0 ghost, 1 vampire, 2 zombie. */
function boardOf(instance: UndeadInstance, filling: ArrayLike<number>): UndeadBoard {
  let monster = 0;
  let cells = "";
  for (const symbol of instance.cells) {
    cells += symbol === "/" || symbol === "\\" ? symbol : monsterSymbols[filling[monster++]];
  }
  return { cells };
}
