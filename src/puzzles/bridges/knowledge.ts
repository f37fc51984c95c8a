// What a solver by deduction knows about a board: bridges that must be there, limits, groups of joined islands, and
// which islands deserve another look. Drawing conclusions from it is for `deductions.ts`.
import type { IslandGraph } from "./island-graph.ts";

/** What is known so far. Every array is reused from board to board. */
export type Knowledge = {
  readonly graph: IslandGraph;
  readonly maxBridges: number;
  readonly loopsForbidden: boolean;
  /** By lane: bridges that must be there, and how many there can be at most; 0 once a bridge crosses. */
  readonly known: Int32Array;
  readonly limit: Int32Array;
  /** By island: known bridges that end there, and whether they are all. */
  readonly built: Int32Array;
  readonly full: Uint8Array;
  /** Islands joined by known bridges: a union-find with, at each root, islands in the group and bridge ends it lacks. */
  readonly parent: Int32Array;
  readonly groupSize: Int32Array;
  readonly groupLacks: Int32Array;
  /** Islands to look at again as a whole, and those not yet looked at lane by lane. */
  readonly waiting: Int32Array;
  readonly isWaiting: Uint8Array;
  readonly unexamined: Uint8Array;
  waitingCount: number;
  groupCount: number;
  fullCount: number;
  builtLanes: number;
  /** Islands looked at since everything was forgotten. */
  looks: number;
};

export function blankKnowledge(graph: IslandGraph, maxBridges: number, loopsForbidden: boolean): Knowledge {
  const islands = graph.cellOf.length;
  const lanes = graph.from.length;
  return {
    graph,
    maxBridges,
    loopsForbidden,
    known: new Int32Array(lanes),
    limit: new Int32Array(lanes),
    built: new Int32Array(islands),
    full: new Uint8Array(islands),
    parent: new Int32Array(islands),
    groupSize: new Int32Array(islands),
    groupLacks: new Int32Array(islands),
    waiting: new Int32Array(islands),
    isWaiting: new Uint8Array(islands),
    unexamined: new Uint8Array(islands),
    waitingCount: 0,
    groupCount: 0,
    fullCount: 0,
    builtLanes: 0,
    looks: 0,
  };
}

/** Forgets everything but the clues, which may have changed since. */
export function forget(k: Knowledge): void {
  const {
    graph,
    maxBridges,
    known,
    limit,
    built,
    full,
    parent,
    groupSize,
    groupLacks,
    waiting,
    isWaiting,
    unexamined,
  } = k;
  const { islandCount, laneCount, clue, from, to } = graph;
  for (let lane = 0; lane < laneCount; lane++) {
    known[lane] = 0;
    limit[lane] = Math.min(maxBridges, clue[from[lane]], clue[to[lane]]);
  }
  for (let island = 0; island < islandCount; island++) {
    built[island] = full[island] = 0;
    parent[island] = waiting[island] = island;
    groupSize[island] = isWaiting[island] = unexamined[island] = 1;
    groupLacks[island] = clue[island];
  }
  k.waitingCount = k.groupCount = islandCount;
  k.fullCount = k.builtLanes = k.looks = 0;
}

export function groupOf(parent: Int32Array, island: number): number {
  let root = island;
  while (parent[root] !== root) root = parent[root] = parent[parent[root]];
  return root;
}

export function lookAgain(k: Knowledge, island: number): void {
  k.unexamined[island] = 1;
  if (k.isWaiting[island] === 1) return;
  k.isWaiting[island] = 1;
  k.waiting[k.waitingCount++] = island;
}

export function addBridges(k: Knowledge, lane: number, count: number): void {
  const { graph, known, built, parent, groupSize, groupLacks } = k;
  const a = graph.from[lane];
  const b = graph.to[lane];
  let root = groupOf(parent, a);
  if (known[lane] === 0) {
    k.builtLanes++;
    for (let entry = graph.firstCrossing[lane]; entry >= 0; entry = graph.nextCrossing[entry])
      closeLane(k, graph.crossingLane[entry]);
    let other = groupOf(parent, b);
    if (root !== other) {
      if (groupSize[root] < groupSize[other]) [root, other] = [other, root];
      parent[other] = root;
      groupSize[root] += groupSize[other];
      groupLacks[root] += groupLacks[other];
      k.groupCount--;
    }
  }
  known[lane] += count;
  built[a] += count;
  built[b] += count;
  groupLacks[root] -= 2 * count;
  lookAgain(k, a);
  lookAgain(k, b);
}

export function closeLane(k: Knowledge, lane: number): void {
  if (k.limit[lane] > 0) lowerLimit(k, lane, 0);
}

export function lowerLimit(k: Knowledge, lane: number, limit: number): void {
  k.limit[lane] = limit;
  lookAgain(k, k.graph.from[lane]);
  lookAgain(k, k.graph.to[lane]);
}
