// Answers as text and as bridges: the grid that a model sees and writes, and which bridges a written grid holds.
import { readGrid, writeGrid } from "../grid-text.ts";
import { PuzzleFormatError, type ReadBoard } from "../puzzle.ts";
import {
  type BridgesBoard,
  type BridgesInstance,
  clueSymbol,
  horizontalSymbols,
  largestClue,
  verticalSymbols,
  water,
} from "./instance.ts";
import type { IslandGraph } from "./island-graph.ts";
import { type Placement, readPlacements, writePlacements } from "./notation.ts";

/** Every symbol that may stand in an answer, and the form it is kept in. */
const kept = new Map<string, string>([[water, water]]);
for (const symbol of [...horizontalSymbols, ...verticalSymbols]) kept.set(symbol, symbol);
for (let clue = 1; clue <= largestClue; clue++) {
  kept.set(clueSymbol(clue), clueSymbol(clue));
  kept.set(clueSymbol(clue).toLowerCase(), clueSymbol(clue));
}

export function initialCells(instance: BridgesInstance): string[] {
  return instance.clues.map((clue) => (clue === 0 ? water : clueSymbol(clue)));
}

/** The grid of islands, under a line that says how this board departs from the usual two bridges and free loops. */
export function renderGivens(instance: BridgesInstance): string {
  const rules: string[] = [];
  if (instance.maxBridges !== 2)
    rules.push(`At most ${instance.maxBridges} bridge${instance.maxBridges === 1 ? "" : "s"} between two islands.`);
  if (instance.loops === "forbidden") rules.push("Loops are forbidden.");
  const grid = writeGrid(initialCells(instance), instance.width);
  return rules.length === 0 ? grid : `${rules.join(" ")}\n${grid}`;
}

export function renderAnswer(instance: BridgesInstance, board: BridgesBoard): string {
  return writeGrid(board.cells, instance.width);
}

export function readAnswer({ width, height }: BridgesInstance, text: string): ReadBoard<BridgesBoard> {
  const grid = readGrid(text, width, height);
  if ("unreadable" in grid) return grid;
  const { cells } = grid;
  for (let cell = 0; cell < cells.length; cell++) {
    const symbol = kept.get(cells[cell]);
    if (symbol === undefined) {
      const where = `row ${Math.floor(cell / width) + 1}, column ${(cell % width) + 1}`;
      return { unreadable: `${where}: ${JSON.stringify(cells[cell])} is not a symbol of this puzzle` };
    }
    cells[cell] = symbol;
  }
  return { board: { cells } };
}

export function boardOfLanes(instance: BridgesInstance, graph: IslandGraph, bridges: ArrayLike<number>): BridgesBoard {
  const cells = initialCells(instance);
  for (let lane = 0; lane < graph.laneCount; lane++) {
    if (bridges[lane] === 0) continue;
    const across = graph.horizontal[lane] === 1;
    const symbol = (across ? horizontalSymbols : verticalSymbols)[bridges[lane]];
    const step = across ? 1 : instance.width;
    const end = graph.cellOf[graph.to[lane]];
    for (let cell = graph.cellOf[graph.from[lane]] + step; cell < end; cell += step) cells[cell] = symbol;
  }
  return { cells };
}

/** His order: island by island, first to the right and then down. */
export function writeMove({ width, height, clues }: BridgesInstance, { cells }: BridgesBoard): string {
  const placements: Placement[] = [];
  for (let from = 0; from < clues.length; from++) {
    if (clues[from] === 0) continue;
    const [x, y] = [from % width, Math.floor(from / width)];
    for (const [step, distance, symbols] of [
      [1, width - 1 - x, horizontalSymbols],
      [width, height - 1 - y, verticalSymbols],
    ] as const) {
      const count = distance > 1 ? (symbols as readonly string[]).indexOf(cells[from + step]) : 0;
      if (count <= 0) continue;
      let length = 1;
      while (length <= distance && clues[from + length * step] === 0) {
        if (cells[from + length * step] !== symbols[count])
          throw new PuzzleFormatError(
            `the bridge from row ${y + 1}, column ${x + 1} is broken off, so the board cannot be written as a move`,
          );
        length++;
      }
      if (length > distance)
        throw new PuzzleFormatError(
          `the bridge from row ${y + 1}, column ${x + 1} ends in no island, so the board cannot be written as a move`,
        );
      const to = from + length * step;
      placements.push({ fromX: x, fromY: y, toX: to % width, toY: Math.floor(to / width), count });
    }
  }
  return writePlacements(placements);
}

export function readMove(instance: BridgesInstance, move: string): BridgesBoard {
  const { width, height, clues, maxBridges } = instance;
  const cells = initialCells(instance);
  readPlacements(move, ({ fromX, fromY, toX, toY, count }) => {
    if (fromX >= width || toX >= width || fromY >= height || toY >= height)
      return `outside the ${width}x${height} board`;
    if ((fromX === toX) === (fromY === toY)) return "a bridge joins two islands in one row or one column";
    if (count > maxBridges) return `${count} bridges, but at most ${maxBridges} may join two islands`;
    const [start, end] = [fromY * width + fromX, toY * width + toX].sort((a, b) => a - b);
    if (clues[start] === 0 || clues[end] === 0) return "a bridge must start and end at an island";
    const step = fromX === toX ? width : 1;
    const own: readonly string[] = fromX === toX ? verticalSymbols : horizontalSymbols;
    for (let cell = start + step; cell < end; cell += step) {
      if (clues[cell] !== 0) return "another island lies between the two";
      if (!own.includes(cells[cell])) return "crosses a bridge placed earlier";
      cells[cell] = own[count];
    }
    return undefined;
  });
  return { cells };
}
