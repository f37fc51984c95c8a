// The deductions that a person makes, in the three grades that Tatham gave them, run until nothing more follows.
// All are sound and none guesses: a board they finish has one solution. What they cannot finish is for `search.ts`.
import { type Archipelago, left } from "./archipelago.ts";

/** What is known so far. Every array is reused from board to board. */
export type Knowledge = {
  readonly sea: Archipelago;
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
};

export function blankKnowledge(sea: Archipelago, maxBridges: number, loopsForbidden: boolean): Knowledge {
  const islands = sea.cellOf.length;
  const lanes = sea.from.length;
  return {
    sea,
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
  };
}

/** Forgets everything but the clues, which may have changed since. */
export function forget(k: Knowledge): void {
  const { sea, maxBridges, known, limit, built, full, parent, groupSize, groupLacks, waiting, isWaiting, unexamined } =
    k;
  const { islandCount, laneCount, clue, from, to } = sea;
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
  k.fullCount = k.builtLanes = 0;
}

/**
 * Deduces at grade 0 (easy), 1 (medium) or 2 (hard), on top of what is known already, and says whether that solved the
 * board. It is enough to go on at the next grade after failing at one, because what follows does not depend on order.
 */
export function deduce(k: Knowledge, grade: number): boolean {
  for (;;) {
    if (!examineIslands(k)) return false;
    if (grade < 1) break;
    if (examineLanes(k)) continue;
    if (grade < 2 || k.fullCount === k.sea.islandCount) break;
    if (!tryBridges(k)) break;
  }
  return isSolved(k);
}

function isSolved(k: Knowledge): boolean {
  const { islandCount } = k.sea;
  return k.fullCount === islandCount && k.groupCount === 1 && !(k.loopsForbidden && k.builtLanes >= islandCount);
}

function groupOf(parent: Int32Array, island: number): number {
  let root = island;
  while (parent[root] !== root) root = parent[root] = parent[parent[root]];
  return root;
}

function lookAgain(k: Knowledge, island: number): void {
  k.unexamined[island] = 1;
  if (k.isWaiting[island] === 1) return;
  k.isWaiting[island] = 1;
  k.waiting[k.waitingCount++] = island;
}

