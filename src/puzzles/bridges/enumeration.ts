// Small worlds: the clues of every solved board of a size.

import type { BridgesInstance, BridgesParams } from "./instance.ts";
import { buildGraph, emptyIslandGraph, type IslandGraph } from "./island-graph.ts";

const mostCells = 16;

/** Boards whose islands do not touch and reach all four sides; undefined where they are too many to list. The number of islands is free. */
export function solvedBoards(params: BridgesParams): Iterable<BridgesInstance> | undefined {
  return params.width * params.height > mostCells ? undefined : boards(params);
}

function* boards({ width, height, maxBridges, loops }: BridgesParams): Generator<BridgesInstance> {
  const graph = emptyIslandGraph(width, height);
  for (const islands of islandPatterns(width, height)) {
    buildGraph(graph, islands);
    const found: number[][] = [];
    forEachSolvedBoard(graph, maxBridges, loops === "forbidden", (ofIsland) => {
      const clues: number[] = new Array(width * height).fill(0);
      for (const [island, clue] of ofIsland.entries()) clues[graph.cellOf[island]] = clue;
      found.push(clues);
    });
    for (const clues of found) yield { width, height, maxBridges, loops, clues };
  }
}

/** Patterns of islands, none beside or below another, with one in each outer row and column. */
function* islandPatterns(width: number, height: number): Generator<Uint8Array> {
  const area = width * height;
  const islands = new Uint8Array(area);
  const fillsGrid = () => {
    let [top, bottom, west, east] = [false, false, false, false];
    for (let cell = 0; cell < area; cell++) {
      if (islands[cell] === 0) continue;
      if (cell < width) top = true;
      if (cell >= area - width) bottom = true;
      if (cell % width === 0) west = true;
      if (cell % width === width - 1) east = true;
    }
    return top && bottom && west && east;
  };
  function* from(cell: number): Generator<Uint8Array> {
    if (cell === area) {
      if (fillsGrid()) yield islands;
      return;
    }
    yield* from(cell + 1);
    if ((cell % width > 0 && islands[cell - 1] === 1) || (cell >= width && islands[cell - width] === 1)) return;
    islands[cell] = 1;
    yield* from(cell + 1);
    islands[cell] = 0;
  }
  yield* from(0);
}

function forEachSolvedBoard(
  graph: IslandGraph,
  maxBridges: number,
  loopsForbidden: boolean,
  visit: (clues: readonly number[]) => void,
): void {
  const { islandCount, laneCount, from, to, firstCrossing, nextCrossing, crossingLane } = graph;
  const bridges = new Int32Array(laneCount);
  const clues: number[] = new Array(islandCount).fill(0);
  const crossed = (lane: number): boolean => {
    for (let entry = firstCrossing[lane]; entry >= 0; entry = nextCrossing[entry])
      if (bridges[crossingLane[entry]] > 0) return true;
    return false;
  };
  const choose = (lane: number): void => {
    if (lane === laneCount) {
      if (isConnected(graph, bridges, loopsForbidden)) visit(clues);
      return;
    }
    choose(lane + 1);
    if (crossed(lane)) return;
    for (let count = 1; count <= maxBridges; count++) {
      bridges[lane] = count;
      clues[from[lane]] += count;
      clues[to[lane]] += count;
      choose(lane + 1);
      clues[from[lane]] -= count;
      clues[to[lane]] -= count;
    }
    bridges[lane] = 0;
  };
  choose(0);
}

/** Whether the bridges join all islands, and without a loop where that is asked for. */
function isConnected(graph: IslandGraph, bridges: Int32Array, loopsForbidden: boolean): boolean {
  const group = Int32Array.from({ length: graph.islandCount }, (_, island) => island);
  let groups = graph.islandCount;
  for (let lane = 0; lane < graph.laneCount; lane++) {
    if (bridges[lane] === 0) continue;
    const [kept, joined] = [group[graph.from[lane]], group[graph.to[lane]]];
    if (kept === joined) {
      if (loopsForbidden) return false;
      continue;
    }
    groups--;
    for (let island = 0; island < graph.islandCount; island++) if (group[island] === joined) group[island] = kept;
  }
  return groups === 1;
}
