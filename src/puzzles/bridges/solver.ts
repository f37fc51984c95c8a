// The complete solver: a first solution by search, then for every lane a proof that it cannot be otherwise, or a second.
// Lane by lane, each proof stays near its lane and what it settles helps the next; blocking the first solution as a
// whole would tie all corners of the board into every proof.
import { ClauseSolver, type Literal } from "../clause-solver.ts";
import { defaultBudget, type SolveBudget, type SomeSolutions } from "../puzzle.ts";
import { BridgeRules } from "./bridge-rules.ts";
import type { IslandGraph } from "./island-graph.ts";

/** Solutions as bridges by lane. */
type LaneSolutions =
  | { readonly status: "unique"; readonly bridges: Int32Array; readonly deadEnds: number }
  | { readonly status: "multiple"; readonly bridges: Int32Array; readonly others: Int32Array }
  | { readonly status: "none" }
  | { readonly status: "gave-up"; readonly budget: SolveBudget };

/** A step of the budget is a dead end met by the search. */
export function solveLanes(
  graph: IslandGraph,
  maxBridges: number,
  loopsForbidden: boolean,
  budget: SolveBudget = defaultBudget,
): LaneSolutions {
  if (isUnbalanced(graph)) return { status: "none" };
  const rules = new BridgeRules(graph, maxBridges, loopsForbidden);
  const solver = new ClauseSolver(rules.variableCount, rules);
  const limits = { conflicts: budget.searchSteps };
  const first = solver.solve(limits);
  if (first === "refuted") return { status: "none" };
  if (first === "gave-up") return { status: "gave-up", budget };
  const bridges = rules.bridges();
  for (let lane = 0; lane < graph.laneCount; lane++) {
    for (const otherwise of alternatives(rules, lane, bridges[lane])) {
      if (solver.settled(otherwise ^ 1)) continue;
      const second = solver.solve(limits, otherwise);
      if (second === "model") return { status: "multiple", bridges, others: rules.bridges() };
      if (second === "gave-up") return { status: "gave-up", budget };
    }
  }
  return { status: "unique", bridges, deadEnds: solver.conflicts };
}

/** Up to `most` solutions: each one found is forbidden as a whole before the next is looked for. */
export function someLaneSolutions(
  graph: IslandGraph,
  maxBridges: number,
  loopsForbidden: boolean,
  most: number,
  budget: SolveBudget = defaultBudget,
): SomeSolutions<Int32Array> {
  const boards: Int32Array[] = [];
  if (isUnbalanced(graph)) return { boards, all: true };
  const rules = new BridgeRules(graph, maxBridges, loopsForbidden);
  const solver = new ClauseSolver(rules.variableCount, rules);
  const limits = { conflicts: budget.searchSteps };
  while (boards.length < most) {
    const outcome = solver.solve(limits);
    if (outcome !== "model") return { boards, all: outcome === "refuted" };
    const bridges = rules.bridges().slice();
    boards.push(bridges);
    solver.add(Array.from(bridges, (count, lane) => alternatives(rules, lane, count)).flat());
  }
  return { boards, all: false };
}

function alternatives(rules: BridgeRules, lane: number, bridges: number): Literal[] {
  const literals: Literal[] = [];
  if (bridges > 0) literals.push(rules.atMost(lane, bridges - 1));
  if (bridges < rules.room(lane)) literals.push(rules.atLeast(lane, bridges + 1));
  return literals;
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