function addBridges(k: Knowledge, lane: number, count: number): void {
  const { sea, known, built, parent, groupSize, groupLacks } = k;
  const a = sea.from[lane];
  const b = sea.to[lane];
  let root = groupOf(parent, a);
  if (known[lane] === 0) {
    k.builtLanes++;
    for (let entry = sea.firstCrossing[lane]; entry >= 0; entry = sea.nextCrossing[entry])
      closeLane(k, sea.crossingLane[entry]);
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

function closeLane(k: Knowledge, lane: number): void {
  if (k.limit[lane] > 0) lowerLimit(k, lane, 0);
}

function lowerLimit(k: Knowledge, lane: number, limit: number): void {
  k.limit[lane] = limit;
  lookAgain(k, k.sea.from[lane]);
  lookAgain(k, k.sea.to[lane]);
}

/** Easy: an island whose free places are just enough is filled; one that cannot spare a direction gets a bridge each way. */
function examineIslands(k: Knowledge): boolean {
  const { sea, maxBridges, known, limit, built, full, waiting, isWaiting } = k;
  const { clue, laneAt, islandAt } = sea;
  while (k.waitingCount > 0) {
    const island = waiting[--k.waitingCount];
    isWaiting[island] = 0;
    const missing = clue[island] - built[island];
    if (missing < 0) return false;
    const firstLane = 4 * island + left;
    if (missing === 0) {
      if (full[island] === 1) continue;
      full[island] = 1;
      k.fullCount++;
      for (let at = firstLane; at < firstLane + 4; at++) {
        const lane = laneAt[at];
        if (lane >= 0) lookAgain(k, islandAt[at]);
      }
      continue;
    }
    let places = 0;
    let directions = 0;
    for (let at = firstLane; at < firstLane + 4; at++) {
      const lane = laneAt[at];
      if (lane < 0) continue;
      if (full[islandAt[at]] === 1) {
        if (known[lane] > 0) directions++;
      } else if (limit[lane] > 0) {
        directions++;
        places += Math.min(limit[lane] - known[lane], missing);
      }
    }
    if (places === missing) {
      for (let at = firstLane; at < firstLane + 4; at++) {
        const lane = laneAt[at];
        if (lane < 0 || limit[lane] === 0 || full[islandAt[at]] === 1) continue;
        const count = Math.min(limit[lane] - known[lane], missing);
        if (count > 0) addBridges(k, lane, count);
      }
    } else if (clue[island] > (directions - 1) * maxBridges) {
      for (let at = firstLane; at < firstLane + 4; at++) {
        const lane = laneAt[at];
        if (lane < 0 || limit[lane] === 0 || known[lane] > 0) continue;
        if (full[islandAt[at]] === 0) addBridges(k, lane, 1);
      }
    }
  }
  return true;
}

/** Medium: a direction without which the island could not be completed; and no bridge that closes a loop, where forbidden. */
function examineLanes(k: Knowledge): boolean {
  const { sea, known, limit, full, unexamined } = k;
  const { islandCount, clue, laneAt, islandAt } = sea;
  let progress = k.loopsForbidden && closeLoopingLanes(k);
  for (let island = 0; island < islandCount; island++) {
    if (unexamined[island] === 0) continue;
    unexamined[island] = 0;
    if (full[island] === 1) continue;
    const firstLane = 4 * island + left;
    let available = 0;
    for (let at = firstLane; at < firstLane + 4; at++) {
      const lane = laneAt[at];
      if (lane >= 0) available += full[islandAt[at]] === 1 ? known[lane] : limit[lane];
    }
    for (let at = firstLane; at < firstLane + 4; at++) {
      const lane = laneAt[at];
      if (lane < 0 || known[lane] > 0 || limit[lane] === 0 || full[islandAt[at]] === 1) continue;
      if (available - limit[lane] < clue[island]) {
        addBridges(k, lane, 1);
        progress = true;
      }
    }
  }
  return progress;
}

function closeLoopingLanes(k: Knowledge): boolean {
  const { sea, known, limit, parent, full } = k;
  let progress = false;
  for (let lane = 0; lane < sea.laneCount; lane++) {
    if (known[lane] > 0 || limit[lane] === 0) continue;
    const a = sea.from[lane];
    const b = sea.to[lane];
    if (full[a] === 1 || full[b] === 1 || groupOf(parent, a) !== groupOf(parent, b)) continue;
    closeLane(k, lane);
    progress = true;
  }
  return progress;
}

/** Hard: imagine bridges, and rule them out if they would close off a group of islands or starve an island. */
function tryBridges(k: Knowledge): boolean {
  const { sea, known, limit, full, built } = k;
  const { clue, from, to } = sea;
  let progress = false;
  for (let lane = 0; lane < sea.laneCount; lane++) {
    const a = from[lane];
    const b = to[lane];
    if (limit[lane] === 0 || full[a] === 1 || full[b] === 1) continue;
    const room = limit[lane] - known[lane];
    const lackedByBoth = Math.min(clue[a] - built[a], clue[b] - built[b]);
    const lackedByOne = Math.max(clue[a] - built[a], clue[b] - built[b]);
    const possible = Math.min(room, lackedByBoth);
    const allowed = allowedBridges(k, lane, possible);
    if (allowed < possible || possible < Math.min(room, lackedByOne)) {
      lowerLimit(k, lane, known[lane] + allowed);
      progress = true;
    }
  }
  for (let island = 0; island < sea.islandCount; island++)
    if (full[island] === 0 && needsWayOut(k, island)) progress = true;
  return progress;
}

/** How many of `possible` further bridges can be imagined before something breaks. */
function allowedBridges(k: Knowledge, lane: number, possible: number): number {
  const { sea, known, limit, built, parent, groupSize, groupLacks } = k;
  const { clue, firstCrossing, nextCrossing, crossingLane, islandCount } = sea;
  const a = sea.from[lane];
  const b = sea.to[lane];
  // Crossing lanes of a lane without bridges hold none either; their limits come back afterwards.
  const closes = known[lane] === 0;
  let allowed = 0;
  if (closes)
    for (let entry = firstCrossing[lane]; entry >= 0; entry = nextCrossing[entry])
      if (limit[crossingLane[entry]] > 0) limit[crossingLane[entry]] = -limit[crossingLane[entry]];
  while (allowed < possible) {
    const count = allowed + 1;
    if (clue[a] - built[a] === 1 && clue[b] - built[b] === 1) {
      const groupA = groupOf(parent, a);
      const groupB = groupOf(parent, b);
      const size = groupA === groupB ? groupSize[groupA] : groupSize[groupA] + groupSize[groupB];
      const lacks = groupA === groupB ? groupLacks[groupA] : groupLacks[groupA] + groupLacks[groupB];
      if (lacks === 2 * count && size < islandCount) break;
    }
    known[lane]++;
    built[a]++;
    built[b]++;
    allowed = count;
    if (someIslandStarves(k, lane, closes && count === 1)) {
      known[lane]--;
      built[a]--;
      built[b]--;
      allowed--;
      break;
    }
  }
  known[lane] -= allowed;
  built[a] -= allowed;
  built[b] -= allowed;
  if (closes)
    for (let entry = firstCrossing[lane]; entry >= 0; entry = nextCrossing[entry])
      if (limit[crossingLane[entry]] < 0) limit[crossingLane[entry]] = -limit[crossingLane[entry]];
  return allowed;
}

/** Only islands near the imagined bridge can have come to lack anything: its ends, their neighbours, and ends of crossed lanes. */
function someIslandStarves(k: Knowledge, lane: number, crossedToo: boolean): boolean {
  const { sea } = k;
  if (starves(k, sea.from[lane]) || starves(k, sea.to[lane])) return true;
  if (neighbourStarves(k, sea.from[lane]) || neighbourStarves(k, sea.to[lane])) return true;
  if (crossedToo)
    for (let entry = sea.firstCrossing[lane]; entry >= 0; entry = sea.nextCrossing[entry]) {
      const crossed = sea.crossingLane[entry];
      if (k.limit[crossed] < 0 && (starves(k, sea.from[crossed]) || starves(k, sea.to[crossed]))) return true;
    }
  return false;
}

function neighbourStarves(k: Knowledge, island: number): boolean {
  const { sea, limit } = k;
  for (let at = 4 * island; at < 4 * island + 4; at++) {
    const lane = sea.laneAt[at];
    if (lane >= 0 && limit[lane] > 0 && starves(k, sea.islandAt[at])) return true;
  }
  return false;
}

function starves(k: Knowledge, island: number): boolean {
  const { sea, known, limit, built } = k;
  const { clue, laneAt, islandAt } = sea;
  const missing = clue[island] - built[island];
  if (missing <= 0) return missing < 0;
  let places = 0;
  let lackedAround = 0;
  for (let at = 4 * island; at < 4 * island + 4; at++) {
    const lane = laneAt[at];
    if (lane < 0 || limit[lane] <= 0) continue;
    const room = limit[lane] - known[lane];
    places += Math.min(room, missing);
    const other = islandAt[at];
    lackedAround += Math.min(clue[other] - built[other], room);
  }
  return places < missing || lackedAround < missing;
}

/** If all bridges that do not go one way would close off a group, at least one goes that way. */
function needsWayOut(k: Knowledge, island: number): boolean {
  const { sea, known, limit, built, full, parent, groupSize, groupLacks } = k;
  const { clue, laneAt, islandAt, islandCount } = sea;
  let progress = false;
  for (let way = 4 * island; way < 4 * island + 4; way++) {
    const out = laneAt[way];
    const missing = clue[island] - built[island];
    if (out < 0 || known[out] > 0 || limit[out] === 0 || full[islandAt[way]] === 1) continue;
    let added = 0;
    let size = groupSize[groupOf(parent, island)];
    let lacks = groupLacks[groupOf(parent, island)];
    let fits = true;
    for (let at = 4 * island; at < 4 * island + 4; at++) {
      const lane = laneAt[at];
      if (at === way || lane < 0 || limit[lane] === 0) continue;
      const other = islandAt[at];
      if (full[other] === 1) continue;
      const count = Math.min(limit[lane] - known[lane], missing);
      if (count === 0) continue;
      if (count > clue[other] - built[other]) fits = false;
      added += count;
      if (!joinedEarlier(k, island, at, way)) {
        size += groupSize[groupOf(parent, other)];
        lacks += groupLacks[groupOf(parent, other)];
      }
    }
    if (fits && added === missing && lacks === 2 * added && size < islandCount) {
      addBridges(k, out, 1);
      progress = true;
    }
  }
  return progress;
}

/** Whether the island that way is in the same group as this one, or as one that an earlier direction leads to. */
function joinedEarlier(k: Knowledge, island: number, at: number, way: number): boolean {
  const { sea, known, limit, full, parent } = k;
  const group = groupOf(parent, sea.islandAt[at]);
  if (group === groupOf(parent, island)) return true;
  for (let earlier = 4 * island; earlier < at; earlier++) {
    const lane = sea.laneAt[earlier];
    if (earlier === way || lane < 0 || limit[lane] === known[lane]) continue;
    const other = sea.islandAt[earlier];
    if (full[other] === 0 && group === groupOf(parent, other)) return true;
  }
  return false;
}
