// Whether an answer keeps the rules, on the problem's own islands. Only where it does not are words and cells collected.
import { type Cell, type Judgment, type Violation, violationOf } from "../puzzle.ts";
import {
  type BridgesBoard,
  type BridgesInstance,
  clueSymbol,
  horizontalSymbols,
  verticalSymbols,
  water,
} from "./instance.ts";

const bridgesAcross = new Map<string, number>(horizontalSymbols.map((symbol, count) => [symbol, count]));
const bridgesUpright = new Map<string, number>(verticalSymbols.map((symbol, count) => [symbol, count]));

/** Bridges that run whole from one island to the next, three numbers each: from which cell, to which, how many. */
type Runs = number[];

export function judge(instance: BridgesInstance, board: BridgesBoard): Judgment {
  const runs: Runs = [];
  return (
    changedGivens(instance, board) ??
    brokenBridges(instance, board, runs) ??
    tooManyBridges(instance, runs) ??
    wrongCounts(instance, runs) ??
    loops(instance, runs) ??
    separateGroups(instance, runs) ?? { correct: true }
  );
}

/** Each rule that is broken, with all the cells where; counts and groups are of the bridges that are whole. */
export function violations(instance: BridgesInstance, board: BridgesBoard): Violation[] {
  const runs: Runs = [];
  const given = violationOf("given", changedGivens(instance, board));
  if (board.cells.length !== instance.clues.length) return given;
  return [
    ...given,
    ...violationOf("unbroken-bridge", brokenBridges(instance, board, runs)),
    ...violationOf("most-bridges", tooManyBridges(instance, runs)),
    ...violationOf("island-count", wrongCounts(instance, runs)),
    ...violationOf("no-loops", loops(instance, runs)),
    ...violationOf("connected", separateGroups(instance, runs)),
  ];
}

function changedGivens({ width, clues }: BridgesInstance, { cells }: BridgesBoard): Judgment | undefined {
  if (cells.length !== clues.length)
    return wrong(`the board has ${clues.length} cells, the answer ${cells.length}`, [], width);
  const changed: number[] = [];
  for (let cell = 0; cell < clues.length; cell++) {
    const symbol = cells[cell];
    if (
      clues[cell] > 0 ? symbol !== clueSymbol(clues[cell]) : !bridgesAcross.has(symbol) && !bridgesUpright.has(symbol)
    )
      changed.push(cell);
  }
  if (changed.length === 0) return undefined;
  const first = changed[0];
  const given = clues[first] > 0 ? `the island ${clueSymbol(clues[first])}` : "no island";
  return wrong(`the givens were changed: ${place(first, width)} is ${given}, not ${cells[first]}`, changed, width);
}

/** Collects the whole bridges, and complains about any part of a bridge that is not one. */
function brokenBridges(instance: BridgesInstance, board: BridgesBoard, runs: Runs): Judgment | undefined {
  const { width, height } = instance;
  const broken: number[] = [];
  const crossings: number[] = [];
  const rows: Lines = { counts: bridgesAcross, step: 1, length: width, broken, crossings };
  const columns: Lines = { counts: bridgesUpright, step: width, length: height, broken, crossings };
  for (let y = 0; y < height; y++) readLine(instance, board, y * width, rows, runs);
  for (let x = 0; x < width; x++) readLine(instance, board, x, columns, runs);
  if (broken.length === 0) return undefined;
  broken.push(...crossings);
  broken.sort((a, b) => a - b);
  if (crossings.length > 0)
    return wrong(`bridges may not cross: two meet at ${place(crossings[0], width)}`, broken, width);
  return wrong(
    `a bridge must run unbroken, with one number of lines, from one island to the next: ${place(broken[0], width)} belongs to none that does`,
    broken,
    width,
  );
}

/** Rows or columns: what a symbol counts along them, and where what is wrong with them is collected. */
type Lines = {
  readonly counts: Map<string, number>;
  readonly step: number;
  readonly length: number;
  readonly broken: number[];
  readonly crossings: number[];
};

function readLine({ clues }: BridgesInstance, { cells }: BridgesBoard, start: number, lines: Lines, runs: Runs): void {
  const { counts, step, length } = lines;
  let island = -1;
  let bridgeCells = 0;
  let count = 0;
  let steady = true;
  const end = start + length * step;
  for (let cell = start; cell <= end; cell += step) {
    if (cell < end && clues[cell] === 0) {
      const here = counts.get(cells[cell]) ?? 0;
      if (here === 0) continue;
      if (bridgeCells > 0 && here !== count) steady = false;
      bridgeCells++;
      count = here;
      continue;
    }
    if (bridgeCells > 0) {
      const joins = island >= 0 && cell < end;
      if (joins && steady && bridgeCells === (cell - island) / step - 1) runs.push(island, cell, count);
      else
        for (let part = island < 0 ? start : island + step; part < cell; part += step) {
          if (!counts.has(cells[part])) {
            if (joins) lines.crossings.push(part);
          } else if (cells[part] !== water) lines.broken.push(part);
        }
    }
    island = cell;
    bridgeCells = 0;
    steady = true;
  }
}

