// The rules of Bridges as a theory for the clause solver. A lane with room for h bridges has h variables, "at least k".
// Every inference is explained by a clause: a sum at an island, a crossing, a cut that must be bridged, a closed loop.

import type { ClauseSolver, Literal, Theory } from "../clause-solver.ts";
import type { IslandGraph } from "./island-graph.ts";

export class BridgeRules implements Theory {
  readonly variableCount: number;
  readonly #graph: IslandGraph;
  readonly #loopsForbidden: boolean;
  /** By lane: its first variable, the room it has, and the bounds on its bridges as they stand. */
  readonly #firstVariable: Int32Array;
  readonly #room: Int32Array;
  readonly #low: Int32Array;
  readonly #high: Int32Array;
  /** By variable: its lane, and the bound that held before it was assigned. */
  readonly #laneOf: Int32Array;
  readonly #boundBefore: Int32Array;
  /** By island: the sums of the bounds around it. */
  readonly #sumLow: Int32Array;
  readonly #sumHigh: Int32Array;
  /** What has changed since the last propagation: literals, and the islands at their lanes. */
  readonly #news: Int32Array;
  #newsCount = 0;
  readonly #waiting: Int32Array;
  readonly #isWaiting: Uint8Array;
  #waitingCount: number;
  #someLaneClosed = true;
  #someLaneOpened = true;

  /** By island, while looking for cuts and loops: depth-first order, earliest island reached, lane it was entered by, next way to go. */
  readonly #order: Int32Array;
  readonly #reach: Int32Array;
  readonly #enteredBy: Int32Array;
  readonly #nextWay: Uint8Array;
  readonly #stack: Int32Array;
  readonly #parent: Int32Array;

  constructor(graph: IslandGraph, maxBridges: number, loopsForbidden: boolean) {
    const { islandCount, laneCount, clue, from, to } = graph;
    this.#graph = graph;
    this.#loopsForbidden = loopsForbidden;
    this.#firstVariable = new Int32Array(laneCount);
    this.#room = new Int32Array(laneCount);
    this.#low = new Int32Array(laneCount);
    this.#high = new Int32Array(laneCount);
    this.#sumLow = new Int32Array(islandCount);
    this.#sumHigh = new Int32Array(islandCount);
    let variables = 0;
    for (let lane = 0; lane < laneCount; lane++) {
      const [a, b] = [clue[from[lane]], clue[to[lane]]];
      let room = Math.min(maxBridges, a, b);
      // Two equal clues that spend everything on each other would be cut off from the rest.
      if (a === room && b === room && islandCount > 2) room--;
      this.#firstVariable[lane] = variables;
      this.#room[lane] = this.#high[lane] = room;
      this.#sumHigh[from[lane]] += room;
      this.#sumHigh[to[lane]] += room;
      variables += room;
    }
    this.variableCount = variables;
    this.#laneOf = new Int32Array(variables);
    for (let lane = 0; lane < laneCount; lane++)
      this.#laneOf.fill(lane, this.#firstVariable[lane], this.#firstVariable[lane] + this.#room[lane]);
    this.#boundBefore = new Int32Array(variables);
    this.#news = new Int32Array(variables);
    this.#waiting = new Int32Array(islandCount);
    for (let island = 0; island < islandCount; island++) this.#waiting[island] = island;
    this.#isWaiting = new Uint8Array(islandCount).fill(1);
    this.#waitingCount = islandCount;
    this.#order = new Int32Array(islandCount);
    this.#reach = new Int32Array(islandCount);
    this.#enteredBy = new Int32Array(islandCount);
    this.#nextWay = new Uint8Array(islandCount);
    this.#stack = new Int32Array(islandCount);
    this.#parent = new Int32Array(islandCount);
  }

