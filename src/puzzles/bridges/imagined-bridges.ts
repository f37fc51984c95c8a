// The hard deductions: imagine bridges, see whether a group of islands would be closed off or an island starved, and
// rule them out.
import { addBridges, groupOf, type Knowledge, lowerLimit } from "./knowledge.ts";

/** Goes once through the board; true if anything was found. */
export function tryBridges(k: Knowledge): boolean {
  const { graph, known, limit, full, built } = k;
  const { clue, from, to } = graph;
  let progress = false;
  for (let lane = 0; lane < graph.laneCount; lane++) {
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
  for (let island = 0; island < graph.islandCount; island++)
    if (full[island] === 0 && needsWayOut(k, island)) progress = true;
  return progress;
}

/** How many of `possible` further bridges can be imagined before something breaks. */
function allowedBridges(k: Knowledge, lane: number, possible: number): number {
  const { graph, known, limit, built, parent, groupSize, groupLacks } = k;
  const { clue, firstCrossing, nextCrossing, crossingLane, islandCount } = graph;
  const a = graph.from[lane];
  const b = graph.to[lane];
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

/** Only islands near the imagined bridge can have come to lack anything: its ends, their neighbors, and ends of crossed lanes. */
function someIslandStarves(k: Knowledge, lane: number, crossedToo: boolean): boolean {
  const { graph } = k;
  if (starves(k, graph.from[lane]) || starves(k, graph.to[lane])) return true;
  if (neighborStarves(k, graph.from[lane]) || neighborStarves(k, graph.to[lane])) return true;
  if (crossedToo)
    for (let entry = graph.firstCrossing[lane]; entry >= 0; entry = graph.nextCrossing[entry]) {
      const crossed = graph.crossingLane[entry];
      if (k.limit[crossed] < 0 && (starves(k, graph.from[crossed]) || starves(k, graph.to[crossed]))) return true;
    }
  return false;
}

function neighborStarves(k: Knowledge, island: number): boolean {
  const { graph, limit } = k;
  for (let at = 4 * island; at < 4 * island + 4; at++) {
    const lane = graph.laneAt[at];
    if (lane >= 0 && limit[lane] > 0 && starves(k, graph.islandAt[at])) return true;
  }
  return false;
}

function starves(k: Knowledge, island: number): boolean {
  const { graph, known, limit, built } = k;
  const { clue, laneAt, islandAt } = graph;
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
  const { graph, known, limit, built, full, parent, groupSize, groupLacks } = k;
  const { clue, laneAt, islandAt, islandCount } = graph;
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
  const { graph, known, limit, full, parent } = k;
  const group = groupOf(parent, graph.islandAt[at]);
  if (group === groupOf(parent, island)) return true;
  for (let earlier = 4 * island; earlier < at; earlier++) {
    const lane = graph.laneAt[earlier];
    if (earlier === way || lane < 0 || limit[lane] === known[lane]) continue;
    const other = graph.islandAt[earlier];
    if (full[other] === 0 && group === groupOf(parent, other)) return true;
  }
  return false;
}
