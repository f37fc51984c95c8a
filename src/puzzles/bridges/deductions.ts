// The deductions that a person makes, in the three grades that Tatham gave them, run until nothing more follows.
// All are sound and none guesses: a board they finish has one solution. What they cannot finish is for `solver.ts`.

import { tryBridges } from "./imagined-bridges.ts";
import { left } from "./island-graph.ts";
import { addBridges, closeLane, groupOf, type Knowledge, lookAgain } from "./knowledge.ts";

/**
 * Deduces at grade 0 (easy), 1 (medium) or 2 (hard), on top of what is known already, and says whether that solved the
 * board. It is enough to go on at the next grade after failing at one, because what follows does not depend on order.
 */
export function deduce(k: Knowledge, grade: number): boolean {
  for (;;) {
    if (!examineIslands(k)) return false;
    if (grade < 1) break;
    if (examineLanes(k)) continue;
    if (grade < 2 || k.fullCount === k.graph.islandCount) break;
    if (!tryBridges(k)) break;
  }
  return isSolved(k);
}

function isSolved(k: Knowledge): boolean {
  const { islandCount } = k.graph;
  return k.fullCount === islandCount && k.groupCount === 1 && !(k.loopsForbidden && k.builtLanes >= islandCount);
}

/** Easy: an island whose free places are just enough is filled; one that cannot spare a direction gets a bridge each way. */
function examineIslands(k: Knowledge): boolean {
  const { graph, maxBridges, known, limit, built, full, waiting, isWaiting } = k;
  const { clue, laneAt, islandAt } = graph;
  while (k.waitingCount > 0) {
    const island = waiting[--k.waitingCount];
    isWaiting[island] = 0;
    k.looks++;
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
  const { graph, known, limit, full, unexamined } = k;
  const { islandCount, clue, laneAt, islandAt } = graph;
  let progress = k.loopsForbidden && closeLoopingLanes(k);
  for (let island = 0; island < islandCount; island++) {
    if (unexamined[island] === 0) continue;
    unexamined[island] = 0;
    k.looks++;
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
  const { graph, known, limit, parent, full } = k;
  let progress = false;
  for (let lane = 0; lane < graph.laneCount; lane++) {
    if (known[lane] > 0 || limit[lane] === 0) continue;
    const a = graph.from[lane];
    const b = graph.to[lane];
    if (full[a] === 1 || full[b] === 1 || groupOf(parent, a) !== groupOf(parent, b)) continue;
    closeLane(k, lane);
    progress = true;
  }
  return progress;
}
