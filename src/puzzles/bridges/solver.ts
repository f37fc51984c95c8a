// The complete solver. What deduction leaves open becomes clauses, with a variable for "at least so many more bridges" on a
// lane. Counts and crossings are clauses from the start; that all islands hang together, and without a loop where loops are
// forbidden, is said where a model breaks it. A step of the budget is a dead end, or such a model.
import { ClauseSolver, type Literal } from "../clause-solver.ts";
import { defaultBudget, type SolveBudget, type SomeSolutions } from "../puzzle.ts";
import { deduce } from "./deductions.ts";
import type { IslandGraph } from "./island-graph.ts";
import { groupOf, type Knowledge } from "./knowledge.ts";

/** Solutions as bridges by lane, and the steps that they took. */
type LaneSolutions = SomeSolutions<Int32Array> & { readonly steps: number };

const hardest = 2;

/** Up to `most` solutions, on top of what is known already. */
export function laneSolutions(k: Knowledge, most: number, { searchSteps }: SolveBudget = defaultBudget): LaneSolutions {
  const boards: Int32Array[] = [];
  if (most > 0 && deduce(k, hardest)) return { boards: [k.known.slice()], all: true, steps: 0 };
  if (isUnbalanced(k.graph)) return { boards, all: true, steps: 0 };
  const open = new OpenLanes(k);
  let rejected = 0;
  const outcome = (all: boolean) => ({ boards, all, steps: open.solver.conflicts + rejected });
  while (boards.length < most) {
    const verdict = open.solver.solve({ conflicts: searchSteps - rejected });
    if (verdict !== "model") return outcome(verdict === "refuted");
    const bridges = open.bridges();
    const broken = open.brokenBy(bridges);
    if (broken.length === 0) {
      boards.push(bridges);
      broken.push(open.anyOther(bridges));
    } else rejected++;
    for (const clause of broken) open.solver.add(clause);
  }
  return outcome(false);
}

/** What deduction has left open, as clauses. */
class OpenLanes {
  readonly solver: ClauseSolver;
  readonly #known: Knowledge;
  /** By lane: its first variable, and how many bridges more than those that are known there can be. */
  readonly #first: Int32Array;
  readonly #room: Int32Array;

