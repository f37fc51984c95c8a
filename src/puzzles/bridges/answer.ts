// Answers as text and as bridges: the grid that a model sees and writes, and which bridges a written grid holds.
import { readSymbols, writeGrid } from "../grid-text.ts";
import { PuzzleFormatError, type ReadBoard } from "../puzzle.ts";
import {
  type BridgesBoard,
  type BridgesInstance,
  clueSymbol,
  clueSymbols,
  horizontalSymbols,
  verticalSymbols,
  water,
} from "./instance.ts";
import type { IslandGraph } from "./island-graph.ts";
import { readPlacements, writePlacements } from "./notation.ts";
import { bridgesIn, spansOf } from "./spans.ts";

const symbols = [...new Set([...horizontalSymbols, ...verticalSymbols]), ...clueSymbols];

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

export function readAnswer(instance: BridgesInstance, text: string): ReadBoard<BridgesBoard> {
  const read = readSymbols(instance, text, symbols);
  return "unreadable" in read ? read : { board: read };
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
export function writeMove(instance: BridgesInstance, { cells }: BridgesBoard): string {
  const spans = spansOf(instance);
  const { values, broken } = bridgesIn(instance, initialCells(instance), spans, cells);
  if (broken.length > 0) throw new PuzzleFormatError(`the board cannot be written as a move: ${broken[0].because}`);
  return writePlacements(
    spans.flatMap(({ from, to }, span) => (values[span] > 0 ? { from, to, count: values[span] } : [])),
    instance.width,
  );
}

export function readMove(instance: BridgesInstance, move: string): BridgesBoard {
  const { width, height, maxBridges } = instance;
  const cells = initialCells(instance);
  const spans = spansOf(instance);
  readPlacements(move, width, height, ({ from, to, count }) => {
    if (count > maxBridges) return `${count} bridges, but at most ${maxBridges} may join two islands`;
    const span = spans.find((span) => span.from === Math.min(from, to) && span.to === Math.max(from, to));
    if (span === undefined) return "a bridge must join two islands that are neighbors in a row or a column";
    const symbols: readonly string[] = span.across ? horizontalSymbols : verticalSymbols;
    if (span.cells.some((cell) => !symbols.includes(cells[cell]))) return "crosses a bridge placed earlier";
    for (const cell of span.cells) cells[cell] = symbols[count];
    return undefined;
  });
  return { cells };
}