  /** "This lane has at least `count` bridges", for a count from 1 to its room. */
  atLeast(lane: number, count: number): Literal {
    return 2 * (this.#firstVariable[lane] + count - 1);
  }

  /** "This lane has at most `count` bridges", for a count from 0 to less than its room. */
  atMost(lane: number, count: number): Literal {
    return 2 * (this.#firstVariable[lane] + count) + 1;
  }

  room(lane: number): number {
    return this.#room[lane];
  }

  /** Bridges by lane, once the search is satisfied. */
  bridges(): Int32Array {
    return this.#low.slice();
  }

  assigned(literal: Literal): void {
    const variable = literal >> 1;
    const lane = this.#laneOf[variable];
    const count = variable - this.#firstVariable[lane] + 1;
    this.#news[this.#newsCount++] = literal;
    if ((literal & 1) === 0) {
      this.#boundBefore[variable] = this.#low[lane];
      if (count === 1) this.#someLaneOpened = true;
      if (count > this.#low[lane]) this.#setLow(lane, count);
    } else {
      this.#boundBefore[variable] = this.#high[lane];
      if (count === 1) this.#someLaneClosed = true;
      if (count <= this.#high[lane]) this.#setHigh(lane, count - 1);
    }
    this.#wait(this.#graph.from[lane]);
    this.#wait(this.#graph.to[lane]);
  }

  unassigned(literal: Literal): void {
    const variable = literal >> 1;
    if ((literal & 1) === 0) this.#setLow(this.#laneOf[variable], this.#boundBefore[variable]);
    else this.#setHigh(this.#laneOf[variable], this.#boundBefore[variable]);
    this.#newsCount = 0;
  }

  #setLow(lane: number, low: number): void {
    const change = low - this.#low[lane];
    this.#low[lane] = low;
    this.#sumLow[this.#graph.from[lane]] += change;
    this.#sumLow[this.#graph.to[lane]] += change;
  }

  #setHigh(lane: number, high: number): void {
    const change = high - this.#high[lane];
    this.#high[lane] = high;
    this.#sumHigh[this.#graph.from[lane]] += change;
    this.#sumHigh[this.#graph.to[lane]] += change;
  }

  #wait(island: number): void {
    if (this.#isWaiting[island] === 1) return;
    this.#isWaiting[island] = 1;
    this.#waiting[this.#waitingCount++] = island;
  }

  propagate(solver: ClauseSolver): boolean {
    while (this.#newsCount > 0 || this.#waitingCount > 0) {
      while (this.#newsCount > 0) if (!this.#followUp(solver, this.#news[--this.#newsCount])) return false;
      if (this.#waitingCount === 0) break;
      const island = this.#waiting[--this.#waitingCount];
      this.#isWaiting[island] = 0;
      if (!this.#balance(solver, island)) return false;
    }
    if (this.#someLaneClosed) {
      this.#someLaneClosed = false;
      if (!this.#keepConnected(solver)) return false;
    }
    if (this.#loopsForbidden && this.#someLaneOpened && this.#newsCount === 0) {
      this.#someLaneOpened = false;
      if (!this.#keepOpen(solver)) return false;
    }
    return true;
  }

  /** At least k means at least k - 1, at most k means at most k + 1, and the first bridge of a lane closes those it crosses. */
  #followUp(solver: ClauseSolver, literal: Literal): boolean {
    const { firstCrossing, nextCrossing, crossingLane } = this.#graph;
    const lane = this.#laneOf[literal >> 1];
    const count = (literal >> 1) - this.#firstVariable[lane] + 1;
    if ((literal & 1) === 1) return count === this.#room[lane] || imply(solver, literal, this.atMost(lane, count));
    if (count > 1) return imply(solver, literal, this.atLeast(lane, count - 1));
    for (let entry = firstCrossing[lane]; entry >= 0; entry = nextCrossing[entry]) {
      const crossed = crossingLane[entry];
      if (this.#room[crossed] > 0 && !imply(solver, literal, this.atMost(crossed, 0))) return false;
    }
    return true;
  }

  /** The bridges at an island add up to its clue. */
  #balance(solver: ClauseSolver, island: number): boolean {
    const { laneAt, clue } = this.#graph;
    const spare = clue[island] - this.#sumLow[island];
    const slack = this.#sumHigh[island] - clue[island];
    if (spare < 0) return solver.infer(this.#addLows(solver, island, -1, 0));
    if (slack < 0) return solver.infer(this.#addHighs(solver, island, -1, 0));
    for (let at = 4 * island; at < 4 * island + 4; at++) {
      const lane = laneAt[at];
      if (lane < 0) continue;
      if (this.#high[lane] - this.#low[lane] > spare) {
        solver.inferred[0] = this.atMost(lane, this.#low[lane] + spare);
        if (!solver.infer(this.#addLows(solver, island, lane, 1))) return false;
      }
      if (this.#high[lane] - this.#low[lane] > slack) {
        solver.inferred[0] = this.atLeast(lane, this.#high[lane] - slack);
        if (!solver.infer(this.#addHighs(solver, island, lane, 1))) return false;
      }
    }
    return true;
  }

  /** Adds the denials of the lower bounds of all lanes but one to the clause, and returns its new length. */
  #addLows(solver: ClauseSolver, island: number, except: number, length: number): number {
    let end = length;
    for (let at = 4 * island; at < 4 * island + 4; at++) {
      const lane = this.#graph.laneAt[at];
      if (lane < 0 || lane === except || this.#low[lane] === 0) continue;
      solver.inferred[end++] = this.atLeast(lane, this.#low[lane]) ^ 1;
    }
    return end;
  }

  #addHighs(solver: ClauseSolver, island: number, except: number, length: number): number {
    let end = length;
    for (let at = 4 * island; at < 4 * island + 4; at++) {
      const lane = this.#graph.laneAt[at];
      if (lane < 0 || lane === except || this.#high[lane] === this.#room[lane]) continue;
      solver.inferred[end++] = this.atMost(lane, this.#high[lane]) ^ 1;
    }
    return end;
  }

  /** All islands hang together by lanes that are not closed; a lane that alone joins two parts gets a bridge (Tarjan 1974). */
  #keepConnected(solver: ClauseSolver): boolean {
    const { islandCount, laneAt, from, to } = this.#graph;
    const order = this.#order;
    const reach = this.#reach;
    const nextWay = this.#nextWay;
    const stack = this.#stack;
    order.fill(-1);
    nextWay.fill(0);
    let visited = 1;
    let depth = 0;
    order[0] = reach[0] = 0;
    stack[0] = 0;
    this.#enteredBy[0] = -1;
    while (depth >= 0) {
      const island = stack[depth];
      if (nextWay[island] < 4) {
        const lane = laneAt[4 * island + nextWay[island]++];
        if (lane < 0 || this.#high[lane] === 0 || lane === this.#enteredBy[island]) continue;
        const other = from[lane] + to[lane] - island;
        if (order[other] >= 0) {
          if (order[other] < reach[island]) reach[island] = order[other];
          continue;
        }
        order[other] = reach[other] = visited++;
        this.#enteredBy[other] = lane;
        stack[++depth] = other;
        continue;
      }
      depth--;
      if (depth < 0) break;
      const before = stack[depth];
      const lane = this.#enteredBy[island];
      if (reach[island] < reach[before]) reach[before] = reach[island];
      if (reach[island] <= order[before] || this.#low[lane] > 0) continue;
      solver.inferred[0] = this.atLeast(lane, 1);
      if (!solver.infer(this.#addCut(solver, order[island], visited, lane, 1))) return false;
    }
    if (visited === islandCount) return true;
    // Everything reached got an order below `visited`; what a second flood reaches from elsewhere is a part cut off.
    return solver.infer(this.#addCut(solver, visited, this.#floodFrom(order.indexOf(-1), visited), -1, 0));
  }

  #floodFrom(start: number, firstOrder: number): number {
    const { laneAt, from, to } = this.#graph;
    let visited = firstOrder;
    let depth = 0;
    this.#stack[0] = start;
    this.#order[start] = visited++;
    while (depth >= 0) {
      const island = this.#stack[depth--];
      for (let at = 4 * island; at < 4 * island + 4; at++) {
        const lane = laneAt[at];
        if (lane < 0 || this.#high[lane] === 0) continue;
        const other = from[lane] + to[lane] - island;
        if (this.#order[other] >= 0) continue;
        this.#order[other] = visited++;
        this.#stack[++depth] = other;
      }
    }
    return visited;
  }

  /** Adds a bridge on each lane, but one, between the islands whose order lies in a range and all others. */
  #addCut(solver: ClauseSolver, first: number, end: number, except: number, length: number): number {
    const { laneCount, from, to } = this.#graph;
    let added = length;
    for (let lane = 0; lane < laneCount; lane++) {
      if (lane === except || this.#room[lane] === 0) continue;
      const [a, b] = [this.#order[from[lane]], this.#order[to[lane]]];
      if ((a >= first && a < end) !== (b >= first && b < end)) solver.inferred[added++] = this.atLeast(lane, 1);
    }
    return added;
  }

  /** No bridge closes a loop. */
  #keepOpen(solver: ClauseSolver): boolean {
    const { laneCount, islandCount, from, to } = this.#graph;
    const parent = this.#parent;
    for (let island = 0; island < islandCount; island++) parent[island] = island;
    for (let lane = 0; lane < laneCount; lane++) {
      if (this.#low[lane] === 0) continue;
      const [a, b] = [root(parent, from[lane]), root(parent, to[lane])];
      if (a === b) return solver.infer(this.#addLoop(solver, lane));
      parent[a] = b;
    }
    for (let lane = 0; lane < laneCount; lane++) {
      if (this.#low[lane] > 0 || this.#high[lane] === 0) continue;
      if (root(parent, from[lane]) !== root(parent, to[lane])) continue;
      if (!solver.infer(this.#addLoop(solver, lane))) return false;
    }
    return true;
  }

  /** The clause "not this lane, or not one of those that join its ends another way". */
  #addLoop(solver: ClauseSolver, lane: number): number {
    const { laneAt, from, to } = this.#graph;
    this.#enteredBy.fill(-1);
    let [head, tail] = [0, 0];
    this.#stack[tail++] = from[lane];
    this.#enteredBy[from[lane]] = lane;
    while (head < tail && this.#enteredBy[to[lane]] < 0) {
      const island = this.#stack[head++];
      for (let at = 4 * island; at < 4 * island + 4; at++) {
        const way = laneAt[at];
        if (way < 0 || way === lane || this.#low[way] === 0) continue;
        const other = from[way] + to[way] - island;
        if (this.#enteredBy[other] >= 0) continue;
        this.#enteredBy[other] = way;
        this.#stack[tail++] = other;
      }
    }
    let length = 0;
    solver.inferred[length++] = this.atMost(lane, 0);
    for (let island = to[lane]; island !== from[lane]; ) {
      const way = this.#enteredBy[island];
      solver.inferred[length++] = this.atMost(way, 0);
      island = from[way] + to[way] - island;
    }
    return length;
  }
}

function imply(solver: ClauseSolver, premise: Literal, conclusion: Literal): boolean {
  solver.inferred[0] = conclusion;
  solver.inferred[1] = premise ^ 1;
  return solver.infer(2);
}

function root(parent: Int32Array, island: number): number {
  let at = island;
  while (parent[at] !== at) at = parent[at] = parent[parent[at]];
  return at;
}