  constructor(known: Knowledge) {
    const { graph, full, limit, known: low } = known;
    const { laneCount, islandCount, from, to } = graph;
    this.#known = known;
    this.#first = new Int32Array(laneCount);
    this.#room = new Int32Array(laneCount);
    let variables = 0;
    for (let lane = 0; lane < laneCount; lane++) {
      const settled = full[from[lane]] === 1 || full[to[lane]] === 1;
      this.#first[lane] = variables;
      this.#room[lane] = settled ? 0 : Math.max(0, limit[lane] - low[lane]);
      variables += this.#room[lane];
    }
    this.solver = new ClauseSolver(variables);
    for (let lane = 0; lane < laneCount; lane++) {
      for (let more = 2; more <= this.#room[lane]; more++)
        this.solver.add([this.#atLeast(lane, more) ^ 1, this.#atLeast(lane, more - 1)]);
      this.#addCrossings(lane);
    }
    for (let island = 0; island < islandCount; island++) this.#addCount(island);
  }

  /** "This lane has at least so many bridges more", from 1 to its room. */
  #atLeast(lane: number, more: number): Literal {
    return 2 * (this.#first[lane] + more - 1);
  }

  #addCrossings(lane: number): void {
    const { graph, known } = this.#known;
    for (let entry = graph.firstCrossing[lane]; entry >= 0; entry = graph.nextCrossing[entry]) {
      const crossed = graph.crossingLane[entry];
      // Whatever crosses a bridge that is known has no room.
      if (crossed < lane || known[lane] + known[crossed] > 0 || this.#room[lane] * this.#room[crossed] === 0) continue;
      this.solver.add([this.#atLeast(lane, 1) ^ 1, this.#atLeast(crossed, 1) ^ 1]);
    }
  }

  /** The bridges at an island add up to its clue: no bounds on its lanes allow too few, or ask for too many. */
  #addCount(island: number): void {
    const { graph, built } = this.#known;
    const lanes = Array.from(graph.laneAt.subarray(4 * island, 4 * island + 4)).filter((lane) => lane >= 0);
    const missing = graph.clue[island] - built[island];
    const rooms = lanes.map((lane) => this.#room[lane]);
    for (const most of sharings(rooms, missing - 1))
      this.solver.add(lanes.flatMap((lane, at) => (most[at] < rooms[at] ? this.#atLeast(lane, most[at] + 1) : [])));
    for (const least of sharings(rooms, missing + 1))
      this.solver.add(lanes.flatMap((lane, at) => (least[at] > 0 ? this.#atLeast(lane, least[at]) ^ 1 : [])));
    if (missing < 0 || rooms.reduce((sum, room) => sum + room, 0) < missing) this.solver.add([]);
  }

  /** By lane, in the model just found. */
  bridges(): Int32Array {
    const bridges = this.#known.known.slice();
    for (let lane = 0; lane < this.#room.length; lane++)
      for (let more = 0; more < this.#room[lane]; more++)
        if (this.solver.isTrue(this.#first[lane] + more)) bridges[lane]++;
    return bridges;
  }

  /** "Some lane has more bridges than these, or fewer." */
  anyOther(bridges: Int32Array): Literal[] {
    const { known } = this.#known;
    return Array.from(this.#room).flatMap((room, lane) => {
      const more = bridges[lane] - known[lane];
      return [
        ...(more > 0 ? [this.#atLeast(lane, more) ^ 1] : []),
        ...(more < room ? [this.#atLeast(lane, more + 1)] : []),
      ];
    });
  }

  /** Clauses that a model breaks in which islands do not hang together, or lie on a forbidden loop. */
  brokenBy(bridges: Int32Array): Literal[][] {
    const { graph, known, loopsForbidden } = this.#known;
    const { islandCount, laneCount, from, to } = graph;
    const parent = Int32Array.from({ length: islandCount }, (_, island) => island);
    const broken: Literal[][] = [];
    for (let lane = 0; lane < laneCount; lane++) {
      if (bridges[lane] === 0) continue;
      const [a, b] = [groupOf(parent, from[lane]), groupOf(parent, to[lane])];
      if (a === b && loopsForbidden)
        broken.push(
          [lane, ...lanesBetween(graph, bridges, lane)].flatMap((on) =>
            known[on] === 0 ? this.#atLeast(on, 1) ^ 1 : [],
          ),
        );
      parent[a] = b;
    }
    const groups = new Set(Array.from(parent, (_, island) => groupOf(parent, island)));
    groups.delete(groupOf(parent, 0));
    for (const group of groups) {
      const cut: Literal[] = [];
      for (let lane = 0; lane < laneCount; lane++) {
        const leaves = (groupOf(parent, from[lane]) === group) !== (groupOf(parent, to[lane]) === group);
        if (leaves && this.#room[lane] > 0) cut.push(this.#atLeast(lane, 1));
      }
      broken.push(cut);
    }
    return broken;
  }
}

/** All ways to share a number out to places, none of which gets more than its room. */
function sharings(rooms: readonly number[], number: number): number[][] {
  if (rooms.length === 0) return number === 0 ? [[]] : [];
  const ways: number[][] = [];
  for (let share = 0; share <= Math.min(rooms[0], number); share++)
    for (const rest of sharings(rooms.slice(1), number - share)) ways.push([share, ...rest]);
  return ways;
}

/** The earlier lanes with bridges that join the ends of a lane, by one way; nothing where there is none. */
function lanesBetween({ laneAt, from, to }: IslandGraph, bridges: Int32Array, closing: number): number[] {
  const enteredBy = new Map([[from[closing], -1]]);
  for (const island of enteredBy.keys())
    for (const lane of laneAt.subarray(4 * island, 4 * island + 4)) {
      if (lane < 0 || lane >= closing || bridges[lane] === 0) continue;
      const other = from[lane] + to[lane] - island;
      if (!enteredBy.has(other)) enteredBy.set(other, lane);
    }
  const way: number[] = [];
  for (let island = to[closing]; island !== from[closing]; ) {
    const lane = enteredBy.get(island)!;
    way.push(lane);
    island = from[lane] + to[lane] - island;
  }
  return way;
}

/**
 * Where the islands fall into two colors so that every lane joins one of each, both colors must ask for as many
 * bridges. Nothing that looks at a few islands at a time sees this, and searching for it takes for ever.
 */
function isUnbalanced({ islandCount, clue, islandAt, laneAt }: IslandGraph): boolean {
  const color = new Int8Array(islandCount);
  const reached = [0];
  color[0] = 1;
  let balance = 0;
  for (let next = 0; next < reached.length; next++) {
    const island = reached[next];
    balance += color[island] * clue[island];
    for (let at = 4 * island; at < 4 * island + 4; at++) {
      if (laneAt[at] < 0) continue;
      const other = islandAt[at];
      if (color[other] === color[island]) return false;
      if (color[other] !== 0) continue;
      color[other] = -color[island];
      reached.push(other);
    }
  }
  return balance !== 0;
}
