// The complete solver. The rules first; then, where they stop, search within each part of the board that is still open
// and shares no dot with the others, so that doubt in one corner is never multiplied by doubt in another.
import { defaultBudget, type Effort, inRounds, type SolveBudget, type SomeSolutions } from "../puzzle.ts";
import { dotLabels, type GalaxiesBoard, type GalaxiesInstance } from "./instance.ts";
import { PairTable } from "./pairs.ts";
import { openCells, Search } from "./search.ts";

// Loaded anew by every call and never held across one.
const table = new PairTable();

/** Normal when the rules alone solve it, unreasonable when only search does. Search is counted in pairs that were tried. */
export function galaxiesEffort(instance: GalaxiesInstance): Effort | undefined {
  if (!loadInstance(table, instance)) return undefined;
  const before = table.openCells;
  const pairs = table.pairCount;
  const effort = table.effort;
  if (!table.propagate()) return undefined;
  const chain = inRounds(table.effort - effort, pairs);
  const deduced = { steps: before - table.openCells, chain };
  if (table.openCells === 0) return { difficulty: "normal", ...deduced, guesses: 0, searchSteps: 0 };
  const guesses = table.openCells;
  const search = new Search(table, defaultBudget.searchSteps);
  const fillings = search.fillings(openCells(table), 2);
  if (search.exhausted || fillings.length !== 1) return undefined;
  return { difficulty: "unreasonable", ...deduced, guesses, searchSteps: defaultBudget.searchSteps - search.stepsLeft };
}

function loadInstance(table: PairTable, { width, height, dots }: GalaxiesInstance): boolean {
  const xs = dots.map((dot) => dot.x);
  const ys = dots.map((dot) => dot.y);
  return table.load(width, height, dots.length, xs, ys);
}

/** Up to `most` solutions. */
export function galaxiesSolutions(
  instance: GalaxiesInstance,
  most: number,
  budget: SolveBudget = defaultBudget,
): SomeSolutions<GalaxiesBoard> {
  if (!loadInstance(table, instance) || !table.propagate()) return { boards: [], all: true };
  const found = solutionsOf(table, budget, most);
  const boards = (found ?? []).map((dots) => boardOfDots(instance, dots));
  return { boards, all: found !== undefined && boards.length < most };
}

/** Up to two solutions of a loaded and propagated table, as the dot of each cell row by row; undefined when the budget ends. */
function solutionsOf(table: PairTable, budget: SolveBudget, most = 2): Int32Array[] | undefined {
  const cells = openCells(table);
  const search = new Search(table, budget.searchSteps);
  const fillings = search.fillings(cells, most);
  if (search.exhausted && fillings.length < most) return undefined;
  const settled = settledDots(table);
  const { stride, width, dotOf } = table;
  return fillings.map((pairs) => {
    const dots = settled.slice();
    pairs.forEach((pair, at) => {
      const row = Math.floor(cells[at] / stride) - 1;
      dots[row * width + (cells[at] % stride) - 1] = dotOf[pair];
    });
    return dots;
  });
}

/** The dot of each cell row by row; meaningless where a cell is open. */
function settledDots(table: PairTable): Int32Array {
  const { width, height, stride, under, leftXor, dotOf } = table;
  const dots = new Int32Array(width * height);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const cell = (row + 1) * stride + column + 1;
      dots[row * width + column] = under[cell] > 0 ? under[cell] - 1 : dotOf[leftXor[cell]];
    }
  return dots;
}

function boardOfDots(instance: GalaxiesInstance, dots: Int32Array): GalaxiesBoard {
  const names = dotLabels(instance);
  return { labels: Array.from(dots, (dot) => names[dot]) };
}