function tooManyBridges({ width, maxBridges }: BridgesInstance, runs: Runs): Judgment | undefined {
  const crowded: number[] = [];
  for (let i = 0; i < runs.length; i += 3)
    if (runs[i + 2] > maxBridges) crowded.push(...cellsBetween(runs[i], runs[i + 1], width));
  if (crowded.length === 0) return undefined;
  crowded.sort((a, b) => a - b);
  return wrong(
    `at most ${maxBridges} bridge${maxBridges === 1 ? "" : "s"} may join two islands: there are more at ${place(crowded[0], width)}`,
    crowded,
    width,
  );
}

function wrongCounts({ width, clues }: BridgesInstance, runs: Runs): Judgment | undefined {
  const missing = clues.slice();
  for (let i = 0; i < runs.length; i += 3) {
    missing[runs[i]] -= runs[i + 2];
    missing[runs[i + 1]] -= runs[i + 2];
  }
  const islands: number[] = [];
  for (let cell = 0; cell < missing.length; cell++) if (missing[cell] !== 0) islands.push(cell);
  if (islands.length === 0) return undefined;
  const first = islands[0];
  const others = islands.length > 1 ? `, and ${islands.length - 1} more islands are wrong` : "";
  return wrong(
    `the island at ${place(first, width)} needs ${clues[first]} bridges and has ${clues[first] - missing[first]}${others}`,
    islands,
    width,
  );
}

function loops(instance: BridgesInstance, runs: Runs): Judgment | undefined {
  const { width } = instance;
  if (instance.loops === "allowed") return undefined;
  const groups = noGroups(instance.clues.length);
  for (let i = 0; i < runs.length; i += 3) {
    if (join(groups, runs[i], runs[i + 1])) continue;
    return wrong(
      `loops are forbidden: the bridge between ${place(runs[i], width)} and ${place(runs[i + 1], width)} closes one`,
      loopCells(runs, width),
      width,
    );
  }
  return undefined;
}

/** What is left of the network after taking away, again and again, islands where it only ends. */
function loopCells(runs: Runs, width: number): number[] {
  let left = Array.from({ length: runs.length / 3 }, (_, i) => [runs[3 * i], runs[3 * i + 1]] as const);
  for (;;) {
    const ends = new Map<number, number>();
    for (const cell of left.flat()) ends.set(cell, (ends.get(cell) ?? 0) + 1);
    const kept = left.filter(([a, b]) => ends.get(a)! > 1 && ends.get(b)! > 1);
    if (kept.length === left.length) break;
    left = kept;
  }
  const cells = left.flatMap(([a, b]) => [a, ...cellsBetween(a, b, width), b]);
  return [...new Set(cells)].sort((a, b) => a - b);
}

function separateGroups({ width, clues }: BridgesInstance, runs: Runs): Judgment | undefined {
  const groups = noGroups(clues.length);
  let missing = -1;
  for (let cell = 0; cell < clues.length; cell++) if (clues[cell] > 0) missing++;
  for (let i = 0; i < runs.length; i += 3) if (join(groups, runs[i], runs[i + 1])) missing--;
  if (missing === 0) return undefined;
  const islands = clues.flatMap((clue, cell) => (clue > 0 ? [cell] : []));
  const sizes = new Map<number, number>();
  for (const cell of islands) sizes.set(groupOf(groups, cell), (sizes.get(groupOf(groups, cell)) ?? 0) + 1);
  const largest = Math.max(...sizes.values());
  const main = islands.find((cell) => sizes.get(groupOf(groups, cell)) === largest)!;
  const apart = islands.filter((cell) => groupOf(groups, cell) !== groupOf(groups, main));
  return wrong(
    `all islands must be connected: there are ${sizes.size} separate groups, and the island at ${place(apart[0], width)} cannot reach the one at ${place(main, width)}`,
    apart,
    width,
  );
}

/** Islands joined so far: a cell points to another of its group, and one of each group holds minus its size. */
const noGroups = (size: number): Int32Array => new Int32Array(size).fill(-1);

function groupOf(groups: Int32Array, cell: number): number {
  let at = cell;
  while (groups[at] >= 0) at = groups[at];
  return at;
}

/** False if the two were joined already. */
function join(groups: Int32Array, a: number, b: number): boolean {
  const first = groupOf(groups, a);
  const second = groupOf(groups, b);
  if (first === second) return false;
  const [larger, smaller] = groups[first] <= groups[second] ? [first, second] : [second, first];
  groups[larger] += groups[smaller];
  groups[smaller] = larger;
  return true;
}

function cellsBetween(from: number, to: number, width: number): number[] {
  const step = to - from < width ? 1 : width;
  return Array.from({ length: (to - from) / step - 1 }, (_, i) => from + (i + 1) * step);
}

const place = (cell: number, width: number): string =>
  `row ${Math.floor(cell / width) + 1}, column ${(cell % width) + 1}`;

function wrong(because: string, cells: readonly number[], width: number): Judgment {
  const where: Cell[] = cells.map((cell) => ({ row: Math.floor(cell / width), column: cell % width }));
  return { correct: false, because, cells: where };
}
